import { describe, expect, it } from 'vitest';
import type { ApprovalSurface, Receipt } from '../../../../src/core/approval/request.ts';
import { answer, brokerWorld, Glass, request, settle } from './broker-world.ts';

describe('answers', () => {
  it('keeps the person\'s words, scope, edits and surface', async () => {
    const world = brokerWorld();
    const asked = world.ask(request('a'));
    await settle();
    world.clock.time += 2_500;
    const given = answer('a', 'deny', { reason: 'use the script', surface: 'diff', scope: 'session', edits: { '/w/x': 'y' } });
    expect(world.broker.answer(given)).toBe('accepted');
    await settle();
    expect(asked.outcomes).toEqual([{ how: 'denied', answer: given, waitedMs: 2_500 }]);
    expect(world.broker.ended('a')).toBe('denied');
  });

  it.each<[string, string, Receipt]>([
    ['nobody', 'fp-a', 'unknown_request'], ['', '', 'unknown_request'], ['a', 'fp-b', 'fingerprint_mismatch'], ['a', '', 'fingerprint_mismatch'],
    ['__proto__', 'fp-a', 'unknown_request'],
  ])('an answer for %j with %j is %s and changes nothing', async (requestId, fingerprint, receipt) => {
    const world = brokerWorld();
    const asked = world.ask(request('a'));
    await settle();
    expect(world.broker.answer(answer('a', 'approve', { requestId, fingerprint }))).toBe(receipt);
    await settle();
    expect(asked.outcomes).toEqual([]);
    expect(world.broker.pending()).toHaveLength(1);
    expect([...world.glass.open_]).toEqual(['a']);
  });

  it('reads a choice that is not approve as a denial', async () => {
    const world = brokerWorld();
    const asked = world.ask(request('a'));
    await settle();
    world.broker.answer(answer('a', 'Approve' as 'approve'));
    await settle();
    expect(asked.outcomes[0]?.how).toBe('denied');
  });

  it('a wait is never negative when the clock is set back', async () => {
    const world = brokerWorld();
    const asked = world.ask(request('a'));
    await settle();
    world.clock.time = 0;
    world.broker.answer(answer('a', 'approve'));
    await settle();
    expect(asked.outcomes[0]?.waitedMs).toBe(0);
  });
});

describe('the store', () => {
  it('is saved before anything is shown', async () => {
    let open: () => void = () => undefined;
    const world = brokerWorld(() => new Promise((resolve) => { open = resolve; }));
    world.ask(request('a'));
    await settle();
    expect(world.saved).toEqual([['a']]);
    expect(world.glass.log).toEqual([]);
    open();
    await settle();
    expect(world.glass.log).toEqual(['open a']);
  });

  it('when it fails nothing is asked, no timer is left, and the next request is asked', async () => {
    let fails = true;
    const world = brokerWorld(() => (fails ? Promise.reject(new Error('disk full')) : Promise.resolve()));
    const lost = world.ask(request('a'));
    await settle();
    expect(lost.errors.map(String)).toEqual(['Error: disk full']);
    expect(world.glass.log.filter((line) => line.startsWith('open'))).toEqual([]);
    expect(world.broker.pending()).toEqual([]);
    expect(world.clock.timers.size).toBe(0);
    expect(world.broker.answer(answer('a', 'approve'))).toBe('already_answered');
    fails = false;
    const next = world.ask(request('b', 'fp-a'));
    await settle();
    expect([...world.glass.open_]).toEqual(['b']);
    expect(next.errors).toEqual([]);
  });

  it('a failure while a request ends changes nothing about the end', async () => {
    let saves = 0;
    const world = brokerWorld(() => ((saves += 1) > 1 ? Promise.reject(new Error('disk full')) : Promise.resolve()));
    const asked = world.ask(request('a'));
    await settle();
    expect(world.broker.answer(answer('a', 'approve'))).toBe('accepted');
    await settle();
    expect(asked.outcomes[0]?.how).toBe('approved');
  });

  it('keeps what waited when the broker is disposed, and nothing is asked afterwards', async () => {
    const world = brokerWorld();
    world.ask(request('a'));
    const queued = world.ask(request('b', 'fp-a'));
    await settle();
    world.broker.dispose();
    await settle();
    expect(world.saved.at(-1)).toEqual(['a']);
    expect(queued.outcomes).toEqual([{ how: 'interrupted', answer: undefined, waitedMs: 0 }]);
    const late = world.ask(request('c'));
    await settle();
    expect(late.outcomes.map(({ how }) => how)).toEqual(['interrupted']);
    expect(world.saved).toHaveLength(1);
    expect(world.clock.timers.size).toBe(0);
  });

  it('a request cancelled while it is being stored is not shown', async () => {
    let open: () => void = () => undefined;
    const world = brokerWorld(() => new Promise((resolve) => { open = resolve; }));
    const asked = world.ask(request('a'));
    await settle();
    asked.controller.abort();
    open();
    await settle();
    expect(asked.outcomes.map(({ how }) => how)).toEqual(['cancelled']);
    expect(world.glass.log).toEqual(['close a cancelled']);
    expect(world.clock.timers.size).toBe(0);
  });

  it('a request whose task is over already is neither stored nor shown', async () => {
    const world = brokerWorld();
    const controller = new AbortController();
    controller.abort();
    await expect(world.broker.ask(request('a'), controller.signal)).resolves.toMatchObject({ how: 'cancelled' });
    expect(world.saved).toEqual([]);
    expect(world.glass.log).toEqual([]);
  });
});

describe('surfaces', () => {
  it('one that comes later is shown what waits; one that went is told nothing more', async () => {
    const world = brokerWorld();
    world.ask(request('a'));
    await settle();
    const late = new Glass();
    const remove = world.broker.addSurface(late);
    expect(late.log).toEqual(['open a']);
    remove();
    world.broker.answer(answer('a', 'approve'));
    expect(late.log).toEqual(['open a']);
    expect(world.glass.log).toEqual(['open a', 'close a approved']);
  });

  it('one that answers while it opens leaves the request open nowhere', async () => {
    const world = brokerWorld();
    const after = new Glass();
    const hasty: ApprovalSurface = { id: 'terminal', open: ({ id }) => { world.broker.answer(answer(id, 'deny')); }, close: () => undefined };
    world.broker.addSurface(hasty);
    world.broker.addSurface(after);
    const asked = world.ask(request('a'));
    await settle();
    expect(asked.outcomes.map(({ how }) => how)).toEqual(['denied']);
    expect([...after.open_, ...world.glass.open_]).toEqual([]);
    expect(after.log.filter((line) => line.startsWith('open'))).toEqual([]);
  });

  it('one that answers again while it closes has no effect', async () => {
    const world = brokerWorld();
    const receipts: Receipt[] = [];
    world.broker.addSurface({ id: 'terminal', open: () => undefined, close: (id) => { receipts.push(world.broker.answer(answer(id, 'approve'))); } });
    const asked = world.ask(request('a'));
    await settle();
    world.broker.answer(answer('a', 'deny'));
    await settle();
    expect(receipts).toEqual(['already_answered']);
    expect(asked.outcomes.map(({ how }) => how)).toEqual(['denied']);
  });
});

describe('time and memory', () => {
  it('a request that is past its end already expires at once and is never an approval', async () => {
    const world = brokerWorld();
    const asked = world.ask(request('a', 'fp-a', { expiresAt: 1 }));
    await settle();
    expect([...world.clock.timers.keys()]).toEqual([0]);
    world.clock.timers.get(0)?.();
    await settle();
    expect(asked.outcomes.map(({ how }) => how)).toEqual(['expired']);
  });

  it('a request without an end has no timer', async () => {
    const world = brokerWorld();
    world.ask(request('a', 'fp-a', { expiresAt: undefined }));
    await settle();
    expect(world.clock.timers.size).toBe(0);
    expect(world.broker.pending()).toHaveLength(1);
  });

  it('remembers the last thousand ends and forgets the ones before', async () => {
    const world = brokerWorld();
    for (let n = 0; n <= 1_000; n += 1) {
      world.ask(request(`r${n}`));
      await settle();
      world.broker.answer(answer(`r${n}`, 'approve'));
    }
    expect(world.broker.ended('r0')).toBeUndefined();
    expect(world.broker.ended('r1')).toBe('approved');
    expect(world.broker.answer(answer('r1', 'approve'))).toBe('already_answered');
  });

  it('asks requests with one fingerprint one after the other, in their order', async () => {
    const world = brokerWorld();
    const asked = ['a', 'b', 'c'].map((id) => world.ask(request(id, 'same')));
    for (const id of ['a', 'b', 'c']) {
      await settle();
      expect(world.broker.pending().map((one) => one.id)).toEqual([id]);
      world.broker.answer(answer(id, id === 'b' ? 'deny' : 'approve', { fingerprint: 'same' }));
    }
    await settle();
    expect(asked.map(({ outcomes }) => outcomes.map(({ how }) => how))).toEqual([['approved'], ['denied'], ['approved']]);
  });

  it('one that queues behind another ends at once when its own task stops', async () => {
    const world = brokerWorld();
    const first = world.ask(request('a', 'same'));
    const queued = world.ask(request('b', 'same'));
    await settle();
    queued.controller.abort();
    await settle();
    expect(queued.outcomes.map(({ how }) => how)).toEqual(['cancelled']);
    expect(first.outcomes).toEqual([]);
  });
});
