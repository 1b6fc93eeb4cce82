import type { Policy } from '../policy/layers.ts';
import { isAction, strictest, type Finding, type GuardDecision } from '../verdict.ts';
import type { Guarded, Resolved } from './stages.ts';

/** What a guard may know besides the call. */
export interface GuardContext {
  readonly policy: Policy;
  /** Absolute path of the home directory, for the credential rules. */
  readonly home: string;
  readonly platform: 'linux' | 'darwin' | 'win32';
}

/**
 * One rule, one file under `guards/`. `check` is synchronous and pure; a guard that throws, or answers with anything
 * but findings, denies the call.
 * All guards run and the strictest finding wins, so a guard never needs to know about another.
 */
export interface Guard {
  /** `family/name`, the file's own place. */
  readonly id: string;
  readonly check: (resolved: Resolved, context: GuardContext) => Finding | readonly Finding[] | undefined;
}

/** The one entry for static judgement. Order of guards never matters; error and silence do not allow. */
export function evaluateToolCall(resolved: Resolved, guards: readonly Guard[], context: GuardContext): GuardDecision {
  const findings: Finding[] = [];
  for (const guard of guards) {
    try {
      for (const finding of [guard.check(resolved, context) ?? []].flat()) {
        if (!isAction(finding.action)) throw new TypeError('its answer is not a finding');
        findings.push(finding);
      }
    } catch (error) {
      findings.push({
        rule: guard.id, action: 'deny', patternKey: 'guard_failed', approvalAction: 'use_tool',
        reason: `The check ${guard.id} failed (${error instanceof Error ? error.message.slice(0, 120) : 'unknown error'}), so the call is refused.`,
      });
    }
  }
  const action = strictest(findings.map((finding) => finding.action));
  const leading = findings.find((finding) => finding.action === action);
  return {
    action, findings,
    reason: leading?.reason ?? 'No guard objects.',
    patternKey: leading?.patternKey ?? 'no_finding',
    approvalAction: leading?.approvalAction ?? 'use_tool',
  };
}

export function guardCall(resolved: Resolved, guards: readonly Guard[], context: GuardContext): Guarded {
  return { stage: 'guarded', resolved, decision: evaluateToolCall(resolved, guards, context) };
}
