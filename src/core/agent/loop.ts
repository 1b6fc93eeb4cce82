import type { Actor, Call } from '../call.ts';
import type { Settled } from '../chain/10-settle.ts';
import type { Clock } from '../ports.ts';
import type { RefusalCode } from '../refusal.ts';
import type { TaskEnd, TaskEvent } from './events.ts';
import { isModelError, type ModelReply, type ModelSource, type ToolPrompt } from './model.ts';
import { askModel } from './retry.ts';
import type { Transcript } from './transcript.ts';

/** What one task needs. `settleCall` is the whole chain. */
export interface LoopParts {
  readonly source: ModelSource;
  readonly transcript: Transcript;
  readonly actor: Actor;
  readonly system: string;
  /** Asked before every request: policy may have changed. */
  readonly tools: () => readonly ToolPrompt[];
  readonly settleCall: (call: Call, agentSays: string | undefined) => Promise<Settled>;
  /** Takes what the person typed while the task ran. */
  readonly takeQueued: () => readonly string[];
  /** Makes the history durable; called after every change. */
  readonly save: () => Promise<void>;
  readonly emit: (event: TaskEvent) => void;
  readonly clock: Clock;
  readonly maxSteps: number;
}

/** Calls in a row that could not even be judged, after which the task pauses instead of going round. */
const FRUITLESS_LIMIT = 5;
const FRUITLESS: ReadonlySet<RefusalCode> = new Set([
  'unknown_tool', 'hidden_tool', 'invalid_arguments', 'incomplete_arguments', 'denied_earlier', 'not_found', 'not_applicable', 'audit_unavailable',
]);
/** Calls of one message that are looked at; more are refused. */
const CALLS_PER_MESSAGE = 32;

export interface LoopEnd {
  readonly how: TaskEnd;
  readonly text: string | undefined;
}

/**
 * Asks, settles every call in order, asks again; ends when a message makes no call. Every bound ends it with
 * words. The history is valid whenever this returns, and never holds half an answer.
 */
export async function runLoop(parts: LoopParts, signal: AbortSignal): Promise<LoopEnd> {
  let fruitless = 0;
  for (let step = 0; step < parts.maxSteps; step += 1) {
    addQueued(parts);
    const reply = await nextReply(parts, signal);
    if ('how' in reply) return reply;
    const calls = parts.transcript.addAssistant(reply.text, reply.calls, reply.reasoning);
    parts.emit({ task: parts.actor.task, type: 'message_ended' });
    if (reply.usage !== undefined) parts.emit({ task: parts.actor.task, type: 'usage', usage: reply.usage });
    await parts.save();
    if (calls.length === 0) {
      if (addQueued(parts)) continue;
      return { how: 'finished', text: undefined };
    }
    fruitless = await settleAll(parts, calls, reply.text, fruitless, signal);
    if (signal.aborted) return { how: 'stopped', text: undefined };
    if (fruitless >= FRUITLESS_LIMIT) {
      return { how: 'step_limit', text: `Paused: ${FRUITLESS_LIMIT} calls in a row could not be used. Say how to go on, or continue.` };
    }
  }
  return { how: 'step_limit', text: `Paused after ${parts.maxSteps} answers of the model (sluice.budget.steps). Continue to go on.` };
}

/** Puts what the person typed meanwhile into the history. */
function addQueued(parts: LoopParts): boolean {
  const texts = parts.takeQueued();
  for (const text of texts) {
    parts.transcript.addUser(text);
    parts.emit({ task: parts.actor.task, type: 'user_message', text });
  }
  return texts.length > 0;
}

async function nextReply(parts: LoopParts, signal: AbortSignal): Promise<ModelReply | LoopEnd> {
  const { task } = parts.actor;
  const request = { system: parts.system, messages: parts.transcript.messages(), tools: parts.tools() };
  try {
    return await askModel(parts.source, request, parts.clock, signal, {
      delta: (delta) => {
        if (delta.type !== 'call_started') parts.emit({ task, type: delta.type, text: delta.text });
      },
      retry: (note) => parts.emit({ task, type: 'retrying', ...note }),
    });
  } catch (error) {
    if (signal.aborted) return { how: 'stopped', text: undefined };
    if (isModelError(error)) return { how: 'failed', text: error.message };
    return { how: 'failed', text: `The model could not be asked: ${error instanceof Error ? error.message : 'unknown error'}` };
  }
}

/** Settles the calls one after the other; after a denial or a stop the rest get a result without being judged. */
async function settleAll(parts: LoopParts, calls: readonly Call[], agentSays: string, before: number, signal: AbortSignal): Promise<number> {
  let fruitless = before;
  let skip: string | undefined;
  for (const [index, call] of calls.entries()) {
    if (index >= CALLS_PER_MESSAGE) skip ??= `Not run: at most ${CALLS_PER_MESSAGE} calls fit into one message.`;
    if (signal.aborted) skip = 'Cancelled: the person stopped the task. Nothing ran.';
    if (skip !== undefined) {
      parts.transcript.addResult(call.id, skip);
      parts.emit({ task: parts.actor.task, type: 'call', view: { callId: call.id, tool: call.tool, state: 'cancelled', subject: undefined, reason: skip } });
      continue;
    }
    const settled = await parts.settleCall(call, agentSays === '' ? undefined : agentSays);
    parts.transcript.addResult(call.id, settled.text);
    await parts.save();
    fruitless = settled.refusal !== undefined && FRUITLESS.has(settled.refusal.code) ? fruitless + 1 : 0;
    if (settled.refusal?.code === 'denied_by_person') skip = 'Not run: an earlier call of the same message was denied.';
  }
  if (skip !== undefined) await parts.save();
  return fruitless;
}
