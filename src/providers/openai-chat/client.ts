import OpenAI from 'openai';
import { ModelError } from '../../core/agent/model.ts';
import type { Endpoint } from './endpoint.ts';

/** The part of `fetch` that is used, so that a host can bring one that knows its proxy. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Bytes of an error body that are read. */
const MAX_ERROR_BODY = 64 * 1024;

/**
 * The openai client with everything it would take from the environment or tell about this machine switched off. What
 * it adds by itself (`x-stainless-*`, organisation and project, `OPENAI_CUSTOM_HEADERS`) is dropped in `lean`, by a
 * list of what may leave. It never retries and never logs: the loop does the one, the record the other.
 */
export function createClient(endpoint: Endpoint, key: string | undefined, fetchImpl: Fetch | undefined, timeoutMs: number): OpenAI {
  return new OpenAI({
    baseURL: endpoint.baseUrl,
    // The package refuses to start without one; the header is set in `lean`, or left out there.
    apiKey: key ?? 'none',
    adminAPIKey: null, organization: null, project: null, webhookSecret: null,
    maxRetries: 0, logLevel: 'off', timeout: timeoutMs,
    fetch: lean(fetchImpl ?? globalThis.fetch, endpoint, key),
  });
}

/** A key that a header can carry, or undefined for none. Throws `ModelError('unauthorized')`, without repeating it. */
export function readKey(text: string | undefined): string | undefined {
  const key = text?.trim() ?? '';
  if (key === '') return undefined;
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ModelError('unauthorized', 'The API key contains a space or a character that a key cannot have. Set it again with the command Sluice: Set API Key.');
  }
  return key;
}

function lean(fetchImpl: Fetch, endpoint: Endpoint, key: string | undefined): Fetch {
  const origin = new URL(endpoint.baseUrl).origin;
  return async (url, init) => {
    const target = new URL(url instanceof Request ? url.url : url);
    if (target.origin !== origin) throw new ModelError('bad_request', `A request to ${target.host} was stopped: the model address is ${endpoint.host}.`);
    const headers = new Headers({ accept: 'text/event-stream, application/json', 'content-type': 'application/json', 'user-agent': 'Sluice' });
    if (key !== undefined) headers.set('authorization', `Bearer ${key}`);
    // A redirect would carry the conversation to a place that nobody configured.
    const response = await fetchImpl(target, { method: 'POST', headers, body: init?.body ?? null, signal: init?.signal ?? null, redirect: 'manual' });
    return response.ok ? response : shortened(response);
  };
}

/** The package reads the body of an error to its end, however long. */
async function shortened(response: Response): Promise<Response> {
  const body = await readBounded(response, MAX_ERROR_BODY);
  const status = response.status >= 300 && response.status <= 599 ? response.status : 500;
  return new Response(status === 304 ? null : body.bytes, { status, headers: response.headers });
}

/** At most `limit` bytes of a body; the rest is let go. */
export async function readBounded(response: Response, limit: number, onBytes?: () => void): Promise<{ bytes: Uint8Array<ArrayBuffer>; whole: boolean }> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  let whole = true;
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    onBytes?.();
    parts.push(next.value);
    length += next.value.length;
    if (length > limit) {
      whole = false;
      await reader?.cancel().catch(() => undefined);
      break;
    }
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes: bytes.slice(0, limit), whole };
}
