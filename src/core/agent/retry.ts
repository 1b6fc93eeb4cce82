import type { Clock } from '../ports.ts';
import { isModelError, type ModelDelta, type ModelReply, type ModelRequest, type ModelSource } from './model.ts';

export const RETRY_LIMIT = 4;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

export interface RetryNote {
  readonly attempt: number;
  readonly limit: number;
  readonly waitMs: number;
  readonly reason: string;
}

/**
 * Asks the model; a lost or limited answer is thrown away whole and asked again, at most `RETRY_LIMIT` times.
 * Nothing of a half answer ever runs. Rejects with the last `ModelError`, or with the abort reason at once.
 */
export async function askModel(
  source: ModelSource, request: ModelRequest, clock: Clock, signal: AbortSignal,
  on: { readonly delta: (delta: ModelDelta) => void; readonly retry: (note: RetryNote) => void },
): Promise<ModelReply> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await source.respond(request, on.delta, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isModelError(error) || !error.retryable || attempt > RETRY_LIMIT) throw error;
      const waitMs = waitFor(error, attempt);
      on.retry({ attempt, limit: RETRY_LIMIT, waitMs, reason: error.message });
      await clock.sleep(waitMs, signal);
    }
  }
}

/** What the server asked for, else doubling from one second; never over a minute. */
function waitFor(error: { readonly retryAfterMs: number | undefined }, attempt: number): number {
  return Math.min(error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
}
