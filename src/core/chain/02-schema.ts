import type { z } from 'zod';
import { isLengthLimit } from '../agent/assemble.ts';
import { digestOf, type Sha256 } from '../digest.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { Parsed, Visible } from './stages.ts';

/** Most characters of arguments that are looked at; more is refused unread. */
const ARGUMENTS_LIMIT = 1_000_000;

/**
 * Parses whole, strictly, once. Cut-off text is refused as cut off, never completed: the half value would be
 * what a person approves. What comes out is frozen all the way down, so that what is guarded, shown, run and
 * recorded is one value.
 */
export function parseArguments(visible: Visible, sha256: Sha256): Parsed | Refusal {
  const { call } = visible.proposed;
  if (!call.complete) {
    const limit = isLengthLimit(call.finishReason) ? ' The output limit was reached in the middle of the call.' : '';
    return refuse({
      stage: 'schema', code: 'incomplete_arguments',
      forModel: `Not run: the arguments of ${call.tool} were incomplete when the message ended.${limit} Send the call again, whole, or split it into smaller ones.`,
      forPerson: `The model's message ended inside a call of ${call.tool}. Nothing ran.`,
      retryable: true,
    });
  }
  if (call.argumentsText.length > ARGUMENTS_LIMIT) {
    return invalid(visible, `the arguments are longer than ${ARGUMENTS_LIMIT} characters`);
  }
  let raw: unknown;
  try {
    raw = JSON.parse(call.argumentsText);
  } catch {
    return invalid(visible, 'the arguments are not valid JSON');
  }
  const parsed = visible.tool.schema.safeParse(raw);
  if (!parsed.success) return invalid(visible, parsed.error.issues.slice(0, 5).map(describeIssue).join('; '));
  const args = deepFreeze(parsed.data);
  return { stage: 'parsed', visible, args, argsDigest: digestOf(args, sha256) };
}

function invalid(visible: Visible, what: string): Refusal {
  const { tool } = visible.proposed.call;
  return refuse({
    stage: 'schema', code: 'invalid_arguments', retryable: true,
    forModel: `Not run: ${tool}: ${what}.`,
    forPerson: `The agent called ${tool} with arguments that do not fit. Nothing ran.`,
  });
}

/** Names the parameter and what is wanted, so that the next try can be right. */
function describeIssue(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? 'arguments' : issue.path.map(String).join('.');
  if (issue.code === 'invalid_type') return `"${where}" must be ${issue.expected}`;
  if (issue.code === 'unrecognized_keys') return `unknown parameter ${issue.keys.map((key) => `"${key.slice(0, 60)}"`).join(', ')}`;
  return `"${where}": ${issue.message}`;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
