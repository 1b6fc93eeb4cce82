/** What the chat view shows, as data, and the few ways to change it. Nothing reads it to decide. */
import type { CallView, TaskEnd, TaskEvent } from '../../core/agent/events.ts';
import type { Card, Closing, Receipt } from '../../core/approval/request.ts';
import type { SandboxStatus } from '../../core/ports.ts';

/** Most entries and most characters kept; the oldest go first, and the view says how many went. */
export const MAX_ITEMS = 5_000;
export const MAX_CHARS = 2_000_000;
/** Characters of one message kept for showing. */
export const MAX_MESSAGE = 200_000;
/** Characters of a running command's output kept: the tail. */
export const MAX_OUTPUT = 8_000;

/** A starting point for an empty chat. `prompt` is what is sent when it is picked. */
export interface Starter {
  readonly id: string;
  readonly label: string;
  readonly detail: string | undefined;
  readonly prompt: string;
}

/** What is true of the session whatever task runs; set by the host. */
export interface ChatFacts {
  /** `connected` is false while no real model serves. */
  readonly model: { readonly label: string; readonly connected: boolean };
  /** Shown for as long as it is set: the honest sentence of the source that serves. */
  readonly notice: string | undefined;
  readonly profile: string;
  /** Undefined until the self-test has ended. */
  readonly sandbox: SandboxStatus | undefined;
  /** True in Restricted Mode. */
  readonly restricted: boolean;
  /** The view shows the first three. */
  readonly starters: readonly Starter[];
}

export interface FileLine {
  readonly path: string;
  readonly change: 'create' | 'modify' | 'delete';
  /** Undefined when counting would have taken too long. */
  readonly added: number | undefined;
  readonly removed: number | undefined;
}

/** A request as the view needs it: the card's text, never the contents of the files. */
export interface RequestView {
  readonly id: string;
  readonly fingerprint: string;
  readonly task: string;
  readonly taskTitle: string;
  readonly callId: string;
  readonly card: Card;
  readonly files: readonly FileLine[];
  /** True when the card is too long to be shown whole here: it can be opened or denied, not approved. */
  readonly tooLong: boolean;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
}

/** `receipts` counts the answers that had no effect, so that the view can offer its buttons again. */
export interface WaitingCard {
  readonly request: RequestView;
  readonly receipts: number;
  readonly line: string | undefined;
}

export type Item = { readonly id: number } & (
  | { readonly kind: 'task'; readonly title: string }
  | { readonly kind: 'person'; readonly text: string }
  | { readonly kind: 'agent'; readonly text: string; readonly open: boolean; readonly cut: boolean }
  | { readonly kind: 'reasoning'; readonly text: string; readonly open: boolean; readonly cut: boolean }
  | { readonly kind: 'call'; readonly task: string; readonly view: CallView; readonly output: string; readonly outputCut: boolean }
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  | { readonly kind: 'end'; readonly how: TaskEnd; readonly text: string | undefined }
);
export type CallItem = Extract<Item, { kind: 'call' }>;

export interface TaskHead {
  readonly id: string;
  readonly title: string;
  readonly model: string;
  readonly notice: string | undefined;
  readonly profile: string;
  readonly phase: 'running' | 'ended';
}

export interface Retrying {
  readonly attempt: number;
  readonly limit: number;
  readonly waitMs: number;
  readonly reason: string;
}

export interface ChatState {
  readonly facts: ChatFacts;
  readonly task: TaskHead | undefined;
  readonly items: readonly Item[];
  /** Entries that no longer fit. */
  readonly dropped: number;
  readonly nextId: number;
  readonly chars: number;
  readonly queued: readonly string[];
  /** Oldest first. */
  readonly waiting: readonly WaitingCard[];
  readonly retrying: Retrying | undefined;
  /** Tokens of the last request and its answer: how full the context is. */
  readonly context: { readonly tokens: number; readonly estimated: boolean } | undefined;
  /** Said politely by the live region; a new `n` means a new sentence. */
  readonly said: { readonly n: number; readonly text: string };
}

export type ChatEvent =
  | { readonly type: 'task'; readonly event: TaskEvent }
  | { readonly type: 'opened'; readonly request: RequestView }
  | { readonly type: 'closed'; readonly requestId: string; readonly how: Closing }
  | { readonly type: 'receipt'; readonly requestId: string; readonly receipt: Receipt }
  | { readonly type: 'facts'; readonly facts: ChatFacts };

export function initialState(facts: ChatFacts): ChatState {
  return {
    facts, task: undefined, items: [], dropped: 0, nextId: 1, chars: 0, queued: [], waiting: [], retrying: undefined,
    context: undefined, said: { n: 0, text: '' },
  };
}

export type ItemBody = Item extends infer T ? (T extends Item ? Omit<T, 'id'> : never) : never;

export function append(state: ChatState, body: ItemBody): ChatState {
  const item = { ...body, id: state.nextId } as Item;
  return { ...state, items: [...state.items, item], nextId: state.nextId + 1, chars: state.chars + sizeOf(item) };
}

export function replaceItem(state: ChatState, index: number, item: Item): ChatState {
  const before = state.items[index];
  if (before === undefined) return state;
  return { ...state, items: state.items.with(index, item), chars: state.chars - sizeOf(before) + sizeOf(item) };
}

export function say(state: ChatState, text: string): ChatState {
  return { ...state, said: { n: state.said.n + 1, text } };
}

/** For the live region only; the card itself is never cut. */
export function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

export function sizeOf(item: Item): number {
  switch (item.kind) {
    case 'task': return item.title.length;
    case 'call': return item.output.length + (item.view.subject?.target.length ?? 0) + (item.view.reason?.length ?? 0) + 100;
    case 'end': return item.text?.length ?? 0;
    default: return item.text.length;
  }
}

/** Drops the oldest quarter when full: rarely, so that the list does not creep under a reader. */
export function bound(state: ChatState): ChatState {
  if (state.items.length <= MAX_ITEMS && state.chars <= MAX_CHARS) return state;
  let cut = Math.ceil(state.items.length / 4);
  let chars = state.items.slice(cut).reduce((sum, item) => sum + sizeOf(item), 0);
  for (let item = state.items[cut]; chars > MAX_CHARS && item !== undefined; item = state.items[cut]) {
    chars -= sizeOf(item);
    cut += 1;
  }
  return { ...state, items: state.items.slice(cut), dropped: state.dropped + cut, chars };
}
