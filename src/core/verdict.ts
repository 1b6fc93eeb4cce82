import type { Risk } from './call.ts';

export type Action = 'allow' | 'ask' | 'deny';

const STRICTNESS: Record<Action, number> = { allow: 0, ask: 1, deny: 2 };

/** Whether a value from outside the types is an action; an unknown word must not count as the mildest. */
export function isAction(value: unknown): value is Action {
  return typeof value === 'string' && Object.hasOwn(STRICTNESS, value);
}

/** The strictest of the verdicts wins, whatever the order they came in. */
export function strictest(actions: Iterable<Action>): Action {
  let worst: Action = 'allow';
  for (const action of actions) if (STRICTNESS[action] > STRICTNESS[worst]) worst = action;
  return worst;
}

/** Whether an allow for one action also counts for another: what approvals confirm. */
export type ApprovalAction = 'run_command' | 'write_file' | 'read_sensitive' | 'network_access' | 'use_tool';

/** One thing one guard noticed. `allow` findings exist only to explain; they never outweigh another. */
export interface Finding {
  /** Id of the guard rule, `family/name`. */
  readonly rule: string;
  readonly action: Action;
  /** Plain words for a person; no rule internals. */
  readonly reason: string;
  /** Stable name used by approvals, audit and tests: `recursive_delete`, `network_denied` ... */
  readonly patternKey: string;
  readonly approvalAction: ApprovalAction;
  /** What is possible instead; told to the model and the person when the call is denied. */
  readonly instead?: string | undefined;
  /** A line that must stand out on every surface, for example "This file runs code or changes settings." */
  readonly banner?: string | undefined;
  /** A sensitive finding is never answered by an auto path or a standing grant. */
  readonly sensitive?: boolean | undefined;
}

/** The answer of `evaluateToolCall`: the strictest finding, with all of them kept so that explaining is free. */
export interface GuardDecision {
  readonly action: Action;
  readonly reason: string;
  readonly patternKey: string;
  readonly approvalAction: ApprovalAction;
  readonly findings: readonly Finding[];
}

/** Where the call would run. `unconfined` always needs a person. */
export type Confinement = 'none_needed' | 'sandboxed' | 'unconfined';

export interface Rating {
  readonly risk: Risk;
  /** Which of the three sources gave it: the static table, the tool's declaration, or the default for the unknown. */
  readonly source: 'table' | 'declared' | 'unknown';
}
