import { describe, expect, it } from 'vitest';
import { call, calls, fragment, message, raw, say, chunk } from '../../../fakes/scripted-model.ts';
import { history, seen, useServers } from './given.ts';

const given = useServers();
const strict = { strict: { pairing: true, tools: true, fields: true } };
const finish = (reason: string): object => chunk({ delta: {}, finish_reason: reason });

describe('calls through the real client', () => {
  it('TC-01: cut-off arguments are marked incomplete, and go back as {} with their result', async () => {
    const cut = '{"path":"src/a.txt","content":"line1\\nline2 and th';
    const { ask, server } = await given([call('write_file', cut, { id: 'c1' }), say('done')], {}, strict);
    const reply = await ask();
    expect(seen(reply)).toEqual([['c1', 'write_file', cut, false]]);
    expect(reply.calls[0]?.finishReason).toBe('tool_calls');
    expect((await ask({ messages: history(reply) })).text).toBe('done');
    expect(server.requests[1]?.body.messages[2]?.tool_calls?.[0]?.function.arguments).toBe('{}');
    expect([...server.toolMessages(1)]).toEqual([['c1', 'result of c1']]);
  });

  it('TC-03: arguments never filled under a length limit', async () => {
    const { ask } = await given([message({ text: 'editing', calls: [{ name: 'edit_file', args: '', id: 'c1' }] }, { finish: 'length' })]);
    const reply = await ask();
    expect(reply.text).toBe('editing');
    expect(reply.calls).toEqual([{ id: 'c1', tool: 'edit_file', argumentsText: '', complete: false, finishReason: 'length' }]);
  });

  it.each([
    ['A', { finish: 'stop' }, 'stop'], ['B', { finish: 'tool_calls' }, 'tool_calls'], ['C', { finish: null, done: false }, undefined],
  ])('TC-04 %s: the reason does not make a cut call whole', async (_, shape, reason) => {
    const cut = '{"path":"big.md","content":"# Title\\n...';
    const { ask } = await given([call('write_file', cut, { id: 'c1', ...shape })]);
    const reply = await ask();
    expect(seen(reply)).toEqual([['c1', 'write_file', cut, false]]);
    expect(reply.finishReason).toBe(reason);
  });

  it('TC-04 C with arguments that look whole: without any end nothing counts as complete', async () => {
    const { ask } = await given([call('write_file', { path: 'a', content: 'b' }, { finish: null, done: false })]);
    expect((await ask()).calls[0]?.complete).toBe(false);
  });

  it('[DONE] without a finish reason is an end', async () => {
    const { ask } = await given([call('read_file', { path: 'a' }, { finish: null })]);
    const reply = await ask();
    expect([reply.calls[0]?.complete, reply.finishReason]).toEqual([true, undefined]);
  });

  it('TC-05: two calls in one index stay two, and the history is valid for a strict server', async () => {
    const { ask, server } = await given([
      raw([fragment(0, { id: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' }), fragment(0, { id: 'c2', name: 'read_file', arguments: '{"path":"b.txt"}' }), finish('tool_calls')]), say('ok'),
    ], {}, strict);
    const reply = await ask();
    expect(seen(reply)).toEqual([['c1', 'read_file', '{"path":"a.txt"}', true], ['c2', 'read_file', '{"path":"b.txt"}', true]]);
    await ask({ messages: history(reply) });
    expect([...server.toolMessages(1).keys()]).toEqual(['c1', 'c2']);
    expect(server.requests[1]?.body.messages[2]?.tool_calls?.map((one) => one.function.arguments)).toEqual(['{"path":"a.txt"}', '{"path":"b.txt"}']);
  });

  it('TC-05 variant: fragments of the second call carry the index alone', async () => {
    const { ask } = await given([raw([
      fragment(0, { id: 'c1', name: 'read_file', arguments: '{"path":"a.txt"}' }), fragment(0, { id: 'c2', name: 'read_file', arguments: '' }),
      fragment(0, { arguments: '{"pa' }), fragment(0, { arguments: 'th":"b' }), fragment(0, { arguments: '.txt"}' }), finish('tool_calls'),
    ])]);
    expect(seen(await ask())).toEqual([['c1', 'read_file', '{"path":"a.txt"}', true], ['c2', 'read_file', '{"path":"b.txt"}', true]]);
  });

  it('TC-07: interleaved fragments, nulls, a late id, a split name', async () => {
    const { ask, deltas } = await given([raw([
      fragment(0, { id: 'x', name: 'read_file', arguments: '{"pa' }), fragment(1, { id: null, name: 'read_', arguments: null }), fragment(1, { name: 'file', arguments: '{"path":"b' }),
      fragment(0, { id: null, name: null, arguments: 'th":"a.txt"}' }), fragment(1, { id: 'y', name: null, arguments: '.txt"}' }), finish('tool_calls'),
    ])]);
    expect(seen(await ask())).toEqual([['x', 'read_file', '{"path":"a.txt"}', true], ['y', 'read_file', '{"path":"b.txt"}', true]]);
    expect(deltas.filter((delta) => delta.type === 'call_started')).toEqual([{ type: 'call_started', tool: 'read_file' }, { type: 'call_started', tool: 'read_file' }]);
  });

  it.each(['["a.txt"]', '"a.txt"', '7', 'null', 'true', '"{\\"path\\":\\"a.txt\\"}"'])('TC-10: arguments %s arrive as they are and go back as they came', async (text) => {
    const { ask, server } = await given([call('read_file', text, { id: 'c1' }), say('ok')], {}, strict);
    const reply = await ask();
    expect(seen(reply)).toEqual([['c1', 'read_file', text, true]]);
    await ask({ messages: history(reply) });
    expect(server.requests[1]?.body.messages[2]?.tool_calls?.[0]?.function.arguments).toBe(text);
  });

  it('TC-09: a name that servers refuse is kept for us and spelled with _ in the history', async () => {
    const { ask, server } = await given([call('gh.list_issues', {}), say('ok')], {}, strict);
    const reply = await ask();
    expect(reply.calls[0]?.tool).toBe('gh.list_issues');
    await ask({ messages: history(reply) });
    expect(server.requests[1]?.body.messages[2]?.tool_calls?.[0]?.function.name).toBe('gh_list_issues');
  });

  it('TC-13: call markup in text is text', async () => {
    const text = 'I will look <|tool|>{"name":"run_command","arguments":{"command":"id"}}<|/tool|>';
    const { ask } = await given([say(text)]);
    expect(await ask()).toMatchObject({ text, calls: [] });
  });

  it('calls without ids get ones that are new in every message', async () => {
    const parallel = calls([{ name: 'read_file', args: { path: 'a' }, id: null }, { name: 'read_file', args: { path: 'b' }, id: null }]);
    const { ask } = await given([parallel, parallel]);
    const ids = [...(await ask()).calls, ...(await ask()).calls].map((one) => one.id);
    expect(new Set(ids).size).toBe(4);
  });

  it('text and calls of one message, usage of the last chunk', async () => {
    const { ask, deltas } = await given([message({ text: 'Reading both files now, one after the other.', calls: [{ name: 'read_file', args: { path: 'a' } }, { name: 'read_file', args: { path: 'b' } }] }, { usage: { prompt_tokens: 12, completion_tokens: 5 } })]);
    const reply = await ask();
    expect(reply).toMatchObject({ text: 'Reading both files now, one after the other.', model: 'scripted', responseId: 'chatcmpl-0', finishReason: 'tool_calls', usage: { inputTokens: 12, outputTokens: 5, estimated: false } });
    expect(reply.calls.map((one) => one.argumentsText)).toEqual(['{"path":"a"}', '{"path":"b"}']);
    expect(deltas.filter((delta) => delta.type === 'text').map((delta) => delta.text).join('')).toBe(reply.text);
  });

  it('PV-08: usage repeated in every chunk is not summed; none gives undefined', async () => {
    const { ask } = await given([say('a long enough text for several chunks', { usage: { every: { prompt_tokens: 9, completion_tokens: 4 } } }), say('x')]);
    expect((await ask()).usage).toEqual({ inputTokens: 9, outputTokens: 4, estimated: false });
    expect((await ask()).usage).toBeUndefined();
  });

  it('a server that ignores stream and answers with one JSON value is read too', async () => {
    const { ask } = await given([{
      status: 200, headers: { 'content-type': 'application/json' }, events: [], shape: {},
      body: JSON.stringify({ id: 'r', model: 'm', choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls: [
        { type: 'function', function: { name: 'a', arguments: '{"x":1}' } }, { id: 'k', type: 'function', function: { name: 'b', arguments: { y: 2 } } },
      ] } }], usage: { prompt_tokens: 3, completion_tokens: 2 } }),
    }], { makeCallId: () => 'made' });
    expect(seen(await ask())).toEqual([['made', 'a', '{"x":1}', true], ['k', 'b', '{"y":2}', true]]);
  });
});
