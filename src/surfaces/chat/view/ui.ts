/** What belongs to this one document: the draft, what is folded open, which answers are on their way. */
import type { FromView } from '../protocol.ts';
import type { ChatState } from '../items.ts';

/** The parts of a card a person can open. */
export type CardPart = 'approve' | 'deny' | 'reason';

export interface Ui {
  draft: string;
  readonly expanded: Set<number>;
  /** Groups by the id of their first call. `folded` once, a group stays one, so that reading is not disturbed. */
  readonly folded: Set<number>;
  readonly unfolded: Set<number>;
  readonly parts: Map<string, { readonly part: CardPart; readonly at: number }>;
  readonly reasons: Map<string, string>;
  /** Request id -> how many answers without effect there were when this one was sent. */
  readonly sent: Map<string, number>;
  /** Request id -> when its card appeared, or last moved without the person moving it. Monotonic milliseconds. */
  readonly shownAt: Map<string, number>;
  readonly movedAt: Map<string, number>;
  /** True while the reader is at the end; only then does the view follow. */
  following: boolean;
  unseen: boolean;
}

export function newUi(draft: string): Ui {
  return {
    draft, expanded: new Set(), folded: new Set(), unfolded: new Set(), parts: new Map(), reasons: new Map(), sent: new Map(),
    shownAt: new Map(), movedAt: new Map(), following: true, unseen: false,
  };
}

/** What the templates need. `redraw` says that the person changed something, so what moves, moves by their hand. */
export interface View {
  readonly state: ChatState;
  readonly ui: Ui;
  readonly post: (message: FromView) => void;
  readonly redraw: () => void;
  /** Sends an answer, unless the card appeared or moved too recently for the click to be meant for it. */
  readonly answer: (event: Event, answer: CardAnswer) => void;
  readonly jump: (to: 'end' | 'card') => void;
}

export interface CardAnswer {
  readonly requestId: string;
  readonly fingerprint: string;
  readonly choice: 'approve' | 'deny';
  readonly scope: 'once' | 'session';
  readonly reason?: string;
}
