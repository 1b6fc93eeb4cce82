import { join } from './batch.ts';
import { MAX_EVENTS } from './bounds.ts';
import type { ChatEvent, ChatState } from './items.ts';
import type { ToView } from './envelope.ts';
import { reduce } from './state.ts';

/** Shortest time between two messages to the view, in milliseconds: at most 30 a second. */
export const FLUSH_MS = 34;

/** Runs `work` once after `ms`; the result cancels it. */
export type Later = (work: () => void, ms: number) => () => void;

/** One view instance: how to reach it, and the token only it was given. */
export interface Peer {
  readonly token: string;
  post(message: ToView): void;
}

/** The state, and the stream of it to the one view that is there. */
export interface Outbox {
  readonly state: () => ChatState;
  readonly apply: (event: ChatEvent) => void;
  /** Sends the whole state to `next`, which is served from now on instead of any other. */
  readonly attach: (next: Peer) => void;
  /** Nothing more is sent to `gone`. */
  readonly detach: (gone: Peer) => void;
  readonly dispose: () => void;
}

export function createOutbox(initial: ChatState, later: Later): Outbox {
  let state = initial;
  let revision = 0;
  let sent = 0;
  let peer: Peer | undefined;
  let batch: ChatEvent[] = [];
  let cancel: (() => void) | undefined;

  const forget = (): void => {
    cancel?.();
    cancel = undefined;
    batch = [];
  };
  const replace = (): void => {
    forget();
    sent = revision;
    peer?.post({ type: 'replace', revision, state });
  };
  const flush = (): void => {
    cancel = undefined;
    if (batch.length > MAX_EVENTS) return replace();
    const message: ToView = { type: 'events', from: sent, to: revision, events: batch };
    batch = [];
    sent = revision;
    peer?.post(message);
  };
  const leave = (): void => {
    peer = undefined;
    forget();
  };
  return {
    state: () => state,
    apply: (event) => {
      state = reduce(state, event);
      revision += 1;
      if (peer === undefined) return;
      // Past the limit the state itself is sent, so the rest of the burst need not be kept.
      if (batch.length <= MAX_EVENTS) join(batch, event);
      cancel ??= later(flush, FLUSH_MS);
    },
    attach: (next) => {
      peer = next;
      replace();
    },
    detach: (gone) => {
      if (peer === gone) leave();
    },
    dispose: leave,
  };
}
