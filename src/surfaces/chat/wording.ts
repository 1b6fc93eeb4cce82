/** The words a person reads for each state; the same in the view, the live region and the tests. */
import type { AllowedBy, CallState, TaskEnd } from '../../core/agent/events.ts';
import type { Receipt } from '../../core/approval/request.ts';

interface StateLook {
  readonly word: string;
  readonly icon: string;
}

/** Exhaustive: a state without a word and an icon does not compile. */
const CALLS: Record<CallState, StateLook> = {
  judging: { word: 'checking', icon: 'ellipsis' },
  waiting: { word: 'waiting', icon: 'bell-dot' },
  running: { word: 'running', icon: 'loading' },
  done: { word: 'done', icon: 'check' },
  failed: { word: 'failed', icon: 'error' },
  timed_out: { word: 'timed out', icon: 'watch' },
  denied_by_rule: { word: 'denied by rule', icon: 'circle-slash' },
  denied_by_person: { word: 'denied by you', icon: 'circle-slash' },
  no_answer: { word: 'no answer', icon: 'bell-slash' },
  cancelled: { word: 'cancelled', icon: 'debug-stop' },
  invalid: { word: 'not valid', icon: 'warning' },
  unknown: { word: 'unknown', icon: 'question' },
};

export function callWord(state: CallState): string {
  return (CALLS[state] ?? CALLS.unknown).word;
}
export function callIcon(state: CallState): string {
  return (CALLS[state] ?? CALLS.unknown).icon;
}

const ALLOWED: Record<AllowedBy, string> = {
  rule: 'allowed by rule',
  person: 'allowed by you',
  standing_grant: 'allowed by you, for this session',
};
export function allowedWord(by: AllowedBy): string {
  return ALLOWED[by] ?? ALLOWED.rule;
}

const ENDS: Record<TaskEnd, string> = {
  finished: 'Done.',
  stopped: 'Stopped. Nothing more runs.',
  failed: 'Failed. Nothing more runs.',
  step_limit: 'Stopped at the step limit. Nothing more runs.',
  interrupted: 'Interrupted.',
};
export function endWord(how: TaskEnd): string {
  return ENDS[how] ?? ENDS.interrupted;
}
export function endIcon(how: TaskEnd): string {
  if (how === 'finished') return 'check';
  if (how === 'failed') return 'error';
  return how === 'stopped' ? 'debug-stop' : 'debug-pause';
}
/** Whether the task can go on from where it ended. */
export function resumable(how: TaskEnd): boolean {
  return how !== 'finished';
}

/** What the person reads when their answer had no effect; undefined when it had. */
export function receiptLine(receipt: Receipt): string | undefined {
  switch (receipt) {
    case 'accepted': return undefined;
    case 'already_answered': return 'This answer had no effect: the request was already answered.';
    case 'unknown_request': return 'This answer had no effect: the request is no longer waiting.';
    case 'fingerprint_mismatch': return 'This answer had no effect: the request has changed. Read it again.';
    default: return 'This answer had no effect.';
  }
}

/** `2 ms`, `1.4 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `820 tokens`, `3.2k tokens`. */
export function tokens(count: number): string {
  return count < 1000 ? `${count} tokens` : `${(count / 1000).toFixed(1)}k tokens`;
}
