import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createExchange } from '../../../../src/surfaces/chat/exchange.ts';
import type { Exchange } from '../../../../src/surfaces/chat/exchange.ts';
import { FLUSH_MS } from '../../../../src/surfaces/chat/outbox.ts';
import type { Peer } from '../../../../src/surfaces/chat/outbox.ts';
import { MAX_EVENTS, MAX_REASON, MAX_TEXT } from '../../../../src/surfaces/chat/bounds.ts';
import { pageOf, randomHex } from '../../../../src/surfaces/chat/page.ts';
import { parseFromView, parseToView } from '../../../../src/surfaces/chat/protocol.ts';
import type { ToView } from '../../../../src/surfaces/chat/protocol.ts';
import { reduce } from '../../../../src/surfaces/chat/state.ts';
import { card, facts, fakeCommands, fakeDesk, request, started } from './sample.ts';
import type { FakeDesk } from './sample.ts';

const TOKEN = 'token-of-this-view';

interface Bench {
  readonly exchange: Exchange;
  readonly desk: FakeDesk;
  readonly asked: (readonly [string, string | undefined])[];
  readonly peer: Peer;
  readonly posted: ToView[];
  /** Runs what waits for time to pass, and returns how many there were. */
  tick(): number;
}

function bench(desk: FakeDesk = fakeDesk([request()])): Bench {
  const { commands, asked } = fakeCommands();
  const timers = new Set<() => void>();
  const exchange = createExchange({
    desk, commands, facts,
    later: (work, ms) => {
      expect(ms).toBe(FLUSH_MS);
      timers.add(work);
      return () => timers.delete(work);
    },
  });
  const posted: ToView[] = [];
  const peer: Peer = { token: TOKEN, post: (message) => void posted.push(message) };
  const tick = (): number => {
    const due = [...timers];
    timers.clear();
    for (const work of due) work();
    return due.length;
  };
  return { exchange, desk, asked, peer, posted, tick };
}

const answer = { type: 'answer', requestId: 'req_1', fingerprint: 'sha256:aa', choice: 'approve', scope: 'once', token: TOKEN } as const;

describe('answers', () => {
  it('reach the desk whole, with the right token', () => {
    const { exchange, desk, peer } = bench();
    exchange.receive(peer, { ...answer, choice: 'deny', reason: 'use the local copy' });
    expect(desk.answers).toEqual([{
      requestId: 'req_1', fingerprint: 'sha256:aa', choice: 'deny', scope: 'once', reason: 'use the local copy', edits: undefined, surface: 'chat',
    }]);
  });

  it.each(['', 'wrong', TOKEN.toUpperCase()])('with the token %j open the request instead', (token) => {
    const { exchange, desk, peer, asked } = bench();
    exchange.receive(peer, { ...answer, token });
    expect(desk.answers).toEqual([]);
    expect(asked).toEqual([['openRequest', 'req_1']]);
  });

  it('with the token of another view open the request instead', () => {
    const { exchange, desk, peer, asked } = bench();
    exchange.receive({ ...peer, token: 'of a later view' }, answer);
    expect([desk.answers, asked]).toEqual([[], [['openRequest', 'req_1']]]);
  });

  it('for a scope the card does not offer open the request instead', () => {
    const { exchange, desk, peer, asked } = bench(fakeDesk([request({ card: card({ choices: [{ scope: 'once', covers: 'this' }] }) })]));
    exchange.receive(peer, { ...answer, scope: 'session' });
    expect([desk.answers, asked]).toEqual([[], [['openRequest', 'req_1']]]);
  });

  it('without effect come back as a line', () => {
    const desk = fakeDesk([request()]);
    desk.receipt = 'fingerprint_mismatch';
    const { exchange, peer } = bench(desk);
    exchange.receive(peer, answer);
    expect(exchange.state().waiting[0]?.line).toMatch(/no effect/);
  });
});

describe('malformed messages', () => {
  const nearly = fc.record({
    type: fc.constantFrom('answer', 'send', 'open_link', 'command', 'ready', 'stop', 'nonsense'),
    requestId: fc.oneof(fc.constant('req_1'), fc.anything()), fingerprint: fc.oneof(fc.constant('sha256:aa'), fc.anything()),
    choice: fc.oneof(fc.constantFrom('approve', 'deny', 'Approve', true), fc.anything()), scope: fc.oneof(fc.constantFrom('once', 'session', 'always'), fc.anything()),
    token: fc.oneof(fc.string(), fc.anything()), edits: fc.anything(), text: fc.anything(),
  }, { requiredKeys: ['type'] });

  it('never throw and never answer', () => {
    fc.assert(fc.property(fc.oneof(fc.anything(), nearly), (message) => {
      const { exchange, desk, peer } = bench();
      exchange.receive(peer, message);
      expect(desk.answers).toEqual([]);
    }), { numRuns: 500 });
  });

  it('include objects that throw when they are read', () => {
    const hostile = new Proxy({}, { get: () => { throw new Error('no'); }, has: () => { throw new Error('no'); } });
    expect(parseFromView(hostile)).toBeUndefined();
    expect(parseFromView({ get type() { throw new Error('no'); } })).toBeUndefined();
  });

  it.each([
    ['an extra key', { ...answer, edits: {} }],
    ['a missing token', { ...answer, token: undefined }],
    ['a standing scope the protocol does not know', { ...answer, scope: 'always' }],
    ['a reason beyond its bound', { ...answer, choice: 'deny', reason: 'x'.repeat(MAX_REASON + 1) }],
    ['an empty message', { type: 'send', text: ' \n' }],
    ['a message beyond its bound', { type: 'send', text: 'x'.repeat(MAX_TEXT + 1) }],
    ['a script address', { type: 'open_link', url: 'javascript:alert(1)' }],
    ['a command address', { type: 'open_link', url: 'command:workbench.action.quit' }],
    ['a data address', { type: 'open_link', url: 'data:text/html,x' }],
    ['a file address', { type: 'open_link', url: 'file:///etc/hosts' }],
    ['an address with credentials', { type: 'open_link', url: 'https://good.example@evil.example/' }],
    ['a path that climbs', { type: 'open_file', path: 'src/../../x' }],
    ['an absolute path', { type: 'open_file', path: '/etc/hosts' }],
    ['a path on another machine', { type: 'open_file', path: '\\\\host\\share' }],
    ['a drive', { type: 'open_file', path: 'c:\\x' }],
    ['a command that is not on the list', { type: 'command', name: 'workbench.action.quit' }],
  ])('%s is refused', (_, message) => {
    expect(parseFromView(message)).toBeUndefined();
  });

  it('are dropped by the view as well', () => {
    fc.assert(fc.property(fc.anything(), (message) => {
      const parsed = parseToView(message);
      expect(parsed === undefined || parsed.type === 'replace' || parsed.type === 'events').toBe(true);
    }));
    expect(parseToView({ type: 'replace', revision: 1, state: { items: 1 } })).toBeUndefined();
    expect(parseToView({ type: 'events', from: 0, to: 1, events: Array(MAX_EVENTS + 1).fill({ type: 'facts' }) })).toBeUndefined();
  });
});

describe('the stream to the view', () => {
  it('starts with the whole state and goes on with joined events, at most one message per pause', () => {
    const { exchange, peer, posted, tick } = bench();
    exchange.receive(peer, { type: 'ready' });
    expect(posted).toMatchObject([{ type: 'replace', revision: 0 }]);
    exchange.onEvent(started);
    for (let index = 0; index < 1000; index += 1) exchange.onEvent({ task: 't1', type: 'text', text: 'x' });
    expect(posted).toHaveLength(1);
    expect(tick()).toBe(1);
    expect(posted[1]).toMatchObject({ type: 'events', from: 0, to: 1001 });
    expect(posted[1]?.type === 'events' && posted[1].events).toHaveLength(2);
  });

  it('gives the view the same state as the host has', () => {
    const { exchange, peer, posted, tick } = bench();
    exchange.receive(peer, { type: 'ready' });
    exchange.onEvent(started);
    exchange.onEvent({ task: 't1', type: 'text', text: 'Hello ' });
    tick();
    exchange.onEvent({ task: 't1', type: 'text', text: 'there' });
    exchange.opened(request({ id: 'req_9' }));
    tick();
    const seen = posted.reduce((state, message) => (message.type === 'replace' ? message.state : message.events.reduce(reduce, state)), exchange.state());
    expect(seen).toEqual(exchange.state());
  });

  it('sends the state instead of a burst that is too long', () => {
    const { exchange, peer, posted, tick } = bench();
    exchange.receive(peer, { type: 'ready' });
    for (let index = 0; index < MAX_EVENTS * 2; index += 1) exchange.onEvent({ task: 't1', type: 'notice', level: 'info', text: `${index}` });
    tick();
    expect(posted[1]).toMatchObject({ type: 'replace', revision: MAX_EVENTS * 2 });
  });

  it('keeps the state while nobody looks, and leaves no timer', () => {
    const { exchange, peer, posted, tick } = bench();
    exchange.receive(peer, { type: 'ready' });
    exchange.onEvent(started);
    exchange.detach(peer);
    expect(tick()).toBe(0);
    exchange.onEvent({ task: 't1', type: 'text', text: 'meanwhile' });
    expect([tick(), posted.length]).toEqual([0, 1]);
    exchange.receive(peer, { type: 'ready' });
    expect(posted[1]).toMatchObject({ type: 'replace', state: { items: [{ text: 'meanwhile' }] } });
    exchange.onEvent(started);
    exchange.dispose();
    expect(tick()).toBe(0);
  });
});

describe('what a click may start', () => {
  it('sends the prompt of a starting point that exists', () => {
    const { exchange, peer, asked } = bench();
    exchange.receive(peer, { type: 'pick_starter', id: 'tests' });
    exchange.receive(peer, { type: 'pick_starter', id: 'no such' });
    expect(asked).toEqual([['send', 'Make the failing tests pass.']]);
  });

  it.each([
    [{ type: 'send', text: 'hi' }, ['send', 'hi']],
    [{ type: 'stop' }, ['stop', undefined]],
    [{ type: 'continue' }, ['continueTask', undefined]],
    [{ type: 'open_request', requestId: 'r' }, ['openRequest', 'r']],
    [{ type: 'open_diff', requestId: 'r' }, ['openDiff', 'r']],
    [{ type: 'open_record', callId: 'c' }, ['openRecord', 'c']],
    [{ type: 'open_link', url: 'https://example.com/a' }, ['openLink', 'https://example.com/a']],
    [{ type: 'open_file', path: 'src/date.ts' }, ['openFile', 'src/date.ts']],
    [{ type: 'command', name: 'connect_model' }, ['runCommand', 'connect_model']],
  ])('%j', (message, expected) => {
    const { exchange, peer, asked, desk } = bench();
    exchange.receive(peer, message);
    expect([asked, desk.answers]).toEqual([[expected], []]);
  });
});

describe('the page', () => {
  const parts = { cspSource: 'https://own.example', script: 'https://own.example/chat.js', style: 'https://own.example/chat.css', icons: 'https://own.example/codicon.css', nonce: 'abc', token: '</script><b>' };

  it('allows only its own script by nonce, and no remote content', () => {
    const page = pageOf(parts);
    expect(page).toContain("default-src 'none'; script-src 'nonce-abc'; style-src https://own.example 'nonce-abc'; font-src https://own.example; img-src 'none'");
    expect(page).not.toMatch(/unsafe-inline|unsafe-eval|https:;|\*/);
  });

  it('cannot be broken out of by the token', () => {
    expect(pageOf(parts)).not.toContain('</script><b>');
  });

  it('has a token of 128 bits that differs each time', () => {
    expect(randomHex(16)).toMatch(/^[0-9a-f]{32}$/);
    expect(randomHex(16)).not.toBe(randomHex(16));
  });
});
