import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ModelMessage } from '../../../../src/core/agent/model.ts';
import { createOpenAiChat, quirksOf, readEndpoint } from '../../../../src/providers/openai-chat/index.ts';
import { message, say, status } from '../../../fakes/scripted-model.ts';
import { CANARY, errorOf, history, requestOf, useServers } from './given.ts';

const given = useServers();
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('what leaves', () => {
  it('is the request and nothing of this machine', async () => {
    for (const name of ['ORG_ID', 'PROJECT_ID', 'ADMIN_KEY', 'API_KEY', 'WEBHOOK_SECRET']) vi.stubEnv(`OPENAI_${name}`, 'from-env');
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9/v1');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-leak: from-env\nauthorization: Bearer from-env');
    const { ask, server } = await given([say('ok')]);
    await ask();
    const headers = server.requests[0]?.headers ?? {};
    expect(JSON.stringify(headers)).not.toContain('from-env');
    const known = ['accept', 'accept-encoding', 'accept-language', 'authorization', 'connection', 'content-length', 'content-type', 'host', 'sec-fetch-mode', 'transfer-encoding', 'user-agent'];
    expect(Object.keys(headers).filter((name) => !known.includes(name))).toEqual([]);
    expect(headers['user-agent']).toBe('Sluice');
    expect(server.requests[0]?.body).toEqual({
      model: 'scripted', stream: true, stream_options: { include_usage: true },
      messages: [{ role: 'system', content: 'You are a test.' }, { role: 'user', content: 'hello' }],
      tools: [{ type: 'function', function: { name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } } }],
    });
  });

  it('without a key there is no header for it, without tools no list of them', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'from-env');
    const { ask, server } = await given([say('ok')], { apiKey: '' });
    await ask({ tools: [] });
    expect(server.requests[0]?.headers['authorization']).toBeUndefined();
    expect(server.requests[0]?.body).not.toHaveProperty('tools');
  });

  it('writes nothing to the console, also with OPENAI_LOG=debug', async () => {
    vi.stubEnv('OPENAI_LOG', 'debug');
    const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => undefined));
    const { ask } = await given([say('ok'), status(500, {}, 'x')]);
    await ask();
    await errorOf(ask());
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it('lone surrogates become valid text', async () => {
    const { ask, server } = await given([say('ok')]);
    await ask({ messages: [{ role: 'user', text: 'a\ud83db' }] });
    expect(server.requests[0]?.body.messages[1]?.content).toBe('a\ufffdb');
    expect(server.requests[0]?.text).not.toContain('\\ud83d');
  });

  it('a server that refuses stream_options is asked again without, and from then on', async () => {
    const { ask, server } = await given([say('one'), say('two')], {}, { strict: { noStreamOptions: true } });
    expect([(await ask()).text, (await ask()).text]).toEqual(['one', 'two']);
    expect(server.requests.map((request) => 'stream_options' in request.body)).toEqual([true, false, false]);
  });

  it('a server that wants another name for the limit is given it', async () => {
    const { ask, server } = await given((request) => ('max_tokens' in request.body ? status(400, {}, { error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." } }) : say('ok')), { maxOutputTokens: 99 });
    await ask();
    expect(server.requests.map((request) => request.body['max_completion_tokens'])).toEqual([undefined, 99]);
  });

  it('a server that refuses everything is asked a bounded number of times', async () => {
    const { ask, server } = await given(() => status(400, {}, { error: { message: 'stream_options reasoning_content must be max_completion_tokens developer' } }), { maxOutputTokens: 5 });
    expect((await errorOf(ask())).kind).toBe('bad_request');
    expect(server.requests.length).toBeLessThanOrEqual(5);
  });
});

describe('PV-05: reasoning that must go back, or must not', () => {
  const thinking = message({ reasoning: 'plan: read the file', calls: [{ name: 'read_file', args: { path: 'a' }, id: 'c1' }] });

  it('is never answer text', async () => {
    const { ask, deltas } = await given([thinking]);
    const reply = await ask();
    expect([reply.text, reply.reasoning]).toEqual(['', 'plan: read the file']);
    expect(deltas.filter((delta) => delta.type === 'text')).toEqual([]);
    expect(deltas.filter((delta) => delta.type === 'reasoning').map((delta) => delta.text).join('')).toBe('plan: read the file');
  });

  it('goes back unchanged to a server that demands it', async () => {
    const { ask, server } = await given([thinking, say('done')], {}, { strict: { reasoning: 'required', fields: true, pairing: true } });
    expect((await ask({ messages: history(await ask()) })).text).toBe('done');
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.body.messages[2]?.reasoning_content).toBe('plan: read the file');
  });

  it('is left out, after one refusal, for a server that rejects it', async () => {
    const { ask, server } = await given([thinking, say('done'), say('again')], {}, { strict: { reasoning: 'rejected', pairing: true } });
    const messages = history(await ask());
    expect((await ask({ messages })).text).toBe('done');
    expect((await ask({ messages })).text).toBe('again');
    expect(server.requests.map((request) => request.breach === undefined)).toEqual([true, false, true, true]);
  });

  it('is not sent to a model that never streamed it', async () => {
    const { ask, server } = await given([say('ok')]);
    await ask({ messages: history({ text: '', reasoning: 'of another model', calls: [{ id: 'c', tool: 't', argumentsText: '{}', complete: true }], finishReason: undefined, usage: undefined, model: undefined, responseId: undefined }) });
    expect(server.requests[0]?.text).not.toContain('of another model');
  });

  it('after a restart a demand is met, also for a message that had none', async () => {
    const messages: ModelMessage[] = [...history({ text: '', reasoning: undefined, calls: [{ id: 'c', tool: 't', argumentsText: '{}', complete: true }], finishReason: undefined, usage: undefined, model: undefined, responseId: undefined })];
    const { ask, server } = await given([say('ok')], {}, { strict: { reasoning: 'required' } });
    expect((await ask({ messages })).text).toBe('ok');
    expect(server.requests[1]?.body.messages[2]?.reasoning_content).toBe('');
  });

  it('the data knows models whose way is known', () => {
    expect(quirksOf('deepseek/deepseek-reasoner').returnReasoning).toBe('always');
    expect(quirksOf('deepseek-r1:14b').returnReasoning).toBe('never');
    expect(quirksOf('gpt-5-mini')).toEqual({ returnReasoning: 'never', systemRole: 'developer', maxTokensField: 'max_completion_tokens' });
    expect(quirksOf('qwen3-coder', { systemRole: 'developer' })).toEqual({ returnReasoning: 'if_streamed', systemRole: 'developer', maxTokensField: 'max_tokens' });
  });
});

describe('addresses', () => {
  it.each([
    ['https://models.example/v1', 'https://models.example/v1'], ['https://models.example/v1/', 'https://models.example/v1'], ['https://m.example/v1/chat/completions', 'https://m.example/v1'],
    ['http://localhost:11434/v1', 'http://localhost:11434/v1'], ['http://127.0.0.1:1234', 'http://127.0.0.1:1234'], ['http://[::1]:8080/v1', 'http://[::1]:8080/v1'], ['http://0x7f.1/v1', 'http://127.0.0.1/v1'],
    ['https://a.example/openai?api-version=2', 'https://a.example/openai?api-version=2'],
  ])('%s is taken', (text, baseUrl) => {
    expect(readEndpoint(text)).toMatchObject({ baseUrl });
  });

  it.each([
    ['models.example', 'not a web address'], ['ftp://models.example', 'https://'], ['http://models.example/v1', 'https://'], ['http://127.0.0.1.models.example/v1', 'https://'], ['http://192.168.1.4:11434/v1', 'tunnel'],
    [`https://user:${CANARY}@models.example/v1`, 'user name or password'], ['https://models.example/v1#x', '#'],
  ])('%s is refused with what to do', (text, words) => {
    expect(readEndpoint(text)).toEqual({ problem: expect.stringContaining(words) as unknown });
    const start = (): unknown => createOpenAiChat({ baseUrl: text, model: 'm', idleTimeoutMs: 1 });
    expect(start).toThrow(words);
    expect(start).not.toThrow('canary');
  });

  it('a path and a query of the address are kept', async () => {
    const { ask, server } = await given([say('ok')], {});
    await ask();
    const source = createOpenAiChat({ baseUrl: `${server.baseUrl}/deep?api-version=2`, model: 'm', idleTimeoutMs: 1000 });
    await errorOf(source.respond(requestOf(), () => undefined, new AbortController().signal));
    expect(server.requests[1]?.path).toBe('/v1/deep/chat/completions?api-version=2');
  });
});
