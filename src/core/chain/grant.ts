import type { Rated } from './stages.ts';

/** Who let the call run, for the record. */
export interface Decider {
  readonly by: 'rule' | 'person' | 'standing_grant';
  /** The rule, or the surface the person used. */
  readonly source: string;
  readonly waitedMs: number;
  readonly scope: 'once' | 'session';
  readonly edited: boolean;
}

/**
 * The only thing that lets a call run. It has a private field, so a spread, a copy or a hand-made object
 * neither type-checks nor works at run time. Issued by the gate only (a test checks that nobody else names `Granted.issue`),
 * bound to one fingerprint, spent once.
 */
export class Granted {
  readonly rated: Rated;
  readonly decider: Decider;
  #spent = false;

  private constructor(rated: Rated, decider: Decider) {
    this.rated = rated;
    this.decider = decider;
  }

  /** For the gate alone. */
  static issue(rated: Rated, decider: Decider): Granted {
    return new Granted(rated, decider);
  }

  /** True exactly once, and only for the fingerprint it was issued for. Throws on anything that is not a grant. */
  spend(fingerprint: string): boolean {
    if (this.#spent || fingerprint !== this.rated.elevated.guarded.resolved.fingerprint) return false;
    this.#spent = true;
    return true;
  }

  get spent(): boolean {
    return this.#spent;
  }
}
