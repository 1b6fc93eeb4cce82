import { describe, expect, it } from 'vitest';
import { MESSAGE_LIMITS, createAssembler } from '../../../../src/core/agent/assemble.ts';
import type { CallFragment, StreamDelta, StreamEnd } from '../../../../src/core/agent/assemble.ts';
import { isModelError } from '../../../../src/core/agent/model.ts';
import type { ModelReply } from '../../../../src/core/agent/model.ts';

const call = (fragment: CallFragment): StreamDelta => ({ type: 'call', fragment });

function assemble(deltas: readonly StreamDelta[], end: StreamEnd = 'in_order'): ModelReply {
  const assembler = createAssembler((n) => `made_${n}`);
  for (const delta of deltas) assembler.push(delta);
  return assembler.finish(end);
}

const seen = (reply: ModelReply): unknown[] => reply.calls.map(({ id, tool, argumentsText, complete }) => [id, tool, argumentsText, complete]);

describe('text, reasoning, usage', () => {
  it('joins pieces, keeps the last usage (PV-08) and the finish reason verbatim', () => {
    const reply = assemble([
      { type: 'response', id: 'r1', model: 'm' }, { type: 'reasoning', text: 'pl' }, { type: 'reasoning', text: 'an' },
      { type: 'text', text: 'a\ud83d' }, { type: 'text', text: '\ude00b' },
      { type: 'usage', usage: { inputTokens: 10, outputTokens: 1, estimated: false } },
      { type: 'usage', usage: { inputTokens: 10, outputTokens: 7, estimated: false } },
      { type: 'finish', reason: '' }, { type: 'finish', reason: 'Stop_Odd' }, { type: 'finish', reason: '' },
    ]);
    expect(reply).toEqual({
      text: 'a😀b', reasoning: 'plan', calls: [], finishReason: 'Stop_Odd', usage: { inputTokens: 10, outputTokens: 7, estimated: false }, model: 'm', responseId: 'r1',
    });
  });

  it('shows text as it comes and a call once its name is whole', () => {
    const assembler = createAssembler(() => 'x');
    expect(assembler.push({ type: 'text', text: 'hi' })).toEqual([{ type: 'text', text: 'hi' }]);
    expect(assembler.push({ type: 'text', text: '' })).toEqual([]);
    expect(assembler.push(call({ index: 0, id: 'a', name: 'read_' }))).toEqual([]);
    expect(assembler.push(call({ index: 0, name: 'file', arguments: '{' }))).toEqual([{ type: 'call_started', tool: 'read_file' }]);
    expect(assembler.push(call({ index: 0, arguments: '}' }))).toEqual([]);
  });
});

describe('which fragments belong together', () => {
  it('TC-05: a new id at a used index opens a new call', () => {
    const reply = assemble([
      call({ index: 0, id: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' }), call({ index: 0, id: 'c2', name: 'read_file', arguments: '{"path":"b.txt"}' }),
    ]);
    expect(seen(reply)).toEqual([['c1', 'read_file', '{"path":"a.txt"}', true], ['c2', 'read_file', '{"path":"b.txt"}', true]]);
  });

  it('TC-05 variant: the second call goes on with the index alone', () => {
    const reply = assemble([
      call({ index: 0, id: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' }), call({ index: 0, id: 'c2', name: 'read_file', arguments: '' }),
      call({ index: 0, arguments: '{"pa' }), call({ index: 0, arguments: 'th":"b' }), call({ index: 0, id: null, name: null, arguments: '.txt"}' }),
    ]);
    expect(seen(reply)).toEqual([['c1', 'read_file', '{"path":"a.txt"}', true], ['c2', 'read_file', '{"path":"b.txt"}', true]]);
  });

  it('TC-05: a name after whole JSON opens a new call, with ids made up and distinct', () => {
    const reply = assemble([call({ index: 0, name: 'a', arguments: '{"x":1}' }), call({ index: 0, name: 'b', arguments: '{"y":' }), call({ index: 0, arguments: '2}' })]);
    expect(seen(reply)).toEqual([['made_0', 'a', '{"x":1}', true], ['made_1', 'b', '{"y":2}', true]]);
  });

  it('two unfinished calls of one index and a fragment without id: neither is complete', () => {
    const reply = assemble([call({ index: 0, id: 'c1', name: 'a', arguments: '{' }), call({ index: 0, id: 'c2', name: 'b', arguments: '{' }), call({ index: 0, arguments: '}' })]);
    expect(reply.calls.map((one) => one.complete)).toEqual([false, false]);
  });

  it('a fragment after every call of its index is whole spoils all of them', () => {
    const reply = assemble([call({ index: 0, id: 'c1', name: 'a', arguments: '{}' }), call({ index: 0, id: 'c2', name: 'b', arguments: '{}' }), call({ index: 0, arguments: '{"x":1}' })]);
    expect(reply.calls.map((one) => one.complete)).toEqual([false, false]);
  });

  it('another name in the middle of arguments cannot be told apart', () => {
    const reply = assemble([call({ index: 0, id: 'c1', name: 'a', arguments: '{"p":"' }), call({ index: 0, name: 'b', arguments: '"}' })]);
    expect(reply.calls.map((one) => one.complete)).toEqual([false, false]);
  });

  it('TC-07: routes by index, not by what came last', () => {
    const reply = assemble([
      call({ index: 0, id: 'x', name: 'read_file', arguments: '{"pa' }), call({ index: 1, id: 'y', name: 'read_file', arguments: '{"path":"b' }),
      call({ index: 0, arguments: 'th":"a.txt"}' }), call({ index: 1, arguments: '.txt"}' }),
    ]);
    expect(seen(reply)).toEqual([['x', 'read_file', '{"path":"a.txt"}', true], ['y', 'read_file', '{"path":"b.txt"}', true]]);
  });

  it('TC-07 variant: the id comes last, the name in two pieces', () => {
    const reply = assemble([
      call({ index: 0, name: 'read_', arguments: null }), call({ index: 0, name: 'file', arguments: '{"pa' }), call({ index: 0, name: null, arguments: 'th":"a"' }), call({ index: 0, id: 'late', arguments: '}' }),
    ]);
    expect(seen(reply)).toEqual([['late', 'read_file', '{"path":"a"}', true]]);
  });

  it('a name or an id repeated in every fragment changes nothing', () => {
    const reply = assemble(['{"a"', ':', '1}', ''].map((text) => call({ index: 0, id: 'c', name: 'read', arguments: text })));
    expect(seen(reply)).toEqual([['c', 'read', '{"a":1}', true]]);
  });

  it('calls without an index are told apart by id', () => {
    const reply = assemble([call({ id: 'a', name: 't', arguments: '{"n":' }), call({ id: 'b', name: 't', arguments: '{"n":2}' }), call({ id: 'a', arguments: '1}' })]);
    expect(seen(reply)).toEqual([['a', 't', '{"n":1}', true], ['b', 't', '{"n":2}', true]]);
  });

  it('an id used twice in a message: the later call gets a new one', () => {
    const reply = assemble([call({ index: 0, id: 'same', name: 'a', arguments: '{}' }), call({ index: 1, id: 'same', name: 'b', arguments: '{"x":1}' }), call({ index: 2, id: 'made_1', name: 'c', arguments: '{}' })]);
    expect(reply.calls.map((one) => one.id)).toEqual(['same', 'made_1_2', 'made_1']);
    expect(reply.calls.map((one) => one.complete)).toEqual([true, true, true]);
  });

  it('an id that turns up under another index without a name is not guessed at', () => {
    const reply = assemble([call({ index: 0, id: 'c', name: 'a', arguments: '{"x":1}' }), call({ index: 1, id: 'c', arguments: '{"y":1}' })]);
    expect(reply.calls.map((one) => one.complete)).toEqual([false, false]);
  });
});

describe('which calls are complete', () => {
  it.each([
    ['TC-01 inside a string', '{"path":"src/a.txt","content":"line1\nline2 and th'], ['TC-03 nothing', ''], ['blank', ' \n'], ['trailing text', '{"a":1} and'], ['two values', '{"a":1}{"b":2}'],
    ['single quotes', "{'a':1}"], ['trailing comma', '{"a":1,}'], ['raw line break', '{"a":"x\ny"}'],
  ])('%s: incomplete', (_, text) => {
    for (const reason of ['stop', 'tool_calls', 'length']) {
      const reply = assemble([call({ index: 0, id: 'c', name: 'write_file', arguments: text }), { type: 'finish', reason }]);
      expect(reply.calls).toEqual([{ id: 'c', tool: 'write_file', argumentsText: text, complete: false, finishReason: reason }]);
    }
  });

  it.each(['["a.txt"]', '"a.txt"', '7', 'null', 'true', '"{\\"path\\":\\"a.txt\\"}"', ' {"a":1} '])('TC-10: %s is a whole value; the schema judges it', (text) => {
    for (const pieces of [[text], Array.from(text)]) {
      const reply = assemble([call({ index: 0, id: 'c', name: 't' }), ...pieces.map((piece) => call({ index: 0, arguments: piece }))]);
      expect(seen(reply)).toEqual([['c', 't', text, true]]);
    }
  });

  it('TC-03: an empty object counts as cut off under a length limit only', () => {
    const of = (reason: string): boolean | undefined => assemble([call({ index: 0, id: 'c', name: 't', arguments: '{ }' }), { type: 'finish', reason }]).calls[0]?.complete;
    expect([of('length'), of('max_tokens'), of('stop')]).toEqual([false, false, true]);
  });

  it('a call without a name is incomplete', () => {
    expect(seen(assemble([call({ index: 0, id: 'c', arguments: '{"a":1}' })]))).toEqual([['c', '', '{"a":1}', false]]);
  });

  it('TC-04 C: no call of a stream that was cut is complete', () => {
    const reply = assemble([call({ index: 0, id: 'c', name: 't', arguments: '{"a":1}' })], 'cut');
    expect(reply.calls[0]?.complete).toBe(false);
    expect(reply.finishReason).toBeUndefined();
  });
});

describe('limits', () => {
  it.each<[string, (push: (delta: StreamDelta) => void) => void]>([
    ['calls', (push) => { for (let n = 0; n <= MESSAGE_LIMITS.calls; n += 1) push(call({ index: n, id: `c${n}`, name: 't' })); }],
    ['arguments', (push) => { for (let n = 0; n <= 10; n += 1) push(call({ index: 0, name: n === 0 ? 't' : null, arguments: `"${'x'.repeat(MESSAGE_LIMITS.argumentsLength / 10)}` })); }],
    ['arguments together', (push) => { for (let n = 0; n < 9; n += 1) push(call({ index: n, name: 't', arguments: 'x'.repeat(MESSAGE_LIMITS.argumentsLength) })); }],
    ['names', (push) => { for (let n = 0; n < 300; n += 1) push(call({ index: 0, name: String.fromCharCode(97 + (n % 2)) })); }],
    ['ids', (push) => push(call({ index: 0, id: 'x'.repeat(257) }))],
    ['text', (push) => { for (let n = 0; n <= 4; n += 1) push({ type: 'text', text: 'x'.repeat(MESSAGE_LIMITS.textLength / 4) }); }],
    ['reasoning', (push) => push({ type: 'reasoning', text: 'x'.repeat(MESSAGE_LIMITS.reasoningLength + 1) })],
  ])('%s beyond the limit are refused as malformed', (_, fill) => {
    const assembler = createAssembler((n) => `m${n}`);
    let caught: unknown;
    try {
      fill((delta) => void assembler.push(delta));
    } catch (error) {
      caught = error;
    }
    expect(isModelError(caught) && caught.kind).toBe('malformed');
    expect(String(caught)).toContain('Nothing of it was run');
  });

  it('a megabyte in single characters, the name repeated each time, takes no more than a moment', () => {
    const assembler = createAssembler((n) => `m${n}`);
    const text = `{"content":"${'x'.repeat(900_000)}"}`;
    const started = performance.now();
    for (const character of text) assembler.push(call({ index: 0, id: 'c', name: 'write_file', arguments: character }));
    expect(assembler.finish('in_order').calls[0]).toMatchObject({ argumentsText: text, complete: true });
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
