/**
 * What the scripted model can answer, as data. A reply is a list of chunks (each one server-sent event) plus how it is
 * put on the wire; `encode` turns it into bytes and pauses.
 */
export interface Shape {
  /** Finish reason of the last chunk; null leaves that chunk out. Default: `tool_calls` with calls, else `stop`. */
  readonly finish?: string | null;
  /** Sent in a last chunk with empty `choices`; `every` repeats it in each chunk; null (default) sends none. */
  readonly usage?: Usage | { readonly every: Usage } | null;
  /** Whether `data: [DONE]` ends the stream. Default true. */
  readonly done?: boolean;
  readonly eol?: '\n' | '\r\n' | '\r';
  /** Sends `: ping` before each event. */
  readonly comments?: boolean;
  /** One byte a write, or a new write at each of these byte positions. Default: one write an event. */
  readonly split?: 'byte' | readonly number[];
  /** Destroys the socket after so many chunks, or bytes of the body. */
  readonly resetAfter?: { readonly chunks: number } | { readonly bytes: number };
  /** Sends nothing for `ms` milliseconds after so many chunks. */
  readonly stallAfter?: { readonly chunks: number; readonly ms: number };
  /** Milliseconds between two chunks: a stream that a person can watch. */
  readonly chunkDelayMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

export interface ScriptedCall {
  readonly name: string;
  /** A value is sent as JSON; a string is sent as it is, so that it may be cut off. */
  readonly args: unknown;
  /** Default: one that is new for each request. `null`: none is sent. */
  readonly id?: string | null;
  /** Into how many pieces the arguments are cut. Default 3. */
  readonly fragments?: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks as JSON values, or texts that are sent as they are after `data: `; `[DONE]` included. */
  readonly events: readonly (object | string)[];
  /** In place of events: the body as it is. */
  readonly body?: string | undefined;
  readonly shape: Shape;
  /** For the strict mode: the reasoning streamed with these calls. */
  readonly reasoning?: string | undefined;
}

export function say(text: string, shape: Shape = {}): Reply {
  return message({ text }, shape);
}

export function call(name: string, args: unknown, more: Omit<ScriptedCall, 'name' | 'args'> & Shape = {}): Reply {
  const { id, fragments, ...shape } = more;
  return message({ calls: [{ name, args, ...(id === undefined ? {} : { id }), ...(fragments === undefined ? {} : { fragments }) }] }, shape);
}

export function calls(list: readonly ScriptedCall[], shape: Shape = {}): Reply {
  return message({ calls: list }, shape);
}

/** One assistant message: reasoning first, then text, then calls, each in pieces. */
export function message(parts: { readonly reasoning?: string; readonly text?: string; readonly calls?: readonly ScriptedCall[] }, shape: Shape = {}): Reply {
  const list = parts.calls ?? [];
  const deltas: object[] = [{ role: 'assistant', content: '' }];
  for (const piece of pieces(parts.reasoning ?? '', 3)) deltas.push({ reasoning_content: piece });
  for (const piece of pieces(parts.text ?? '', Math.max(1, Math.ceil((parts.text ?? '').length / 24)))) deltas.push({ content: piece });
  for (const [index, one] of list.entries()) deltas.push(...callDeltas(index, one));
  const events: object[] = deltas.map((delta) => chunk({ delta, finish_reason: null }));
  const finish = shape.finish === undefined ? (list.length > 0 ? 'tool_calls' : 'stop') : shape.finish;
  if (finish !== null) events.push(chunk({ delta: {}, finish_reason: finish }));
  return stream(events, shape, parts.reasoning);
}

/** Chunks of any shape, sent as they are (a string is sent as raw data). `[DONE]` follows unless `done` is false. */
export function raw(chunks: readonly (object | string)[], shape: Shape = {}): Reply {
  return stream(chunks, shape);
}

/** One chunk around one choice. */
export function chunk(choice: object): object {
  return { choices: [{ index: 0, ...choice }] };
}

/** A fragment of a tool call as a chunk. */
export function fragment(index: number | undefined, piece: { readonly id?: string | null; readonly name?: string | null; readonly arguments?: string | null }): object {
  const { id, ...named } = piece;
  const entry = { ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id }), type: 'function', function: named };
  return chunk({ delta: { tool_calls: [entry] }, finish_reason: null });
}

/** An answer that is no stream. An object is sent as JSON. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}, body: object | string = ''): Reply {
  const json = typeof body === 'object';
  return {
    status: code, headers: { 'content-type': json ? 'application/json' : 'text/plain', ...headers }, events: [],
    body: json ? JSON.stringify(body) : body, shape: {},
  };
}

/** The same reply, but the socket is destroyed on the way. */
export function resetAfter(reply: Reply, after: { readonly chunks: number } | { readonly bytes: number }): Reply {
  return { ...reply, shape: { ...reply.shape, resetAfter: after } };
}

/** Headers, then nothing for `ms` milliseconds, then the reply (an empty one by default). */
export function stall(ms: number, reply: Reply = say('')): Reply {
  return { ...reply, shape: { ...reply.shape, stallAfter: { chunks: 0, ms } } };
}

function callDeltas(index: number, one: ScriptedCall): object[] {
  const text = typeof one.args === 'string' ? one.args : JSON.stringify(one.args);
  const [first = '', ...rest] = pieces(text, one.fragments ?? 3);
  const opened = { index, ...(one.id === null ? {} : { id: one.id ?? `${NEW_ID}${index}` }), type: 'function', function: { name: one.name, arguments: first } };
  return [opened, ...rest.map((piece) => ({ index, function: { arguments: piece } }))].map((entry) => ({ tool_calls: [entry] }));
}

/** Stands for an id until the request is known. */
export const NEW_ID = 'call_of_request_';

function stream(events: readonly (object | string)[], shape: Shape, reasoning?: string): Reply {
  return { status: 200, headers: { 'content-type': 'text/event-stream', ...shape.headers }, events, shape, reasoning };
}

/** Cut by characters a person sees as units of text, so that a piece never ends inside a surrogate pair. */
function pieces(text: string, count: number): string[] {
  const characters = Array.from(text);
  if (characters.length === 0) return [];
  const size = Math.max(1, Math.ceil(characters.length / count));
  const out: string[] = [];
  for (let at = 0; at < characters.length; at += size) out.push(characters.slice(at, at + size).join(''));
  return out;
}

export type Step = { readonly write: Buffer } | { readonly wait: number } | { readonly reset: true };

/** The reply to request `n` as bytes and pauses. */
export function encode(reply: Reply, n: number, model: string): Step[] {
  if (reply.body !== undefined) return cut([Buffer.from(reply.body)], reply.shape);
  const { shape } = reply;
  const eol = shape.eol ?? '\n';
  const every = shape.usage !== undefined && shape.usage !== null && 'every' in shape.usage ? shape.usage.every : undefined;
  const events = reply.events.map((event) => (typeof event === 'string' ? event : fill(event, n, model, every)));
  if (shape.usage && !('every' in shape.usage)) events.push(fill({ choices: [], usage: shape.usage }, n, model, undefined));
  if (shape.done !== false) events.push('[DONE]');
  const blocks = events.map((data) => Buffer.from(`${shape.comments === true ? `: ping${eol}${eol}` : ''}data: ${data}${eol}${eol}`));
  return cut(blocks, shape);
}

function fill(event: object, n: number, model: string, usage: Usage | undefined): string {
  const whole = { id: `chatcmpl-${n}`, object: 'chat.completion.chunk', model, ...event, ...(usage === undefined ? {} : { usage }) };
  return JSON.stringify(whole).replaceAll(`"${NEW_ID}`, `"call_r${n}_`);
}

function cut(blocks: readonly Buffer[], shape: Shape): Step[] {
  const steps: Step[] = [];
  let sent = 0;
  for (const [index, block] of blocks.entries()) {
    if (shape.stallAfter?.chunks === index) steps.push({ wait: shape.stallAfter.ms });
    if (shape.resetAfter !== undefined && 'chunks' in shape.resetAfter && shape.resetAfter.chunks === index) return [...steps, { reset: true }];
    const left = shape.resetAfter !== undefined && 'bytes' in shape.resetAfter ? shape.resetAfter.bytes - sent : block.length;
    for (const piece of splitBytes(block.subarray(0, Math.max(0, left)), sent, shape.split)) steps.push({ write: piece });
    if (left < block.length) return [...steps, { reset: true }];
    sent += block.length;
    if (shape.chunkDelayMs !== undefined) steps.push({ wait: shape.chunkDelayMs });
  }
  const whole = shape.resetAfter === undefined;
  return whole ? steps : [...steps, { reset: true }];
}

function splitBytes(block: Buffer, offset: number, split: Shape['split']): Buffer[] {
  const at = split === 'byte' ? Array.from(block.keys()) : (split ?? []).map((position) => position - offset);
  const bounds = [...new Set([0, ...at.filter((position) => position > 0 && position < block.length), block.length])].sort((a, b) => a - b);
  return bounds.slice(1).map((end, index) => block.subarray(bounds[index], end));
}
