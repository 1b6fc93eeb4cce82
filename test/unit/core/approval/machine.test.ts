import { describe, expect, it } from 'vitest';
import { isTerminal, Lifecycle, REQUEST_STATES, step, type RequestEvent, type RequestState } from '../../../../src/core/approval/machine.ts';

const EVENTS: readonly RequestEvent[] = [
  'deny', 'allow_by_rule', 'ask', 'approve', 'expire', 'cancel', 'supersede', 'start', 'succeed', 'fail', 'time_out', 'interrupt',
];

/** Every way there is, written down a second time; what is not here must not be possible. */
const ALLOWED: readonly (readonly [RequestState, RequestEvent, RequestState])[] = [
  ['proposed', 'deny', 'denied'], ['proposed', 'allow_by_rule', 'auto_approved'], ['proposed', 'ask', 'pending'],
  ['proposed', 'cancel', 'cancelled'], ['proposed', 'interrupt', 'interrupted'],
  ['pending', 'approve', 'approved'], ['pending', 'deny', 'denied'], ['pending', 'expire', 'expired'], ['pending', 'cancel', 'cancelled'],
  ['pending', 'supersede', 'superseded'], ['pending', 'interrupt', 'interrupted'],
  ['auto_approved', 'start', 'executing'], ['auto_approved', 'fail', 'failed'], ['auto_approved', 'cancel', 'cancelled'], ['auto_approved', 'interrupt', 'interrupted'],
  ['approved', 'start', 'executing'], ['approved', 'fail', 'failed'], ['approved', 'cancel', 'cancelled'], ['approved', 'interrupt', 'interrupted'],
  ['executing', 'succeed', 'succeeded'], ['executing', 'fail', 'failed'], ['executing', 'time_out', 'timed_out'],
  ['executing', 'cancel', 'cancelled'], ['executing', 'interrupt', 'interrupted'],
];
const TERMINAL: readonly RequestState[] = ['denied', 'expired', 'cancelled', 'superseded', 'succeeded', 'failed', 'timed_out', 'interrupted'];

const pairs = REQUEST_STATES.flatMap((state) => EVENTS.map((event) => [state, event, ALLOWED.find(([from, by]) => from === state && by === event)?.[2]] as const));

describe('the states of a request', () => {
  it.each(pairs)('%s, %s: %s', (state, event, next) => {
    expect(step(state, event)).toBe(next);
  });

  it('names every pair once, and every way of the list is among them', () => {
    expect(pairs).toHaveLength(REQUEST_STATES.length * EVENTS.length);
    expect(pairs.filter(([, , next]) => next !== undefined)).toHaveLength(ALLOWED.length);
  });

  it.each(REQUEST_STATES.map((state) => [state, TERMINAL.includes(state)] as const))('%s is terminal: %s', (state, terminal) => {
    expect(isTerminal(state)).toBe(terminal);
    expect(EVENTS.every((event) => step(state, event) === undefined)).toBe(terminal);
  });

  it('reaches executing only through an approval, by a rule or by a person', () => {
    const before = REQUEST_STATES.filter((state) => EVENTS.some((event) => step(state, event) === 'executing'));
    expect(before).toEqual(['auto_approved', 'approved']);
    const approving = ALLOWED.filter(([, , to]) => to === 'approved' || to === 'auto_approved').map(([from, event]) => `${from} ${event}`);
    expect(approving).toEqual(['proposed allow_by_rule', 'pending approve']);
  });

  it('reaches every state from proposed', () => {
    const reached = new Set<RequestState>(['proposed']);
    for (const state of reached) for (const event of EVENTS) reached.add(step(state, event) ?? state);
    expect([...reached].toSorted()).toEqual([...REQUEST_STATES].toSorted());
  });
});

describe('one call\'s way', () => {
  it('goes from proposed to succeeded', () => {
    const life = new Lifecycle();
    for (const event of ['ask', 'approve', 'start', 'succeed'] as const) life.advance(event);
    expect(life.state).toBe('succeeded');
  });

  it.each([
    [['ask', 'approve', 'start', 'start'], 'executing', 'cannot start'],
    [['ask', 'deny', 'approve'], 'denied', 'cannot approve'],
    [['ask', 'start'], 'pending', 'cannot start'],
    [['start'], 'proposed', 'cannot start'],
    [['ask', 'expire', 'time_out'], 'expired', 'cannot time out'],
  ] as const)('%j stops at %s: %s', (events, state, message) => {
    const life = new Lifecycle();
    expect(() => { for (const event of events) life.advance(event); }).toThrow(message);
    expect(life.state).toBe(state);
  });
});
