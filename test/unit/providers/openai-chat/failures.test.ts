import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createOpenAiChat } from '../../../../src/providers/openai-chat/index.ts';
import { call, chunk, message, raw, resetAfter, say, stall, status } from '../../../fakes/scripted-model.ts';
import { CANARY, errorOf, requestOf, useServers } from './given.ts';

const given = useServers();
const half = message({ text: 'Let me', calls: [{ name: 'read_file', args: { path: 'a.txt' }, id: 'c1' }] });

describe('PV-02: the connection breaks', () => {
  it.each([
    ['before the first chunk', 0], ['in the middle of a call', 4], ['after a whole call, before the end', 5], ['before [DONE]', 6],
  ])('reset %s: connection_lost, nothing of it is a reply; the next request works', async (_, chunks) => {
    const { ask } = await given([resetAfter(half, { chunks }), say('whole')]);
    const error = await errorOf(ask());
    expect([error.kind, error.retryable]).toEqual(['connection_lost', true]);
    expect((await ask()).text).toBe('whole');
  });

  it('reset in the middle of an event', async () => {
    const { ask } = await given([resetAfter(half, { bytes: 333 })]);
    expect((await errorOf(ask())).kind).toBe('connection_lost');
  });

  it('a body that ends in order in the middle of a text', async () => {
    const { ask } = await given([say('only half of', { finish: null, done: false }), raw([chunk({ delta: { content: 'x' } }), '{"choices":[{"delta":{"con'], { done: false })]);
    expect((await errorOf(ask())).kind).toBe('connection_lost');
    expect((await errorOf(ask())).kind).toBe('malformed');
  });

  it('a finish reason and an end in order need no [DONE]', async () => {
    const { ask } = await given([say('all', { done: false })]);
    expect((await ask()).text).toBe('all');
  });

  it.each([['from the start', stall(5000, say('late'))], ['in the middle', say('a text in some chunks, more than one', { stallAfter: { chunks: 2, ms: 5000 } })]])('silence %s: idle, and the socket is closed', async (_, reply) => {
    const { ask, server } = await given([reply], { idleTimeoutMs: 150 });
    const started = performance.now();
    expect((await errorOf(ask())).kind).toBe('idle');
    expect(performance.now() - started).toBeLessThan(2000);
    expect(await server.requests[0]?.over).toBe('closed');
  });

  it('nothing listens: connection_lost, with the host and what to do', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as { port: number };
    probe.close();
    const source = createOpenAiChat({ baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm', idleTimeoutMs: 2000 });
    const error = await errorOf(source.respond(requestOf(), () => undefined, new AbortController().signal));
    expect(error.kind).toBe('connection_lost');
    expect(error.message).toBe(`Nothing answers at 127.0.0.1:${port}. Is the model server running?`);
  });
});

describe('PV-07: 200 that is no answer', () => {
  const empty = raw([{ choices: [], usage: { prompt_tokens: 9000, completion_tokens: 0 } }]);

  it('A: nothing but usage, near the limit: probably too long', async () => {
    const { ask } = await given([empty], { contextTokens: 8000 });
    const error = await errorOf(ask());
    expect(error.kind).toBe('context_exceeded');
    expect(error.message).toContain('context size');
  });

  it('A without usage: the size of the request decides', async () => {
    const { ask } = await given([raw([])], { contextTokens: 8000 });
    expect((await errorOf(ask({ messages: [{ role: 'user', text: 'word '.repeat(9000) }] }))).kind).toBe('context_exceeded');
  });

  it.each([['with an unknown limit', undefined, empty], ['far from it', 100_000, empty], ['with a finish reason', undefined, say('')], ['without any event', undefined, raw([], { done: false })]])('A %s: malformed, never a silent end', async (_, contextTokens, reply) => {
    const { ask } = await given([reply], { contextTokens });
    const error = await errorOf(ask());
    expect([error.kind, error.retryable]).toEqual(['malformed', false]);
    expect(error.message).toContain('context size');
  });

  it('B: an error as an event', async () => {
    const { ask } = await given([
      raw([{ error: { message: 'the context size of 8192 tokens was exceeded' } }]), raw([chunk({ delta: { content: 'x' } }), { error: { message: 'Overloaded', code: 529 } }]),
      raw([{ error: 'something odd' }]), raw([{ error: { message: 'slow down', type: 'rate_limit_error' } }]), raw([{ object: 'error', message: 'maximum context length is 4096', code: 400 }]),
    ]);
    const kinds = [];
    for (let n = 0; n < 5; n += 1) kinds.push((await errorOf(ask())).kind);
    expect(kinds).toEqual(['context_exceeded', 'overloaded', 'bad_request', 'rate_limited', 'context_exceeded']);
  });

  it('C: an error as a JSON body', async () => {
    const { ask } = await given([
      status(200, {}, { error: { message: 'Trying to keep the first 9000 tokens when context overflows', type: 'x' } }), status(200, {}, { error: 'model is not loaded' }),
      status(200, {}, { hello: 1 }), status(200, { 'content-type': 'application/json' }, '{"choices":'), status(200, { 'content-type': 'text/html; charset=utf-8' }, '<html></html>'),
    ]);
    const kinds = [];
    for (let n = 0; n < 5; n += 1) kinds.push((await errorOf(ask())).kind);
    expect(kinds).toEqual(['context_exceeded', 'bad_request', 'malformed', 'malformed', 'malformed']);
  });
});

describe('statuses', () => {
  it.each<[number, string, string, string]>([
    [400, 'messages: bad', 'bad_request', 'refused the request'], [400, "This model's maximum context length is 8192 tokens", 'context_exceeded', 'context size'],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum', 'context_exceeded', 'context size'], [401, 'no', 'unauthorized', 'Sluice: Set API Key'], [403, 'no', 'unauthorized', 'Sluice: Set API Key'],
    [402, 'pay', 'bad_request', 'no credit'], [404, 'model scripted not found', 'not_found', 'no model "scripted"'], [413, 'large', 'context_exceeded', 'context size'], [422, 'odd', 'bad_request', 'refused'],
    [429, 'slow', 'rate_limited', 'asks to wait'], [500, 'boom', 'overloaded', '(500)'], [503, 'busy', 'overloaded', '(503)'], [529, 'busy', 'overloaded', '(529)'],
  ])('%i "%s" is %s', async (code, said, kind, words) => {
    const { ask, server } = await given([status(code, {}, { error: { message: said } })]);
    const error = await errorOf(ask());
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(words);
    expect(error.message).toContain(new URL(server.baseUrl).host);
    expect(server.requests).toHaveLength(1);
  });

  it('429: Retry-After in seconds, as a date, and in milliseconds', async () => {
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 30_000).toUTCString();
    const { ask, server } = await given([
      status(429, { 'Retry-After': '7' }), status(429, { 'Retry-After': date }), status(429, { 'retry-after-ms': '250', 'Retry-After': '1' }), status(429, { 'Retry-After': 'soon' }),
      status(429, { 'Retry-After': '999999999999' }), status(429, { 'Retry-After': 'Wed, 21 Oct 2015 07:28:00 GMT' }), status(503, { 'Retry-After': '2' }), status(429),
    ]);
    const waits: (number | undefined)[] = [];
    for (let n = 0; n < 8; n += 1) waits.push((await errorOf(ask())).retryAfterMs);
    const [seconds, fromDate, ms, ...rest] = waits;
    expect([seconds, ms, ...rest]).toEqual([7000, 250, undefined, 86_400_000, 0, 2000, undefined]);
    expect(fromDate).toBeGreaterThan(25_000);
    expect(fromDate).toBeLessThanOrEqual(31_000);
    expect(server.requests).toHaveLength(8);
  });

  it('a quota that is used up is not worth a retry', async () => {
    const { ask } = await given([status(429, {}, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } })]);
    expect((await errorOf(ask())).retryable).toBe(false);
  });

  it('a redirect is not followed: the conversation goes to no other place', async () => {
    const other = await given([say('stolen')]);
    const { ask } = await given([status(307, { location: `${other.server.baseUrl}/chat/completions` })]);
    const error = await errorOf(ask());
    expect(error.kind).toBe('bad_request');
    expect(error.message).toContain('points to another address');
    expect(other.server.requests).toHaveLength(0);
  });
});

describe('AU-04: secrets stay out of error texts', () => {
  const basic = ['user', 'pass-canary'].join(':');
  const echo = `Authorization: Bearer ${CANARY} is wrong; url https://${basic}@proxy.example/; part ${CANARY.slice(3, 14)}`;

  it.each([400, 401, 403, 404, 429, 500])('status %i with an echo of the header', async (code) => {
    const { ask } = await given([status(code, {}, { error: { message: echo } }), status(code, {}, echo), status(code, {}, { [CANARY]: echo, error: { code: CANARY } })]);
    for (let n = 0; n < 3; n += 1) {
      const error = await errorOf(ask());
      const everything = `${error.message}\n${error.stack ?? ''}\n${JSON.stringify(error)}\n${String(error.cause)}`;
      expect(everything).not.toMatch(/canary|4f9a7c|pass-canary|bearer sk/i);
    }
  });

  it('errors inside a stream, and a key that no header can carry', async () => {
    const { ask } = await given([raw([{ error: { message: echo, type: CANARY } }])]);
    expect((await errorOf(ask())).message).not.toMatch(/canary/);
    const start = (): unknown => createOpenAiChat({ baseUrl: 'https://models.example/v1', apiKey: `${CANARY}\n${CANARY}`, model: 'm', idleTimeoutMs: 1 });
    expect(start).toThrow(/Set it again with the command Sluice: Set API Key/);
    expect(start).not.toThrow(/canary/);
  });

  it('the words of a server are one bounded line', async () => {
    const { ask } = await given([status(400, {}, { error: { message: `a\n\u001b[31mb\u202e${'long '.repeat(1000)}` } })]);
    const { message } = await errorOf(ask());
    expect(message.length).toBeLessThan(500);
    expect(message).not.toMatch(/\p{C}/u);
  });

  it('the key goes out once, as the header, and is in no body', async () => {
    const { ask, server } = await given([call('read_file', {})], {}, { key: CANARY });
    await ask();
    expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${CANARY}`);
    expect(server.requests[0]?.text).not.toContain(CANARY);
  });
});
