import type { Assembler } from '../../core/agent/assemble.ts';
import { ModelError } from '../../core/agent/model.ts';
import type { ModelDelta, ModelReply } from '../../core/agent/model.ts';
import { readChunk } from './chunks.ts';
import { readBounded } from './client.ts';
import type { FailureContext } from './failures.ts';
import { connectionError, inStreamError } from './failures.ts';
import { EventDecoder } from './sse.ts';
import type { ServerEvent } from './sse.ts';
import type { Watch } from './watch.ts';

/** What reading one answer needs. */
export interface Reading {
  readonly assembler: Assembler;
  readonly watch: Watch;
  readonly context: FailureContext;
  readonly onDelta: (delta: ModelDelta) => void;
  /** The model streamed `reasoning_content`. */
  readonly onReasoningContent: () => void;
  /** Whether the request was so long that an empty answer means that it did not fit. */
  readonly nearLimit: (inputTokens: number | undefined) => boolean;
}

/** Bytes of an answer that comes as one JSON value. */
const MAX_JSON_BODY = 16_000_000;
/** How long the end of the body may lag behind `[DONE]` before the connection is closed instead of kept. */
const LAG_MS = 50;

/**
 * Reads one answer with status 200. The message is over when `[DONE]` came, or when the body ended in order after a
 * finish reason. A body that broke off gives `connection_lost`, whatever came before. A body that ended in order but
 * in the middle of the message gives the calls, all incomplete, so that the model hears of it; without a call it is
 * `connection_lost` too. An answer without text, reasoning and calls is an error, never an end.
 */
export async function readReply(response: Response, reading: Reading): Promise<ModelReply> {
  const type = response.headers.get('content-type') ?? '';
  const { host } = reading.context;
  if (/\bhtml\b/i.test(type)) {
    throw new ModelError('malformed', `The address ${host} answered with a web page, not with a model's answer. Check the model address in the settings.`);
  }
  const inOrder = /\bapplication\/(problem\+)?json\b/i.test(type) ? await readWhole(response, reading) : await readStream(response, reading);
  const { assembler } = reading;
  if (assembler.finishReason === 'content_filter') {
    throw new ModelError('content_filter', `The content filter at ${host} ended the answer. Say it in other words, or use another model.`);
  }
  if (assembler.empty) throw emptyAnswer(reading);
  if (!inOrder && !assembler.hasCalls) throw connectionError(undefined, reading.context);
  return assembler.finish(inOrder ? 'in_order' : 'cut');
}

/** True when the message ended in order. */
async function readStream(response: Response, reading: Reading): Promise<boolean> {
  const { watch, context } = reading;
  const decoder = new EventDecoder(context.host);
  const reader = response.body?.getReader();
  if (reader === undefined) return false;
  for (;;) {
    const next = await network(watch.until(reader.read()), context);
    watch.bytes();
    const events = next.done ? decoder.end() : decoder.push(next.value);
    for (const event of events) {
      watch.event();
      if (event.data.trim() === '[DONE]') {
        await letEnd(reader);
        return true;
      }
      takeEvent(event, reading);
    }
    if (next.done) return reading.assembler.finishReason !== undefined;
  }
}

async function readWhole(response: Response, reading: Reading): Promise<boolean> {
  const { watch, context } = reading;
  const body = await network(watch.until(readBounded(response, MAX_JSON_BODY, () => watch.bytes())), context);
  const value = body.whole ? parse(new TextDecoder().decode(body.bytes)) : undefined;
  if (value === undefined) throw notReadable(context.host);
  const { whole } = takeChunk(value.json, reading);
  if (!whole) throw notReadable(context.host);
  return true;
}

function takeEvent(event: ServerEvent, reading: Reading): void {
  const value = parse(event.data);
  if (event.event === 'error') {
    const inner = value?.json;
    throw inStreamError((inner as { error?: unknown } | null | undefined)?.error ?? inner ?? event.data, reading.context);
  }
  if (value !== undefined) takeChunk(value.json, reading);
  // Half an event at the very end says only that the body was cut.
  else if (!event.last) throw notReadable(reading.context.host);
}

function takeChunk(json: unknown, reading: Reading): { whole: boolean } {
  const chunk = readChunk(json);
  if (chunk.error !== undefined) throw inStreamError(chunk.error, reading.context);
  if (chunk.reasoningContent) reading.onReasoningContent();
  for (const delta of chunk.deltas) for (const shown of reading.assembler.push(delta)) reading.onDelta(shown);
  return { whole: chunk.whole };
}

/** Only what the network throws is a lost connection; our own faults must not look like one. */
async function network<T>(promise: Promise<T>, context: FailureContext): Promise<T> {
  try {
    return await promise;
  } catch (caught) {
    throw connectionError(caught, context);
  }
}

/** Lets the body end by itself, so that the connection can serve the next request; the watch closes it otherwise. */
async function letEnd(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lag = new Promise<void>((resolve) => { timer = setTimeout(resolve, LAG_MS); });
  await Promise.race([reader.read().then(() => undefined, () => undefined), lag]);
  clearTimeout(timer);
}

function emptyAnswer({ assembler, context, nearLimit }: Reading): ModelError {
  const { host, model } = context;
  if (assembler.finishReason === 'length' || nearLimit(assembler.usage?.inputTokens)) {
    return new ModelError('context_exceeded', `The model ${model} at ${host} sent an empty answer: the conversation probably no longer fits its context size. Start a new task, or use a model with a larger context.`);
  }
  return new ModelError('malformed', `The model ${model} at ${host} sent an empty answer. Send the message again; if it stays so, check the model's context size, or use another model.`);
}

function notReadable(host: string): ModelError {
  return new ModelError('malformed', `The answer from ${host} is not in the form of a chat completion. Nothing of it was run. Check the model address in the settings.`);
}

/** Wrapped, so that a `null` in the stream is told from text that does not parse. */
function parse(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
