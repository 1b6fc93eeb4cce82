import type { Confinement } from '../verdict.ts';
import type { FileChange, Risk } from '../call.ts';

/** `once` spends itself; `session` lasts until the window's extension host ends. */
export type Scope = 'once' | 'session';

export interface ScopeChoice {
  readonly scope: Scope;
  /** What this choice will cover, in plain words, shown before it is clicked. */
  readonly covers: string;
}

/** The approval card: the same lines on every surface. All text is final; surfaces only lay it out. */
export interface Card {
  /** Verb first: "Run a command". */
  readonly verb: string;
  /** The thing itself, whole, hidden characters already made visible. */
  readonly target: string;
  readonly form: 'command' | 'path' | 'text';
  /** Where it runs: "in sample · confined · no network". */
  readonly where: string;
  readonly touches: readonly string[];
  readonly why: string;
  readonly rule: string;
  /** The agent's own words about it; always shown as quoted. */
  readonly agentSays: string | undefined;
  readonly banner: string | undefined;
  /** True when something in `target` was invisible or misleading and is now drawn. */
  readonly hiddenCharacters: boolean;
  readonly choices: readonly ScopeChoice[];
}

/** One concrete action that waits for a person; survives a restart as data. */
export interface ApprovalRequest {
  readonly id: string;
  readonly fingerprint: string;
  readonly session: string;
  readonly task: string;
  readonly taskTitle: string;
  readonly callId: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly confinement: Confinement;
  readonly patternKey: string;
  /** Canonical JSON of the arguments. */
  readonly argumentsText: string;
  readonly card: Card;
  readonly changes: readonly FileChange[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

export const SURFACE_IDS = ['notification', 'diff', 'tree', 'chat', 'status_bar', 'palette', 'terminal', 'review'] as const;
export type SurfaceId = (typeof SURFACE_IDS)[number];

/** The only thing that comes back from a surface. */
export interface Answer {
  readonly requestId: string;
  readonly fingerprint: string;
  readonly choice: 'approve' | 'deny';
  readonly scope: Scope;
  /** The person's words to the model, with a denial. */
  readonly reason: string | undefined;
  /** Texts the person changed before approving, by `FileChange.path.real`. Guarded again. */
  readonly edits: Readonly<Record<string, string>> | undefined;
  readonly surface: SurfaceId;
}

/** What became of an answer: only `accepted` had an effect. */
export type Receipt = 'accepted' | 'already_answered' | 'unknown_request' | 'fingerprint_mismatch';

/** How a request ended, for surfaces that must close. */
export type Closing = 'approved' | 'denied' | 'expired' | 'cancelled' | 'superseded' | 'interrupted';

/** A way of showing requests. `open` may be called for several requests; `close` for ids it never saw. Neither throws. */
export interface ApprovalSurface {
  readonly id: SurfaceId;
  open(request: ApprovalRequest): void;
  close(requestId: string, how: Closing): void;
}

/** What surfaces see of the broker: the waiting requests, and the one way to answer. */
export interface ApprovalDesk {
  /** Oldest first. */
  pending(): readonly ApprovalRequest[];
  /** First answer wins. Never throws. */
  answer(answer: Answer): Receipt;
}
