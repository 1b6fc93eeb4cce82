import { afterEach } from 'vitest';
import { createOpenAiChat } from '../../../../src/providers/openai-chat/index.ts';
import type { OpenAiChatOptions } from '../../../../src/providers/openai-chat/index.ts';
import { isModelError } from '../../../../src/core/agent/model.ts';
import type { ModelDelta, ModelError, ModelMessage, ModelReply, ModelRequest, ModelSource } from '../../../../src/core/agent/model.ts';
import { startScriptedModel } from '../../../fakes/scripted-model.ts';
import type { Script, ScriptedModel, ScriptedModelOptions } from '../../../fakes/scripted-model.ts';

/** Made by concatenation, so that no scanner takes it for a key. */
export const CANARY = ['sk', 'canary', '4f9a7c21d0e8'].join('-');

export interface Given {
  readonly server: ScriptedModel;
  readonly source: ModelSource;
  ask(request?: Partial<ModelRequest>): Promise<ModelReply>;
  /** Deltas of all requests so far. */
  readonly deltas: readonly ModelDelta[];
}

/** The real client in front of a scripted server, which is closed after the test. Call `useServers()` once a file. */
export function useServers(): (script: Script, options?: Partial<OpenAiChatOptions>, serverOptions?: ScriptedModelOptions) => Promise<Given> {
  const open: ScriptedModel[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  return async (script, options = {}, serverOptions = {}) => {
    const server = await startScriptedModel(script, serverOptions);
    open.push(server);
    const source = createOpenAiChat({ baseUrl: server.baseUrl, apiKey: CANARY, model: 'scripted', idleTimeoutMs: 5000, ...options });
    const deltas: ModelDelta[] = [];
    const ask = (request: Partial<ModelRequest> = {}): Promise<ModelReply> => source.respond(requestOf(request), (delta) => deltas.push(delta), new AbortController().signal);
    return { server, source, ask, deltas };
  };
}

export function requestOf(request: Partial<ModelRequest> = {}): ModelRequest {
  return { system: 'You are a test.', messages: [{ role: 'user', text: 'hello' }], tools: [readFile], ...request };
}

export const readFile = { name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } };

/** The history after a reply: the assistant's message and one result a call. */
export function history(reply: ModelReply): ModelMessage[] {
  return [
    { role: 'user', text: 'hello' }, { role: 'assistant', text: reply.text, calls: reply.calls, reasoning: reply.reasoning },
    ...reply.calls.map((call): ModelMessage => ({ role: 'tool', callId: call.id, text: `result of ${call.id}` })),
  ];
}

/** The ModelError a promise rejects with; anything else fails the test. */
export async function errorOf(promise: Promise<unknown>): Promise<ModelError> {
  const caught = await promise.then((value) => new Error(`it resolved: ${JSON.stringify(value)}`), (error: unknown) => error);
  if (!isModelError(caught)) throw caught;
  return caught;
}

/** What a reply says of its calls. */
export const seen = (reply: ModelReply): unknown[] => reply.calls.map(({ id, tool, argumentsText, complete }) => [id, tool, argumentsText, complete]);
