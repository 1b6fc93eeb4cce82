import type { Actor, Call } from '../call.ts';
import type { Settled } from '../chain/10-settle.ts';
import type { Clock } from '../ports.ts';
import { refuse, type Refusal, type RefusalCode } from '../refusal.ts';
import type { TaskEnd, TaskEvent } from './events.ts';
import { isModelError, type ModelReply, type ModelSource, type ToolPrompt } from './model.ts';
import { askModel } from './retry.ts';
import type { Transcript } from './transcript.ts';

/** What one task needs. `settleCall` is the whole chain; a call with `skip` is refused with it, unjudged, and recorded. */
export interface LoopParts {
  readonly source: ModelSource;
  readonly transcript: Transcript;
  readonly actor: Actor;
  readonly system: string;
  /** Asked before every request: policy may have changed. */
  readonly tools: () => readonly ToolPrompt[];
  readonly settleCall: (call: Call, agentSays: string | undefined, skip: Refusal | undefined) => Promise<Settled>;
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
/** Denials in a row after which the task pauses: whatever it tries, the person does not want it. */
const DENIED_LIMIT = 3;
/** Calls of one message that are looked at; more are refused. */
const CALLS_PER_MESSAGE = 32;

/** What happened in a row, over the messages of one run. */
interface Streak {
  readonly fruitless: number;
  readonly denied: number;
}

export interface LoopEnd {
  readonly how: TaskEnd;
  readonly text: string | undefined;
}

/**
 * Asks, settles every call in order, asks again; ends when a message makes no call. Every bound ends it with
 * words. The history is valid whenever this returns, and never holds half an answer.
 */
export async function runLoop(parts: LoopParts, signal: AbortSignal): Promise<LoopEnd> {
  let streak: Streak = { fruitless: 0, denied: 0 };
  for (let step = 0; step < parts.maxSteps; step += 1) {
    if (addQueued(parts)) streak = { ...streak, denied: 0 };
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
    streak = await settleAll(parts, calls, reply.text, streak, signal);
    if (signal.aborted) return { how: 'stopped', text: undefined };
    const what = streak.fruitless >= FRUITLESS_LIMIT ? `${FRUITLESS_LIMIT} calls in a row could not be used` : streak.denied >= DENIED_LIMIT ? `you denied ${DENIED_LIMIT} calls in a row` : undefined;
    if (what !== undefined) return { how: 'step_limit', text: `Paused: ${what}. Say how to go on, or continue.` };
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

/** Settles the calls one after the other; after a denial or a stop the rest get a result and a record without being judged. */
async function settleAll(parts: LoopParts, calls: readonly Call[], agentSays: string, before: Streak, signal: AbortSignal): Promise<Streak> {
  let streak = before;
  let skip: Refusal | undefined;
  for (const [index, call] of calls.entries()) {
    if (index >= CALLS_PER_MESSAGE) skip ??= skipped('too_many_calls', `Not run: at most ${CALLS_PER_MESSAGE} calls fit into one message.`);
    if (signal.aborted) skip = skipped('task_stopped', 'Cancelled: the person stopped the task. Nothing ran.');
    const settled = await parts.settleCall(call, agentSays === '' ? undefined : agentSays, skip);
    parts.transcript.addResult(call.id, settled.text);
    await parts.save();
    if (skip !== undefined) continue;
    streak = after(streak, settled.refusal?.code);
    if (settled.refusal?.code === 'denied_by_person') skip = skipped('after_denial', 'Not run: an earlier call of the same message was denied.');
  }
  return streak;
}

function after({ fruitless, denied }: Streak, code: RefusalCode | undefined): Streak {
  return {
    fruitless: code !== undefined && FRUITLESS.has(code) ? fruitless + 1 : 0,
    denied: code === 'denied_by_person' ? denied + 1 : code === 'denied_earlier' ? denied : 0,
  };
}

function skipped(patternKey: string, forModel: string): Refusal {
  return refuse({ stage: 'visibility', code: 'cancelled', patternKey, forModel, retryable: true });
}
