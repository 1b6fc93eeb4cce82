import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { encode, status } from './replies.ts';
import type { Reply } from './replies.ts';
import { breach } from './strict.ts';
import type { StrictRules } from './strict.ts';

export * from './replies.ts';
export type { StrictRules } from './strict.ts';

/** One request as it came. `body` is parsed JSON, or undefined when it is none. */
export interface RecordedRequest {
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: ChatBody;
  /** Why it was answered with 400, in strict mode. */
  readonly breach: string | undefined;
  /** Settles when the answer is over: `ended` by the server, or `closed` by the other side before that. */
  readonly over: Promise<'ended' | 'closed'>;
}

export interface ChatBody {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: Record<string, unknown> } }[];
  readonly [field: string]: unknown;
}

export interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
  readonly tool_call_id?: string;
  readonly reasoning_content?: string;
}

/** Replies in order, or a function of the request (n counts from 0). When the list is used up the server answers 500. */
export type Script = readonly Reply[] | ((request: RecordedRequest, n: number) => Reply | Promise<Reply>);

export interface ScriptedModelOptions {
  readonly strict?: StrictRules;
  /** Answers 401 without `Authorization: Bearer <key>`. */
  readonly key?: string;
  readonly model?: string;
}

export interface ScriptedModel {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  readonly requests: readonly RecordedRequest[];
  /** The tool messages of request `n`, by call id. */
  toolMessages(n: number): ReadonlyMap<string, string>;
  /** Destroys every socket; settles when the port is free. */
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_REQUESTS = 20_000;

/** A model over real HTTP on 127.0.0.1 that says what the script says and records what it was asked. */
export async function startScriptedModel(script: Script, options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const streamed = new Map<string, string>();
  const closing = new AbortController();
  let served = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request);
    const body = parse(text) as ChatBody;
    const path = request.url ?? '';
    const n = requests.length;
    const over = new Promise<'ended' | 'closed'>((resolve) => {
      response.once('close', () => resolve(response.writableFinished ? 'ended' : 'closed'));
    });
    const broken = options.strict === undefined ? undefined : breach(body, options.strict, streamed);
    const recorded: RecordedRequest = { n, at: Date.now(), method: request.method ?? '', path, headers: request.headers, text, body, breach: broken, over };
    if (n >= MAX_REQUESTS) return void response.destroy();
    requests.push(recorded);
    const refusal = refuse(recorded, options.key);
    const reply = refusal ?? (await next(script, recorded, served++));
    if (reply.reasoning !== undefined) remember(reply, n, streamed);
    await send(response, reply, n, options.model ?? body?.model ?? 'scripted', closing.signal);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `scripted model: ${String(error)}` } }));
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    toolMessages: (n) => new Map((requests[n]?.body.messages ?? []).filter((one) => one.role === 'tool').map((one) => [one.tool_call_id ?? '', one.content ?? ''])),
    close: () => {
      closing.abort();
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => { server.close(() => resolve()); });
    },
  };
}

function refuse(request: RecordedRequest, key: string | undefined): Reply | undefined {
  if (!/\/chat\/completions(\?|$)/.test(request.path) || request.method !== 'POST') return status(404, {}, { error: { message: `no such path: ${request.path}` } });
  if (request.body === undefined) return status(400, {}, { error: { message: 'the body is not JSON' } });
  if (key !== undefined && request.headers['authorization'] !== `Bearer ${key}`) return status(401, {}, { error: { message: 'wrong key' } });
  return request.breach === undefined ? undefined : status(400, {}, { error: { message: request.breach, type: 'invalid_request_error' } });
}

/** Requests that were refused (path, key, strict mode) use up nothing of a list. */
async function next(script: Script, request: RecordedRequest, position: number): Promise<Reply> {
  if (typeof script === 'function') return script(request, request.n);
  return script[position] ?? status(500, {}, { error: { message: `the script has no reply ${position}` } });
}

async function send(response: ServerResponse, reply: Reply, n: number, model: string, closing: AbortSignal): Promise<void> {
  response.writeHead(reply.status, { ...reply.headers });
  response.flushHeaders();
  for (const step of encode(reply, n, model)) {
    if (response.destroyed) return;
    if ('reset' in step) {
      // A turn of the loop, so that what was written leaves before the reset.
      await sleep(5);
      response.socket?.resetAndDestroy();
      return;
    }
    if ('wait' in step) await pause(response, step.wait, closing);
    else {
      if (!response.write(step.write)) await Promise.race([new Promise((resolve) => response.once('drain', resolve)), new Promise((resolve) => response.once('close', resolve))]);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  if (!response.destroyed) response.end();
}

/** Ends early when the other side goes, or the server closes. */
async function pause(response: ServerResponse, ms: number, closing: AbortSignal): Promise<void> {
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  response.once('close', stop);
  await sleep(ms, undefined, { signal: AbortSignal.any([gone.signal, closing]) }).catch(() => undefined);
  response.off('close', stop);
}

function remember(reply: Reply, n: number, streamed: Map<string, string>): void {
  for (const match of encode(reply, n, '').flatMap((step) => ('write' in step ? [step.write.toString()] : [])).join('').matchAll(/"id":"((?!chatcmpl)[^"]+)"/g)) {
    if (match[1] !== undefined && reply.reasoning !== undefined) streamed.set(match[1], reply.reasoning);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BODY_BYTES) throw new Error('the request is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
