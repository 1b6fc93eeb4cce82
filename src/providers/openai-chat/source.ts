import type OpenAI from 'openai';
import { createAssembler } from '../../core/agent/assemble.ts';
import { isModelError, ModelError, type ModelDelta, type ModelReply, type ModelRequest, type ModelSource } from '../../core/agent/model.ts';
import { adapt } from './adapt.ts';
import { buildBody, type Body, type Dialect } from './body.ts';
import { createClient, readKey, type Fetch } from './client.ts';
import { requireEndpoint } from './endpoint.ts';
import { idleError, readFailure, type Failure, type FailureContext } from './failures.ts';
import { quirksOf, type Quirks } from './quirks.ts';
import { readReply } from './read-reply.ts';
import { startWatch } from './watch.ts';

export interface OpenAiChatOptions {
  /** `https://host/v1`, or http on this machine; see `readEndpoint`. */
  readonly baseUrl: string;
  /** Undefined or empty for a server without keys. Never read from the environment here. */
  readonly apiKey?: string | undefined;
  readonly model: string;
  /** Longest silence of the server, in milliseconds, before the first byte too. */
  readonly idleTimeoutMs: number;
  readonly quirks?: Partial<Quirks> | undefined;
  /** Size of the model's context in tokens, if known: tells an empty answer from one that did not fit. */
  readonly contextTokens?: number | undefined;
  /** Sent only when given. */
  readonly maxOutputTokens?: number | undefined;
  readonly fetch?: Fetch | undefined;
  /** Ids for calls that come without one; must be new each time. */
  readonly makeCallId?: (() => string) | undefined;
}

/** A request is adapted to its server at most this often; see `adapt.ts`. */
const MAX_ADAPTATIONS = 4;
/** From here on, as a share of the context, an empty answer means that the request did not fit. */
const NEAR_LIMIT = 0.9;
/** Characters of a token, guessed low so that the estimate errs high. */
const CHARACTERS_PER_TOKEN = 3;

/**
 * A model behind the OpenAI chat completions interface. Throws `ModelError` when the address, the key or the limit
 * cannot be used. `respond` never retries for load or a lost connection; the loop does.
 */
export function createOpenAiChat(options: OpenAiChatOptions): ModelSource {
  const endpoint = requireEndpoint(options.baseUrl);
  const key = readKey(options.apiKey);
  if (options.model.trim() === '') throw new ModelError('bad_request', 'No model name is set. Set it in the settings of Sluice.');
  if (!(options.idleTimeoutMs > 0)) throw new ModelError('bad_request', 'The idle limit of the model must be more than 0 milliseconds.');
  const context: FailureContext = { host: endpoint.host, model: options.model, key };
  // The watch ends a silent request first; the package's own limit only must not come before it.
  const client = createClient(endpoint, key, options.fetch, Math.min(Math.ceil(options.idleTimeoutMs) * 20 + 1000, 2_147_483_647));
  let dialect: Dialect = { ...quirksOf(options.model, options.quirks), askForUsage: true, streamsReasoning: false };

  const ask: Ask = { client, context, options, learnReasoning: () => { dialect = { ...dialect, streamsReasoning: true }; } };

  async function respond(request: ModelRequest, onDelta: (delta: ModelDelta) => void, signal: AbortSignal): Promise<ModelReply> {
    for (let adaptations = 0; ; adaptations += 1) {
      signal.throwIfAborted();
      const body = buildBody(options.model, request, dialect, options.maxOutputTokens);
      const outcome = await askOnce(ask, body, onDelta, signal);
      if ('reply' in outcome) return outcome.reply;
      const change = adaptations < MAX_ADAPTATIONS ? adapt(outcome, body, dialect) : undefined;
      if (change === undefined) throw outcome.error;
      dialect = { ...dialect, ...change };
    }
  }
  return { id: 'openai-chat', label: options.model, notice: undefined, respond };
}

interface Ask {
  readonly client: OpenAI;
  readonly context: FailureContext;
  readonly options: OpenAiChatOptions;
  readonly learnReasoning: () => void;
}

/** One request. A refusal before the answer is returned, for a chance to adapt; everything else is thrown. */
async function askOnce(ask: Ask, body: Body, onDelta: (delta: ModelDelta) => void, signal: AbortSignal): Promise<{ readonly reply: ModelReply } | Failure> {
  const { context, options } = ask;
  const watch = startWatch(signal, options.idleTimeoutMs);
  try {
    let response: Response;
    try {
      const params = body as unknown as OpenAI.ChatCompletionCreateParamsStreaming;
      response = await watch.until(ask.client.chat.completions.create(params, { signal: watch.signal }).asResponse());
      watch.bytes();
    } catch (caught) {
      if (watch.ended !== undefined || isModelError(caught)) throw caught;
      return readFailure(caught, context);
    }
    const makeCallId = options.makeCallId ?? (() => `call_${crypto.randomUUID()}`);
    const nearLimit = (inputTokens: number | undefined): boolean => {
      const tokens = inputTokens ?? JSON.stringify(body).length / CHARACTERS_PER_TOKEN;
      return options.contextTokens !== undefined && tokens >= options.contextTokens * NEAR_LIMIT;
    };
    const assembler = createAssembler(makeCallId);
    return { reply: await readReply(response, { assembler, watch, context, onDelta, onReasoningContent: ask.learnReasoning, nearLimit }) };
  } catch (caught) {
    if (watch.ended === 'aborted') throw signal.reason;
    if (watch.ended === 'idle') throw idleError(context.host);
    throw caught;
  } finally {
    watch.stop();
  }
}
