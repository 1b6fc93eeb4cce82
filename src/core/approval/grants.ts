import type { Resource } from '../call.ts';
import type { Sha256 } from '../digest.ts';
import { digestOf } from '../digest.ts';
import type { Confinement } from '../verdict.ts';
import { argsOf, decisionOf, resourcesOf, resolvedOf, toolOf, type Rated } from '../chain/stages.ts';

/** One standing grant: turns a later ask of exactly the same action into allow, never a deny. */
export interface StandingGrant {
  readonly key: string;
  /** In plain words, as it was shown when it was given. */
  readonly covers: string;
  readonly confinement: Confinement;
  readonly givenAt: number;
  readonly uses: number;
}

/**
 * What makes two calls the same action for a person: tool, resources, the exact arguments and where it runs.
 * Not the task, not the call id. For a change also the bytes.
 */
export function actionKey(rated: Rated, sha256: Sha256): string {
  return digestOf({
    tool: toolOf(rated).name,
    resources: resourcesOf(rated).map(sameResource),
    changes: resolvedOf(rated).resolution.changes.map((change) => ({ path: change.path.real, after: change.afterDigest })),
    confinement: rated.elevated.confinement,
    ...(resourcesOf(rated).length === 0 ? { arguments: argsOf(rated) } : {}),
  }, sha256);
}

function sameResource(resource: Resource): unknown {
  if (resource.kind === 'path') return { path: resource.real, operation: resource.operation };
  if (resource.kind === 'address') return { address: resource.asked };
  return { form: resource.form, argv: resource.argv, line: resource.line, cwd: resource.cwd.real };
}

/**
 * Whether a standing grant may be offered and used at all: only for confined commands without a sensitive
 * finding. Changes to files are always judged one by one.
 */
export function mayStand(rated: Rated): boolean {
  if (rated.elevated.confinement !== 'sandboxed' || rated.rating.risk === 'dangerous') return false;
  if (resolvedOf(rated).resolution.changes.length > 0) return false;
  return decisionOf(rated).findings.every((finding) => finding.sensitive !== true && finding.action !== 'deny');
}

/**
 * Grants of the session: in memory only, gone with the window's extension host. At most `LIMIT`, oldest first out.
 * A grant covers the time limit that was shown and shorter ones, never a longer one.
 */
export class SessionGrants {
  static readonly LIMIT = 500;
  readonly #grants = new Map<string, StandingGrant>();
  readonly #longestMs = new Map<string, number>();

  give(rated: Rated, covers: string, now: number, sha256: Sha256): void {
    if (!mayStand(rated)) return;
    const key = actionKey(rated, sha256);
    this.#grants.set(key, { key, covers, confinement: rated.elevated.confinement, givenAt: now, uses: 0 });
    this.#longestMs.set(key, timeLimitOf(rated));
    if (this.#grants.size > SessionGrants.LIMIT) {
      const oldest = this.#grants.keys().next();
      if (oldest.done !== true) this.revoke(oldest.value);
    }
  }

  /** The grant that covers this call, counted as used; undefined when none does. */
  use(rated: Rated, sha256: Sha256): StandingGrant | undefined {
    if (!mayStand(rated)) return undefined;
    const found = this.#grants.get(actionKey(rated, sha256));
    if (found === undefined || timeLimitOf(rated) > (this.#longestMs.get(found.key) ?? 0)) return undefined;
    const used = { ...found, uses: found.uses + 1 };
    this.#grants.set(used.key, used);
    return used;
  }

  list(): readonly StandingGrant[] {
    return [...this.#grants.values()];
  }

  revoke(key: string): boolean {
    this.#longestMs.delete(key);
    return this.#grants.delete(key);
  }
}

function timeLimitOf(rated: Rated): number {
  return Math.max(0, ...resourcesOf(rated).map((resource) => (resource.kind === 'command' ? resource.timeoutMs : 0)));
}
