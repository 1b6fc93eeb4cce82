import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { call, say, stall, status } from '../../../fakes/scripted-model.ts';
import type { Reply } from '../../../fakes/scripted-model.ts';
import { errorOf, requestOf, useServers } from './given.ts';

const given = useServers();
const stalled = say('a text that stops after a while and goes on late', { stallAfter: { chunks: 2, ms: 10_000 } });

/** Timers of this process that would still fire. */
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('abort', () => {
  it.each<[string, Reply]>([['before the first byte', stall(10_000)], ['in the middle of the stream', stalled], ['while an error body is read', { ...status(500, {}, 'x'), shape: { stallAfter: { chunks: 0, ms: 10_000 } } }]])('%s: ends at once with the reason, closes the socket', async (_, reply) => {
    const { source, server } = await given([reply]);
    const controller = new AbortController();
    const reason = new Error('stopped by the person');
    const running = source.respond(requestOf(), () => undefined, controller.signal);
    const settled = running.catch((error: unknown) => error);
    await expect.poll(() => server.requests.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const started = performance.now();
    controller.abort(reason);
    expect(await settled).toBe(reason);
    expect(performance.now() - started).toBeLessThan(500);
    expect(await server.requests[0]?.over).toBe('closed');
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('from inside a delta', async () => {
    const { source } = await given([stalled]);
    const controller = new AbortController();
    const settled = source.respond(requestOf(), () => controller.abort(), controller.signal).catch((error: unknown) => error);
    expect(await settled).toBe(controller.signal.reason);
  });

  it('beforehand: nothing is sent', async () => {
    const { source, server } = await given([say('x')]);
    await expect(source.respond(requestOf(), () => undefined, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
    expect(server.requests).toHaveLength(0);
  });

  it('leaves no listener and no timer, however a request ends', async () => {
    const { source } = await given([say('ok'), status(500), call('t', '{"a'), say('x', { resetAfter: { chunks: 1 } }), say('')]);
    const controller = new AbortController();
    await source.respond(requestOf(), () => undefined, controller.signal);
    const before = timers();
    for (let n = 0; n < 4; n += 1) {
      await source.respond(requestOf(), () => undefined, controller.signal).catch(() => undefined);
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    }
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('a delta that throws is not taken for a lost connection', async () => {
    const { source, server } = await given([stalled]);
    const thrown = new RangeError('the view broke');
    await expect(source.respond(requestOf(), () => { throw thrown; }, new AbortController().signal)).rejects.toBe(thrown);
    expect(await server.requests[0]?.over).toBe('closed');
  });

  it('a server that only pings is idle in the end', async () => {
    const pings: Reply = { status: 200, headers: { 'content-type': 'text/event-stream' }, events: [], body: ':\n'.repeat(200), shape: { split: Array.from({ length: 200 }, (_, n) => n * 2) } };
    const { source } = await given([pings], {
      idleTimeoutMs: 300,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const slow = new TransformStream<Uint8Array, Uint8Array>({
          transform: async (bytes, controller) => {
            for (const byte of bytes) {
              controller.enqueue(Uint8Array.of(byte));
              await new Promise((resolve) => setTimeout(resolve, 20));
            }
          },
        });
        return new Response(response.body?.pipeThrough(slow) ?? null, { headers: response.headers });
      },
    });
    const started = performance.now();
    expect((await errorOf(source.respond(requestOf(), () => undefined, new AbortController().signal))).kind).toBe('idle');
    expect(performance.now() - started).toBeGreaterThan(500);
  });
});
