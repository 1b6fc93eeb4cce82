import type { Call } from '../call.ts';
import type { CallFragment, LaneCall } from './call-lanes.ts';
import { CALL_LIMITS, CallLanes, parses, tooMuch } from './call-lanes.ts';
import type { ModelDelta, ModelReply, Usage } from './model.ts';

export type { CallFragment } from './call-lanes.ts';

/** What a provider's stream says, in no provider's words. */
export type StreamDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly fragment: CallFragment }
  | { readonly type: 'finish'; readonly reason: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'response'; readonly id?: string | undefined; readonly model?: string | undefined };

/** Characters and counts of one message; beyond them it is refused with `ModelError('malformed')`. */
export const MESSAGE_LIMITS = { ...CALL_LIMITS, textLength: 4_000_000, reasoningLength: 4_000_000 } as const;

/**
 * How the stream ended. `cut`: it stopped without saying that the message was over, so no call of it counts as
 * complete, however whole it looks.
 */
export type StreamEnd = 'in_order' | 'cut';

export interface Assembler {
  /** Takes one delta; returns what may be shown meanwhile. Throws `ModelError('malformed')` beyond a limit, nothing else. */
  push(delta: StreamDelta): readonly ModelDelta[];
  /** True while there is no text, no reasoning and no call. */
  readonly empty: boolean;
  readonly hasCalls: boolean;
  readonly usage: Usage | undefined;
  readonly finishReason: string | undefined;
  finish(end: StreamEnd): ModelReply;
}

/**
 * Puts one message together, for every provider. A call is `complete` when it has a name, its fragments could be
 * told apart, its arguments parse as one JSON value, and the stream ended in order; the finish reason decides
 * nothing but one case: an empty object under a length limit counts as cut off. Empty arguments are incomplete.
 * Calls without an id, and calls that repeat an id of an earlier call of the message, get one from `makeId`
 * (n counts from 0 within the message). Usage is cumulative: the last one counts. The last finish reason is kept verbatim.
 */
export function createAssembler(makeId: (n: number) => string): Assembler {
  const lanes = new CallLanes();
  let text = '';
  let reasoning = '';
  let finishReason: string | undefined;
  let usage: Usage | undefined;
  let responseId: string | undefined;
  let model: string | undefined;

  function push(delta: StreamDelta): readonly ModelDelta[] {
    switch (delta.type) {
      case 'text':
        text = extend(text, delta.text, MESSAGE_LIMITS.textLength, 'text');
        return delta.text === '' ? [] : [delta];
      case 'reasoning':
        reasoning = extend(reasoning, delta.text, MESSAGE_LIMITS.reasoningLength, 'reasoning');
        return delta.text === '' ? [] : [delta];
      case 'call':
        lanes.add(delta.fragment);
        return announce(lanes.calls);
      case 'finish':
        if (delta.reason !== '') finishReason = delta.reason;
        return [];
      case 'usage':
        usage = delta.usage;
        return [];
      case 'response':
        responseId ??= delta.id;
        model ??= delta.model;
        return [];
    }
  }

  return {
    push,
    get empty() { return text === '' && reasoning === '' && lanes.calls.length === 0; },
    get hasCalls() { return lanes.calls.length > 0; },
    get usage() { return usage; },
    get finishReason() { return finishReason; },
    finish: (end) => ({
      text, reasoning: reasoning === '' ? undefined : reasoning, calls: settle(lanes.calls, end, finishReason, makeId),
      finishReason, usage, model, responseId,
    }),
  };
}

function extend(soFar: string, more: string, limit: number, what: string): string {
  if (soFar.length + more.length > limit) throw tooMuch(`more than ${limit} characters of ${what}`);
  return soFar + more;
}

/** Only once the arguments begin is the name known to be whole. */
function announce(calls: readonly LaneCall[]): readonly ModelDelta[] {
  const fresh = calls.filter((call) => !call.shown && call.name !== '' && call.text !== '');
  return fresh.map((call) => {
    call.shown = true;
    return { type: 'call_started', tool: call.name };
  });
}

function settle(calls: readonly LaneCall[], end: StreamEnd, finishReason: string | undefined, makeId: (n: number) => string): Call[] {
  const taken = new Set(calls.map((call) => call.id));
  const used = new Set<string>();
  return calls.map((call, n) => {
    const id = call.id !== '' && !used.has(call.id) ? call.id : freshId(makeId(n), taken);
    used.add(id);
    taken.add(id);
    const complete = end === 'in_order' && call.name !== '' && !call.ambiguous && isValue(call.text, finishReason);
    return { id, tool: call.name, argumentsText: call.text, complete, finishReason };
  });
}

function isValue(text: string, finishReason: string | undefined): boolean {
  if (text.trim() === '' || !parses(text)) return false;
  return !(isLengthLimit(finishReason) && /^\s*\{\s*\}\s*$/.test(text));
}

/** Whether the provider says that its output limit ended the message. */
export function isLengthLimit(finishReason: string | undefined): boolean {
  return finishReason !== undefined && /^(length|max_(output_|completion_)?tokens)$/i.test(finishReason);
}

function freshId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  // At most one round for each call of the message.
  for (let n = 2; taken.has(id); n += 1) id = `${wanted}_${n}`;
  return id;
}
