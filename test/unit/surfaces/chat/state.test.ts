import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../../../src/core/agent/events.ts';
import { join } from '../../../../src/surfaces/chat/batch.ts';
import { MAX_CHARS, MAX_ITEMS, MAX_OUTPUT, sizeOf } from '../../../../src/surfaces/chat/items.ts';
import type { ChatEvent, ChatState } from '../../../../src/surfaces/chat/items.ts';
import { MAX_CARD, viewOf } from '../../../../src/surfaces/chat/request-view.ts';
import { initialState, modelOf, noticeOf, reduce } from '../../../../src/surfaces/chat/state.ts';
import { groupLabel, rowsOf } from '../../../../src/surfaces/chat/view/rows.ts';
import { newUi } from '../../../../src/surfaces/chat/view/ui.ts';
import { called, card, change, facts, request, started } from './sample.ts';

function run(...events: readonly (TaskEvent | ChatEvent)[]): ChatState {
  return events.reduce((state, event) => reduce(state, 'task' in event ? { type: 'task', event } : event), initialState(facts));
}
const kinds = (state: ChatState): string[] => state.items.map(({ kind }) => kind);
const text = (piece: string): TaskEvent => ({ task: 't1', type: 'text', text: piece });

describe('a task', () => {
  it('joins streamed text into one message, and starts another after it ended', () => {
    const state = run(started, text('a'), text('b'), { task: 't1', type: 'message_ended' }, text('c'));
    expect(state.items).toMatchObject([{ kind: 'agent', text: 'ab', open: false }, { kind: 'agent', text: 'c', open: true }]);
  });

  it('drops the half answer when the request is sent again, and only that', () => {
    const retry: TaskEvent = { task: 't1', type: 'retrying', attempt: 1, limit: 3, waitMs: 2000, reason: 'Connection lost.' };
    const state = run(started, text('whole'), { task: 't1', type: 'message_ended' }, text('half'), retry);
    expect(state.items).toMatchObject([{ kind: 'agent', text: 'whole' }]);
    expect(state.retrying).toMatchObject({ attempt: 1, limit: 3 });
    expect(run(started, text('half'), retry, text('again')).retrying).toBeUndefined();
  });

  it('keeps one line for a call through its states', () => {
    const state = run(started, called('c1', 'judging'), called('c1', 'running'), called('c1', 'done', { durationMs: 2 }));
    expect(kinds(state)).toEqual(['call']);
    expect(state.items[0]).toMatchObject({ view: { state: 'done', durationMs: 2 } });
  });

  it('does not mix up calls of two tasks that have the same id', () => {
    const second = { ...started, task: 't2', title: 'Second' };
    const state = run(started, called('c1', 'done'), second, { ...called('c1', 'running'), task: 't2' });
    expect(kinds(state)).toEqual(['call', 'task', 'call']);
    expect(state.items[0]).toMatchObject({ view: { state: 'done' } });
  });

  it('shows a call that was running at the end as unknown, never as done', () => {
    const state = run(started, called('c1', 'running'), called('c2', 'done'), { task: 't1', type: 'task_ended', how: 'interrupted', text: undefined });
    expect(state.items).toMatchObject([{ view: { state: 'unknown' } }, { view: { state: 'done' } }, { kind: 'end', how: 'interrupted' }]);
    expect(state.task?.phase).toBe('ended');
  });

  it('keeps the tail of the output and says that it was cut', () => {
    const state = run(started, called('c1', 'running'), { task: 't1', type: 'output', callId: 'c1', text: `${'x'.repeat(MAX_OUTPUT)}END` });
    expect(state.items[0]).toMatchObject({ outputCut: true });
    expect(state.items[0]).toHaveProperty('output', expect.stringMatching(/^x{7997}END$/));
  });

  it('shows the notice of the source that serves: the task\'s own while it runs', () => {
    const later: ChatEvent = { type: 'facts', facts: { ...facts, model: { label: 'other', connected: true }, notice: undefined } };
    expect(noticeOf(run(started, later))).toBe(started.notice);
    expect(modelOf(run(started, later))).toBe('Rehearsal');
    const over = run(started, later, { task: 't1', type: 'task_ended', how: 'finished', text: undefined });
    expect([noticeOf(over), modelOf(over)]).toEqual([undefined, 'other']);
  });

  it('goes back to running with the next message of the same task', () => {
    const state = run(started, { task: 't1', type: 'task_ended', how: 'finished', text: undefined }, { task: 't1', type: 'user_message', text: 'more' });
    expect(state.task?.phase).toBe('running');
  });
});

describe('requests', () => {
  const opened: ChatEvent = { type: 'opened', request: viewOf(request()) };

  it('wait until they are closed, and opening twice is opening once', () => {
    expect(run(opened, opened).waiting).toHaveLength(1);
    expect(run(opened, { type: 'closed', requestId: 'req_1', how: 'approved' }).waiting).toHaveLength(0);
    expect(run({ type: 'closed', requestId: 'other', how: 'denied' }).said.n).toBe(0);
  });

  it('says what waits and how it ended, once each', () => {
    const state = run(opened);
    expect(state.said).toEqual({ n: 1, text: 'Waiting for you: Run a command: npm install left-pad' });
    expect(reduce(state, { type: 'closed', requestId: 'req_1', how: 'expired' }).said.text).toMatch(/no answer$/);
  });

  it('shows an answer without effect on the card, or in the log when the card is gone', () => {
    expect(run(opened, { type: 'receipt', requestId: 'req_1', receipt: 'accepted' }).waiting[0]).toMatchObject({ receipts: 0, line: undefined });
    expect(run(opened, { type: 'receipt', requestId: 'req_1', receipt: 'fingerprint_mismatch' }).waiting[0]).toMatchObject({ receipts: 1 });
    const gone = run({ type: 'receipt', requestId: 'req_1', receipt: 'already_answered' });
    expect(gone.items).toMatchObject([{ kind: 'notice', text: 'This answer had no effect: the request was already answered.' }]);
  });

  it('carry the card whole and no contents of files', () => {
    const target = `${'y'.repeat(100)}\n`.repeat(200);
    const secret = `content-${'z'.repeat(30)}`;
    const view = viewOf(request({ card: card({ target }), changes: [change('src/a.ts', 'one\ntwo\n', `one\n${secret}\nthree\n`), change('new.ts', '', 'x\n')] }));
    expect(view.card.target).toBe(target);
    expect(view.files).toEqual([
      { path: 'src/a.ts', change: 'modify', added: 2, removed: 1 }, { path: 'new.ts', change: 'create', added: 1, removed: 0 },
    ]);
    expect(JSON.stringify(view)).not.toContain(secret);
  });

  it('leave out a card that is too long as a whole, never a part of it', () => {
    const view = viewOf(request({ card: card({ target: 'x'.repeat(MAX_CARD + 1) }) }));
    expect(view).toMatchObject({ tooLong: true, card: { target: '' } });
  });
});

describe('bounds', () => {
  it('keeps a long history within its limits and counts what went', () => {
    const lines = Array.from({ length: MAX_ITEMS + 10 }, (_, index): TaskEvent => ({ task: 't1', type: 'notice', level: 'info', text: `line ${index}` }));
    const state = run(started, ...lines);
    expect(state.items.length).toBeLessThanOrEqual(MAX_ITEMS);
    expect(state.items.length + state.dropped).toBe(MAX_ITEMS + 10);
    expect(state.items.at(-1)).toMatchObject({ text: `line ${MAX_ITEMS + 9}` });
  });

  it('keeps the characters within their limit', () => {
    const state = run(started, ...Array.from({ length: 30 }, (): TaskEvent => ({ task: 't1', type: 'user_message', text: 'm'.repeat(150_000) })));
    expect(state.chars).toBeLessThanOrEqual(MAX_CHARS);
    expect(state.dropped).toBeGreaterThan(0);
  });
});

const anyTaskEvent: fc.Arbitrary<TaskEvent> = fc.oneof(
  fc.string().map(text),
  fc.record({ task: fc.constantFrom('t1', 't2'), type: fc.constant('reasoning' as const), text: fc.string() }),
  fc.record({ task: fc.constant('t1'), type: fc.constant('message_ended' as const) }),
  fc.constantFrom(started, { ...started, task: 't2' }),
  fc.tuple(fc.constantFrom('c1', 'c2'), fc.constantFrom('running' as const, 'done' as const, 'waiting' as const)).map(([id, state]) => called(id, state)),
  fc.record({ task: fc.constant('t1'), type: fc.constant('output' as const), callId: fc.constantFrom('c1', 'c2'), text: fc.string() }),
  fc.record({ task: fc.constant('t1'), type: fc.constant('retrying' as const), attempt: fc.nat(5), limit: fc.constant(5), waitMs: fc.nat(), reason: fc.string() }),
  fc.record({ task: fc.constant('t1'), type: fc.constant('task_ended' as const), how: fc.constantFrom('finished' as const, 'stopped' as const), text: fc.constant(undefined) }),
);
const anyEvent: fc.Arbitrary<ChatEvent> = fc.oneof(
  { weight: 6, arbitrary: anyTaskEvent.map((event): ChatEvent => ({ type: 'task', event })) },
  { weight: 1, arbitrary: fc.constantFrom<ChatEvent>({ type: 'opened', request: viewOf(request()) }, { type: 'closed', requestId: 'req_1', how: 'denied' }) },
);

describe('properties', () => {
  it('joined pieces give the same state as single ones', () => {
    fc.assert(fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
      const joined: ChatEvent[] = [];
      for (const event of events) join(joined, event);
      expect(joined.reduce(reduce, initialState(facts))).toEqual(events.reduce(reduce, initialState(facts)));
    }));
  });

  it('a state that went through JSON, as to a new view, goes on in the same way', () => {
    fc.assert(fc.property(fc.array(anyEvent, { maxLength: 30 }), fc.array(anyEvent, { maxLength: 30 }), (first, rest) => {
      const state = first.reduce(reduce, initialState(facts));
      const replayed = JSON.parse(JSON.stringify(state)) as ChatState;
      expect(rest.reduce(reduce, replayed)).toEqual(rest.reduce(reduce, state));
    }));
  });

  it('counts its characters truly and numbers its entries in order', () => {
    fc.assert(fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
      const state = events.reduce(reduce, initialState(facts));
      const ids = state.items.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
      expect(state.chars).toBe(state.items.reduce((sum, item) => sum + sizeOf(item), 0));
    }));
  });
});

describe('rows', () => {
  const quiet = (from: number, to: number): TaskEvent[] => Array.from({ length: to - from }, (_, index) => called(`q${from + index}`, 'done'));

  it('folds a run of quiet calls once it is over, and not while the reader is elsewhere', () => {
    const ui = newUi('');
    expect(rowsOf(run(started, ...quiet(0, 6)), ui).map(({ kind }) => kind)).toEqual(Array(6).fill('item'));
    const over = run(started, ...quiet(0, 6), text('so'));
    expect(rowsOf(over, { ...newUi(''), following: false })).toHaveLength(7);
    expect(rowsOf(over, ui).map(({ kind }) => kind)).toEqual(['group', 'item']);
    ui.following = false;
    expect(rowsOf(over, ui)[0]).toMatchObject({ kind: 'group' });
  });

  it('never folds a call that a person allowed, that failed or that wrote', () => {
    const loud = [called('a', 'done', { allowedBy: 'person' }), called('b', 'failed'), called('c', 'done', { changes: [{ path: 'x', added: 1, removed: 0 }] })];
    const rows = rowsOf(run(started, ...quiet(0, 2), ...loud, ...quiet(2, 4), text('so')), newUi(''));
    expect(rows.every(({ kind }) => kind === 'item')).toBe(true);
  });

  it('puts a card below its call, and at the end when there is no such call', () => {
    const here: ChatEvent = { type: 'opened', request: viewOf(request()) };
    const other: ChatEvent = { type: 'opened', request: viewOf(request({ id: 'req_2', callId: 'elsewhere' })) };
    const rows = rowsOf(run(started, called('c1', 'waiting'), here, other, text('later')), newUi(''));
    expect(rows.map(({ key }) => key)).toEqual(['i1', 'creq_1', 'i2', 'creq_2']);
  });

  it('shows both of two requests of one call', () => {
    const two: ChatEvent[] = ['req_1', 'req_2'].map((id) => ({ type: 'opened', request: viewOf(request({ id })) }));
    expect(rowsOf(run(started, called('c1', 'waiting'), ...two), newUi('')).filter(({ kind }) => kind === 'card')).toHaveLength(2);
  });

  it('names what a group did', () => {
    const items = run(started, ...quiet(0, 2), called('s', 'done', { subject: { verb: 'Search', target: 'x', form: 'text' } })).items;
    expect(groupLabel(items.flatMap((item) => (item.kind === 'call' ? [item] : [])))).toBe('Read (2), Search');
  });
});
