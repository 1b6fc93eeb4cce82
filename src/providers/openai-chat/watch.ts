/** Keeps one request from lasting for ever, and lets go of everything at its end. */
export interface Watch {
  /** For the request: aborts when the caller's signal does, when the server falls silent, and at `stop`. */
  readonly signal: AbortSignal;
  /** Why it was ended early, if it was. */
  readonly ended: 'aborted' | 'idle' | undefined;
  /** Settles as the promise does, or rejects as soon as the request is ended early. One at a time. */
  until<T>(promise: Promise<T>): Promise<T>;
  /** Bytes came in. */
  bytes(): void;
  /** An event came in: more than a sign of life. */
  event(): void;
  /** Clears timers, takes the listener off the caller's signal, and closes what is still open. */
  stop(): void;
}

/** A server that only sends signs of life may do so for this many idle limits. */
const QUIET_FACTOR = 10;
const LONGEST_TIMER_MS = 2_147_483_647;

/** `idleMs`: longest silence, from the start on, in milliseconds. */
export function startWatch(outer: AbortSignal, idleMs: number): Watch {
  const controller = new AbortController();
  let ended: Watch['ended'];
  let rejectWaiting: ((reason: unknown) => void) | undefined;

  function end(why: 'aborted' | 'idle'): void {
    if (ended !== undefined) return;
    ended = why;
    const reason = new Error(why);
    controller.abort(reason);
    rejectWaiting?.(reason);
  }
  const onAbort = (): void => end('aborted');
  const idle = setTimeout(() => end('idle'), Math.min(idleMs, LONGEST_TIMER_MS));
  const quiet = setTimeout(() => end('idle'), Math.min(idleMs * QUIET_FACTOR, LONGEST_TIMER_MS));
  outer.addEventListener('abort', onAbort, { once: true });
  if (outer.aborted) onAbort();

  return {
    signal: controller.signal,
    get ended() { return ended; },
    until: (promise) => new Promise((resolve, reject) => {
      rejectWaiting = reject;
      promise.then(resolve, reject);
      if (ended !== undefined) reject(new Error(ended));
    }),
    bytes: () => { idle.refresh(); },
    event: () => { quiet.refresh(); },
    stop: () => {
      clearTimeout(idle);
      clearTimeout(quiet);
      outer.removeEventListener('abort', onAbort);
      controller.abort(new Error('over'));
    },
  };
}
