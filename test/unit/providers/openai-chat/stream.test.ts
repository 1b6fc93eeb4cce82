import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isModelError } from '../../../../src/core/agent/model.ts';
import { EventDecoder } from '../../../../src/providers/openai-chat/sse.ts';
import { readChunk } from '../../../../src/providers/openai-chat/chunks.ts';
import { call, chunk, encode, raw, say } from '../../../fakes/scripted-model.ts';
import type { Reply, Shape } from '../../../fakes/scripted-model.ts';
import { errorOf, seen, useServers } from './given.ts';

const given = useServers();
const args = { path: 'é/名前😀.txt', content: 'naïve — 日本語 👩‍👩‍👧' };
const expected = [['c1', 'write_file', JSON.stringify(args), true]];
const reply = (shape: Shape = {}): Reply => call('write_file', args, { id: 'c1', fragments: 5, ...shape });

function bytesOf(one: Reply): Buffer {
  return Buffer.concat(encode(one, 0, 'm').flatMap((step) => ('write' in step ? [step.write] : [])));
}

describe('PV-01: bytes cut anywhere', () => {
  it.each<[string, Shape]>([
    ['one byte a write', { split: 'byte' }], ['one byte a write, CRLF', { split: 'byte', eol: '\r\n' }], ['one byte a write, CR', { split: 'byte', eol: '\r' }],
    ['comments', { comments: true, split: 'byte' }], ['comments and CRLF', { comments: true, eol: '\r\n' }], ['CRLF', { eol: '\r\n' }],
  ])('over HTTP, %s: file name and text are exact', async (_, shape) => {
    const { ask } = await given([reply(shape)]);
    expect(seen(await ask())).toEqual(expected);
  });

  it('over HTTP, every split position', async () => {
    const length = bytesOf(reply({ eol: '\r\n' })).length;
    const { ask, server } = await given((_, n) => reply({ eol: '\r\n', split: [n + 1] }));
    for (let position = 1; position < length; position += 1) {
      const got = await ask();
      if (JSON.stringify(seen(got)) !== JSON.stringify(expected)) expect.fail(`split at byte ${position}: ${JSON.stringify(seen(got))}`);
    }
    expect(length).toBeGreaterThan(500);
    expect(server.requests.length).toBe(length - 1);
  }, 60_000);

  it.each(['\n', '\r\n', '\r'] as const)('the decoder alone, every two split positions, line end %j', (eol) => {
    const bytes = Buffer.from(`: ping${eol}${eol}event: x${eol}data: é名😀${eol}data:b${eol}${eol}id: 3${eol}data: [DONE]${eol}${eol}`);
    const wanted = [{ event: 'x', data: 'é名😀\nb', last: false }, { event: '', data: '[DONE]', last: false }];
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 1) {
        const decoder = new EventDecoder('host');
        const events = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)].flatMap((part) => decoder.push(part));
        expect([...events, ...decoder.end()]).toEqual(wanted);
      }
    }
  });

  it('bytes that are not UTF-8 are an error, not a replacement mark', async () => {
    const { ask } = await given([raw([chunk({ delta: { content: 'a' } })])], {
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const bytes = Buffer.concat([Buffer.from(await response.arrayBuffer()), Buffer.from('data: {"choices":[{"delta":{"content":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}}]}\n\n')]);
        return new Response(bytes.subarray(bytes.indexOf('[DONE]') + 8), { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    expect((await errorOf(ask())).kind).toBe('malformed');
  });

  it('an event without end is refused before it fills the memory', () => {
    const decoder = new EventDecoder('host');
    const megabyte = Buffer.alloc(1_000_000, 'x');
    const push = (): void => { for (let n = 0; n < 9; n += 1) decoder.push(megabyte); };
    expect(push).toThrow(/more than 8000000 characters/);
  });

  it('comments alone never add up to a limit', () => {
    const decoder = new EventDecoder('host');
    const comment = Buffer.from(`:${'x'.repeat(999_990)}\n`);
    for (let n = 0; n < 20; n += 1) expect(decoder.push(comment)).toEqual([]);
  });
});

describe('PV-04: chunks of odd shapes', () => {
  it('empty choices, a choice without delta, usage last', async () => {
    const { ask } = await given([raw([
      { choices: [], prompt_filter_results: [{ prompt_index: 0 }] }, chunk({ delta: { role: 'assistant', content: null } }), chunk({ delta: { content: 'one ' } }),
      chunk({ finish_reason: null, content_filter_results: {} }), chunk({ delta: null }), chunk({ delta: { content: 'two', tool_calls: null } }), chunk({ delta: {}, finish_reason: 'stop' }),
      { choices: [], usage: { prompt_tokens: 4, completion_tokens: 2 } }, 'null', '[]', '7', { choices: null }, { choices: [null] },
    ])]);
    expect(await ask()).toMatchObject({ text: 'one two', finishReason: 'stop', usage: { inputTokens: 4, outputTokens: 2, estimated: false } });
  });

  it('a content filter is told as such and not as worth a retry', async () => {
    const { ask } = await given([say('half an ans', { finish: 'content_filter' })]);
    const error = await errorOf(ask());
    expect([error.kind, error.retryable]).toEqual(['content_filter', false]);
    expect(error.message).toContain('content filter');
  });

  it('answers of other choices are passed over', async () => {
    const { ask } = await given([raw([{ choices: [{ index: 1, delta: { content: 'no' } }, { index: 0, delta: { content: 'yes' } }] }, chunk({ delta: {}, finish_reason: 'stop' })])]);
    expect((await ask()).text).toBe('yes');
  });

  it('fuzz: a chunk with any part missing, null or of another type never throws out of the reader', () => {
    const odd = fc.oneof(fc.constantFrom(undefined, null, '', 0, [], {}, 'x', true), fc.jsonValue());
    const entry = fc.oneof(odd, fc.record({ index: odd, id: odd, function: fc.oneof(odd, fc.record({ name: odd, arguments: odd }, { requiredKeys: [] })) }, { requiredKeys: [] }));
    const delta = fc.oneof(odd, fc.record({ role: odd, content: odd, reasoning_content: odd, reasoning: odd, refusal: odd, tool_calls: fc.oneof(odd, fc.array(entry, { maxLength: 3 })) }, { requiredKeys: [] }));
    const choice = fc.oneof(odd, fc.record({ index: odd, delta, message: delta, finish_reason: odd }, { requiredKeys: [] }));
    const any = fc.oneof(odd, fc.record({ id: odd, model: odd, object: odd, choices: fc.oneof(odd, fc.array(choice, { maxLength: 3 })), usage: fc.oneof(odd, fc.record({ prompt_tokens: odd, completion_tokens: odd }, { requiredKeys: [] })), error: odd }, { requiredKeys: [] }));
    fc.assert(fc.property(any, (value) => {
      const read = readChunk(value);
      for (const one of read.deltas) {
        if (one.type === 'text' || one.type === 'reasoning') expect(typeof one.text).toBe('string');
        if (one.type === 'usage') expect(one.usage.inputTokens).toBeGreaterThanOrEqual(0);
      }
    }), { numRuns: 10_000 });
  });

  it('fuzz over HTTP: whatever the chunks, a reply or a ModelError', async () => {
    const { ask } = await given((request) => raw(JSON.parse((request.body.messages[1]?.content ?? '[]')) as object[]));
    const part = fc.constantFrom<unknown>(null, {}, [], 'x', 3, { delta: {} }, { delta: { content: 'a' } }, { delta: { tool_calls: [{}] } }, { delta: { tool_calls: [{ index: 0, function: { name: 't', arguments: '{' } }] } }, { finish_reason: 'stop' });
    await fc.assert(fc.asyncProperty(fc.array(fc.record({ choices: fc.oneof(fc.constant(null), fc.array(part, { maxLength: 2 })) }, { requiredKeys: [] }), { maxLength: 5 }), async (chunks) => {
      const outcome = await ask({ messages: [{ role: 'user', text: JSON.stringify(chunks) }] }).then((value) => value.calls.every((one) => !one.complete), isModelError);
      expect(outcome).toBe(true);
    }), { numRuns: 200 });
  }, 60_000);

  it('text that is not JSON is malformed, and said so', async () => {
    const { ask } = await given([raw([chunk({ delta: { content: 'a' } }), '{oops', chunk({ delta: {}, finish_reason: 'stop' })])]);
    expect((await errorOf(ask())).kind).toBe('malformed');
  });
});
