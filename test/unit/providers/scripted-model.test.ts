import { afterEach, describe, expect, it } from 'vitest';
import { say, startScriptedModel } from '../../fakes/scripted-model.ts';
import type { ScriptedModel, StrictRules } from '../../fakes/scripted-model.ts';

/** The fake must itself be able to say no: a strict server that passes everything proves nothing. */
let server: ScriptedModel | undefined;
afterEach(() => server?.close());

const call = (id: string, args = '{}', name = 't'): object => ({ id, type: 'function', function: { name, arguments: args } });
const assistant = (...calls: object[]): object => ({ role: 'assistant', content: null, tool_calls: calls });
const result = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'r' });
const tool = (parameters: unknown): object => ({ type: 'function', function: { name: 't', parameters } });

async function post(body: object, rules: StrictRules): Promise<{ status: number; text: string }> {
  server = await startScriptedModel([say('ok')], { strict: rules });
  const response = await fetch(`${server.baseUrl}/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

describe('the scripted server in strict mode', () => {
  it.each<[string, object, StrictRules, string]>([
    ['a call without a result', { messages: [assistant(call('a'), call('b')), result('a')] }, { pairing: true }, 'No tool message answers: b'],
    ['a call answered only after another message', { messages: [assistant(call('a')), { role: 'user', content: 'x' }, result('a')] }, { pairing: true }, 'No tool message answers: a'],
    ['a result without a call', { messages: [result('a')] }, { pairing: true }, 'no call right before'],
    ['two results for one call', { messages: [assistant(call('a')), result('a'), result('a')] }, { pairing: true }, 'no call right before'],
    ['an id used twice', { messages: [assistant(call('a')), result('a'), assistant(call('a')), result('a')] }, { pairing: true }, 'Duplicate'],
    ['broken arguments', { messages: [assistant(call('a', '{"x')), result('a')] }, { pairing: true }, 'not JSON'],
    ['a bad name', { messages: [assistant(call('a', '{}', 'a.b')), result('a')] }, { pairing: true }, 'Invalid function name'],
    ['parameters that are no object schema', { messages: [], tools: [tool({ type: 'string' })] }, { tools: true }, 'Invalid schema'],
    ['parameters without properties', { messages: [], tools: [tool({ type: 'object' })] }, { tools: true }, 'Invalid schema'],
    ['an empty list of tools', { messages: [], tools: [] }, { tools: true }, 'not empty'],
    ['an unknown field', { messages: [], extra: 1 }, { fields: true }, 'Unrecognized request argument supplied: extra'],
    ['missing reasoning', { messages: [assistant(call('a'))] }, { reasoning: 'required' }, 'must be passed back'],
    ['reasoning', { messages: [{ ...assistant(call('a')), reasoning_content: 'x' }] }, { reasoning: 'rejected' }, 'reasoning_content'],
    ['no messages', {}, {}, "'messages' is missing"],
  ])('refuses %s', async (_, body, rules, words) => {
    const { status, text } = await post(body, rules);
    expect(status).toBe(400);
    expect(text).toContain(words);
    expect(server?.requests[0]?.breach).toContain(words);
  });

  it('passes a history in order, and says when the script is used up', async () => {
    const { status, text } = await post({ messages: [assistant(call('a'), call('b')), result('b'), result('a')] }, { pairing: true });
    expect([status, text.includes('[DONE]')]).toEqual([200, true]);
    const again = await fetch(`${server?.baseUrl}/chat/completions`, { method: 'POST', body: '{"messages":[]}' });
    expect([again.status, await again.text()]).toEqual([500, expect.stringContaining('no reply 1')]);
  });

  it('answers other paths with 404 and closes while a reply stalls', async () => {
    server = await startScriptedModel([say('late', { stallAfter: { chunks: 1, ms: 60_000 } })]);
    expect((await fetch(`${server.baseUrl}/models`)).status).toBe(404);
    const response = await fetch(`${server.baseUrl}/chat/completions`, { method: 'POST', body: '{"messages":[]}' });
    const started = performance.now();
    const body = response.text().catch(() => 'broken');
    await server.close();
    expect(await body).toBe('broken');
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
