import { APIError } from 'openai';
import { ModelError, isModelError } from '../../core/agent/model.ts';
import type { ModelErrorKind } from '../../core/agent/model.ts';
import { isObject } from './chunks.ts';
import { maskServerWords } from './mask.ts';

/** What messages may name, and what they must not. */
export interface FailureContext {
  readonly host: string;
  readonly model: string;
  readonly key: string | undefined;
}

/** A refusal by the server: the error for the person, and what the server said, for `adapt.ts`. */
export interface Failure {
  readonly error: ModelError;
  readonly status: number | undefined;
  readonly said: string;
}

const CONTEXT_WORDS = /context[ _-]?(length|size|window|limit)|context\b.{0,40}\b(exceed|overflow|too (long|large))|maximum context|too many (input )?tokens|prompt is too long|input is too long|exceeds?\b.{0,40}\btokens|n_ctx/i;
const QUOTA_WORDS = /insufficient_quota|billing|credit balance|out of credit|payment required/i;

/** What the openai package threw before the answer began. */
export function readFailure(caught: unknown, context: FailureContext): Failure {
  if (caught instanceof APIError && typeof caught.status === 'number') {
    const value: unknown = caught.error;
    const said = value === undefined || value === null ? caught.message.replace(/^\d{3} /, '') : wordsOf(value);
    const code = [caught.code, caught.type].filter((word) => typeof word === 'string').join(' ');
    return { error: statusError(caught.status, `${code} ${said}`, said, retryAfterMs(caught.headers as Headers | undefined), context), status: caught.status, said };
  }
  const cause = caught instanceof Error ? caught.cause : undefined;
  return { error: isModelError(cause) ? cause : connectionError(caught, context), status: undefined, said: '' };
}

/** An error that came as a chunk, or as a body, of an answer with status 200. */
export function inStreamError(value: unknown, context: FailureContext): ModelError {
  const said = wordsOf(value);
  const status = isObject(value) ? [value['status'], value['code'], value['status_code']].map(Number).find((n) => n >= 400 && n < 600) : undefined;
  const labels = isObject(value) ? [value['code'], value['type']].filter((word) => typeof word === 'string').join(' ') : '';
  const all = `${labels} ${said}`;
  return statusError(status ?? guessStatus(all), all, said, undefined, context);
}

function guessStatus(words: string): number {
  if (/rate.?limit|too many requests/i.test(words)) return 429;
  if (/overload|unavailable|server_error|internal/i.test(words)) return 503;
  if (/unauthori[sz]ed|invalid.?api.?key|authentication/i.test(words)) return 401;
  return 400;
}

function statusError(status: number, all: string, said: string, retryAfter: number | undefined, context: FailureContext): ModelError {
  const { host, model } = context;
  const masked = maskServerWords(said, context.key);
  const make = (kind: ModelErrorKind, message: string, ms?: number): ModelError => new ModelError(kind, masked === '' ? message : `${message} It said: "${masked}"`, ms);
  // What an answer to a wrong key says may hold the key; nothing of it is shown.
  if (status === 401 || status === 403) {
    const what = context.key === undefined ? 'wants a key' : status === 401 ? 'did not accept the key' : 'does not let this key use the model';
    return new ModelError('unauthorized', `The model server at ${host} ${what} (${status}). Set the key with the command Sluice: Set API Key.`);
  }
  if (QUOTA_WORDS.test(all) || status === 402) return make('bad_request', `The account at ${host} has no credit left (${status}). Check its plan, or use another model.`);
  if (status === 429) return make('rate_limited', `The model server at ${host} asks to wait (429).`, retryAfter);
  if (status === 413 || (status < 500 && CONTEXT_WORDS.test(all))) {
    return make('context_exceeded', `The conversation is longer than the context size that ${host} allows for ${model}. Start a new task, or use a model with a larger context.`);
  }
  if (status >= 500) {
    if (CONTEXT_WORDS.test(all)) return make('context_exceeded', `The conversation is longer than the context size of ${model} at ${host}. Start a new task, or use a model with a larger context.`);
    return make('overloaded', `The model server at ${host} has a problem (${status}). Try again later.`, retryAfter);
  }
  if (/content_filter|content.?management policy|content policy/i.test(all)) return make('content_filter', `The content filter at ${host} refused the request.`);
  if (status === 404) return make('not_found', `The server at ${host} has no model "${model}" at this address (404). Check the model name and the model address in the settings.`);
  if (status === 408) return make('connection_lost', `The model server at ${host} gave up waiting (408).`);
  if (status >= 300 && status < 400) return new ModelError('bad_request', `The server at ${host} points to another address (${status}). Nothing was sent there. Set the final address in the settings.`);
  return make('bad_request', `The model server at ${host} refused the request (${status}).`);
}

/** Why a connection failed, from the codes Node and its fetch use. Their texts are not shown. */
export function connectionError(caught: unknown, { host }: FailureContext): ModelError {
  const code = codeOf(caught);
  if (code === 'ECONNREFUSED') return new ModelError('connection_lost', `Nothing answers at ${host}. Is the model server running?`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new ModelError('connection_lost', `The name ${host} could not be found. Check the network and the model address.`);
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return new ModelError('connection_lost', `${host} could not be reached in time. Check the network and the model address.`);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return idleError(host);
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/.test(code)) {
    return new ModelError('bad_request', `No secure connection to ${host} (${code}). Check the model address and the certificate of the server.`);
  }
  return new ModelError('connection_lost', `The connection to ${host} was lost before the answer was complete.`);
}

export function idleError(host: string): ModelError {
  return new ModelError('idle', `The model server at ${host} stopped answering.`);
}

function codeOf(caught: unknown): string {
  let error = caught;
  for (let depth = 0; depth < 6 && error instanceof Error; depth += 1) {
    const code = (error as { code?: unknown }).code;
    if (typeof code === 'string') return code;
    error = error.cause;
  }
  return '';
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return '';
  const message = value['message'] ?? value['error'] ?? value['detail'];
  return typeof message === 'string' ? message : (JSON.stringify(message ?? value) ?? '');
}

const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date; undefined when absent or unreadable. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const exact = headers?.get('retry-after-ms')?.trim();
  const plain = headers?.get('retry-after')?.trim();
  const numeric = (text: string | undefined): number | undefined => (text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);
  const seconds = numeric(plain);
  const ms = numeric(exact) ?? (seconds === undefined ? dateDistance(plain) : seconds * 1000);
  return ms === undefined ? undefined : Math.min(Math.max(0, Math.ceil(ms)), LONGEST_WAIT_MS);
}

function dateDistance(text: string | undefined): number | undefined {
  if (text === undefined || !/[a-z]/i.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at - Date.now();
}
