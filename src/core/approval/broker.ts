import type { Clock } from '../ports.ts';
import { step, type RequestEvent, type RequestState } from './machine.ts';
import type { Answer, ApprovalDesk, ApprovalRequest, ApprovalSurface, Closing, Receipt } from './request.ts';

/** Keeps what is pending across a restart. `save` must be atomic; a failure means the request is not asked. */
export interface PendingStore {
  save(pending: readonly ApprovalRequest[]): Promise<void>;
}

export interface Outcome {
  readonly how: Closing;
  readonly answer: Answer | undefined;
  readonly waitedMs: number;
}

interface Waiting {
  readonly request: ApprovalRequest;
  readonly settle: (outcome: Outcome) => void;
  readonly timer: AbortController;
  state: RequestState;
}

const CLOSING: Partial<Record<RequestState, Closing>> = {
  approved: 'approved', denied: 'denied', expired: 'expired', cancelled: 'cancelled', superseded: 'superseded', interrupted: 'interrupted',
};

/** How many ended requests are remembered, so that a late click gets a true answer. */
const REMEMBERED = 1_000;

/**
 * Holds the requests that wait for a person. Truth is here, not in any surface: a surface that fails or closes
 * changes nothing. First answer wins; every request settles exactly once.
 */
export class ApprovalBroker implements ApprovalDesk {
  readonly #waiting = new Map<string, Waiting>();
  readonly #ended = new Map<string, Closing>();
  readonly #surfaces = new Set<ApprovalSurface>();
  readonly #clock: Clock;
  readonly #store: PendingStore;

  constructor(clock: Clock, store: PendingStore) {
    this.#clock = clock;
    this.#store = store;
  }

  /** Opens what already waits on the new surface. Returns its removal. */
  addSurface(surface: ApprovalSurface): () => void {
    this.#surfaces.add(surface);
    for (const { request } of this.#waiting.values()) tell(() => surface.open(request));
    return () => this.#surfaces.delete(surface);
  }

  pending(): readonly ApprovalRequest[] {
    return [...this.#waiting.values()].map(({ request }) => request);
  }

  /**
   * Waits for a person. Resolves once with how it ended; rejects only when the request could not be stored.
   * A request with the fingerprint of one that waits is asked after it, never merged into its answer. After
   * `dispose` nothing is asked any more.
   */
  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<Outcome> {
    let before = this.#sameWaiting(request);
    while (before !== undefined && !signal.aborted) {
      await settledOrAborted(before, signal);
      before = this.#sameWaiting(request);
    }
    if (signal.aborted) return { how: 'cancelled', answer: undefined, waitedMs: 0 };
    if (this.#disposed) return { how: 'interrupted', answer: undefined, waitedMs: 0 };
    let settle: (outcome: Outcome) => void = () => undefined;
    const settled = new Promise<Outcome>((resolve) => { settle = resolve; });
    const entry: Waiting = { request, settle, timer: new AbortController(), state: 'pending' };
    this.#waiting.set(request.id, entry);
    this.#settlements.set(request.id, settled);
    try {
      await this.#store.save(this.pending());
    } catch (error) {
      this.#end(request.id, 'interrupt', undefined);
      throw error;
    }
    const onAbort = (): void => { this.#end(request.id, 'cancel', undefined); };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    if (this.#waiting.has(request.id)) {
      this.#startExpiry(entry);
      this.#open(request);
    }
    try {
      return await settled;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  answer(answer: Answer): Receipt {
    const entry = this.#waiting.get(answer.requestId);
    if (entry === undefined) return this.#ended.has(answer.requestId) ? 'already_answered' : 'unknown_request';
    if (entry.request.fingerprint !== answer.fingerprint) return 'fingerprint_mismatch';
    const done = this.#end(answer.requestId, answer.choice === 'approve' ? 'approve' : 'deny', answer);
    return done ? 'accepted' : 'already_answered';
  }

  /** How an ended request ended; undefined for one that waits or was never known. */
  ended(requestId: string): Closing | undefined {
    return this.#ended.get(requestId);
  }

  /** Ends everything without an answer: nothing was approved and nobody said no. The store keeps what waited. */
  dispose(): void {
    this.#disposed = true;
    const kept = [...this.#waiting.keys()];
    for (const id of kept) this.#end(id, 'interrupt', undefined, false);
    this.#surfaces.clear();
  }

  readonly #settlements = new Map<string, Promise<Outcome>>();
  #disposed = false;

  /** A surface may answer while it opens; the ones after it are then not opened. */
  #open(request: ApprovalRequest): void {
    for (const surface of this.#surfaces) {
      if (this.#waiting.has(request.id)) tell(() => surface.open(request));
    }
  }

  #sameWaiting(request: ApprovalRequest): Promise<Outcome> | undefined {
    for (const waiting of this.#waiting.values()) {
      if (waiting.request.fingerprint === request.fingerprint) return this.#settlements.get(waiting.request.id);
    }
    return undefined;
  }

  #startExpiry(entry: Waiting): void {
    const { expiresAt, id } = entry.request;
    if (expiresAt === undefined) return;
    const wait = Math.max(0, expiresAt - this.#clock.now());
    this.#clock.sleep(wait, entry.timer.signal).then(() => { this.#end(id, 'expire', undefined); }, () => undefined);
  }

  #end(id: string, event: RequestEvent, answer: Answer | undefined, save = true): boolean {
    const entry = this.#waiting.get(id);
    const next = entry === undefined ? undefined : step(entry.state, event);
    const how = next === undefined ? undefined : CLOSING[next];
    if (entry === undefined || next === undefined || how === undefined) return false;
    entry.state = next;
    this.#waiting.delete(id);
    this.#settlements.delete(id);
    this.#remember(id, how);
    entry.timer.abort();
    for (const surface of this.#surfaces) tell(() => surface.close(id, how));
    if (save) this.#store.save(this.pending()).catch(() => undefined);
    entry.settle({ how, answer, waitedMs: Math.max(0, this.#clock.now() - entry.request.createdAt) });
    return true;
  }

  #remember(id: string, how: Closing): void {
    this.#ended.set(id, how);
    if (this.#ended.size > REMEMBERED) {
      const oldest = this.#ended.keys().next();
      if (oldest.done !== true) this.#ended.delete(oldest.value);
    }
  }
}

/** Resolves when the other request has ended or the signal aborts, whichever is first. Leaves no listener. */
function settledOrAborted(other: Promise<Outcome>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    void other.then(done);
  });
}

/** A surface that throws has not answered and stops nobody else. */
function tell(action: () => void): void {
  try {
    action();
  } catch {
    // Truth is in the broker; the other surfaces and the status bar still show the request.
  }
}
