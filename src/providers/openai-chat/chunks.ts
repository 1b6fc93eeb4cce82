import type { CallFragment, StreamDelta } from '../../core/agent/assemble.ts';

/** What one chunk says: deltas, or the error that a server put where a chunk should be. */
export interface ChunkReading {
  readonly deltas: readonly StreamDelta[];
  /** The error value as it came. Never shown unmasked. */
  readonly error: unknown;
  /** The message came whole, not as a stream: a server that ignores `stream`. */
  readonly whole: boolean;
  /** The text was in the field `reasoning_content`. */
  readonly reasoningContent: boolean;
}

/** Reads a parsed chunk of any shape. Fields that are missing, null or of another type are passed over; never throws. */
export function readChunk(chunk: unknown): ChunkReading {
  if (!isObject(chunk)) return { deltas: [], error: undefined, whole: false, reasoningContent: false };
  const error = chunk['error'] ?? (chunk['object'] === 'error' || chunk['type'] === 'error' ? chunk : undefined);
  if (error !== undefined && error !== false && error !== '') return { deltas: [], error, whole: false, reasoningContent: false };
  const deltas: StreamDelta[] = [];
  const id = text(chunk['id']);
  const model = text(chunk['model']);
  if (id !== '' || model !== '') deltas.push({ type: 'response', id: id || undefined, model: model || undefined });
  const choice = firstChoice(chunk['choices']);
  const message = isObject(choice?.['message']) ? choice['message'] : undefined;
  const delta = isObject(choice?.['delta']) ? choice['delta'] : message;
  if (delta !== undefined) deltas.push(...readDelta(delta, delta === message));
  const reason = text(choice?.['finish_reason']);
  if (reason !== '') deltas.push({ type: 'finish', reason });
  deltas.push(...readUsage(chunk['usage']));
  return { deltas, error: undefined, whole: message !== undefined && delta === message, reasoningContent: text(delta?.['reasoning_content']) !== '' };
}

/** Only one answer is ever asked for; a chunk of another one is not ours. */
function firstChoice(choices: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(choices)) return undefined;
  return choices.find((choice): choice is Record<string, unknown> => isObject(choice) && (choice['index'] ?? 0) === 0);
}

function readDelta(delta: Record<string, unknown>, whole: boolean): StreamDelta[] {
  const deltas: StreamDelta[] = [];
  const reasoning = text(delta['reasoning_content']) || text(delta['reasoning']);
  if (reasoning !== '') deltas.push({ type: 'reasoning', text: reasoning });
  for (const words of [content(delta['content']), text(delta['refusal'])]) if (words !== '') deltas.push({ type: 'text', text: words });
  const calls = delta['tool_calls'];
  if (!Array.isArray(calls)) return deltas;
  for (const [position, call] of calls.entries()) {
    if (isObject(call)) deltas.push({ type: 'call', fragment: readFragment(call, whole ? position : undefined) });
  }
  return deltas;
}

/** Content is text, or a list of parts of which only the text ones are read. */
function content(value: unknown): string {
  if (!Array.isArray(value)) return text(value);
  return value.map((part) => (isObject(part) && part['type'] === 'text' ? text(part['text']) : '')).join('');
}

/** In a whole message the position is the index. */
function readFragment(call: Record<string, unknown>, position: number | undefined): CallFragment {
  const named = isObject(call['function']) ? call['function'] : {};
  const given = named['arguments'];
  return {
    index: typeof call['index'] === 'number' ? call['index'] : position,
    id: text(call['id']),
    name: text(named['name']),
    // Some servers send the value itself in place of its text.
    arguments: isObject(given) ? JSON.stringify(given) : text(given),
  };
}

function readUsage(usage: unknown): StreamDelta[] {
  if (!isObject(usage)) return [];
  const inputTokens = count(usage['prompt_tokens']);
  const outputTokens = count(usage['completion_tokens']);
  if (inputTokens === undefined) return [];
  return [{ type: 'usage', usage: { inputTokens, outputTokens: outputTokens ?? 0, estimated: false } }];
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
