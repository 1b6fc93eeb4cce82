/**
 * The states of one request and the only ways between them. One table; every change goes through `step`.
 * `interrupted` is where a crash or reload leaves what was open: nothing is known to have run or to have been refused.
 */
export const REQUEST_STATES = [
  'proposed', 'denied', 'auto_approved', 'pending', 'approved', 'expired', 'cancelled', 'superseded',
  'executing', 'succeeded', 'failed', 'timed_out', 'interrupted',
] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

export type RequestEvent =
  | 'deny' | 'allow_by_rule' | 'ask' | 'approve' | 'expire' | 'cancel' | 'supersede' | 'start'
  | 'succeed' | 'fail' | 'time_out' | 'interrupt';

const TRANSITIONS: Readonly<Record<RequestState, Partial<Record<RequestEvent, RequestState>>>> = {
  proposed: { deny: 'denied', allow_by_rule: 'auto_approved', ask: 'pending', cancel: 'cancelled', interrupt: 'interrupted' },
  pending: {
    approve: 'approved', deny: 'denied', expire: 'expired', cancel: 'cancelled', supersede: 'superseded', interrupt: 'interrupted',
  },
  auto_approved: { start: 'executing', fail: 'failed', cancel: 'cancelled', interrupt: 'interrupted' },
  approved: { start: 'executing', fail: 'failed', cancel: 'cancelled', interrupt: 'interrupted' },
  executing: { succeed: 'succeeded', fail: 'failed', time_out: 'timed_out', cancel: 'cancelled', interrupt: 'interrupted' },
  denied: {}, expired: {}, cancelled: {}, superseded: {}, succeeded: {}, failed: {}, timed_out: {}, interrupted: {},
};

/** The next state, or undefined when the event is not possible now: a second answer, a late click, a double start. */
export function step(state: RequestState, event: RequestEvent): RequestState | undefined {
  return TRANSITIONS[state][event];
}

export function isTerminal(state: RequestState): boolean {
  return Object.keys(TRANSITIONS[state]).length === 0;
}

/** One call's way through the table. An impossible event throws, which the chain turns into a refusal. */
export class Lifecycle {
  #state: RequestState = 'proposed';
  get state(): RequestState {
    return this.#state;
  }
  advance(event: RequestEvent): void {
    const next = step(this.#state, event);
    if (next === undefined) throw new Error(`a call that is ${this.#state} cannot ${event.replaceAll('_', ' ')}`);
    this.#state = next;
  }
}
