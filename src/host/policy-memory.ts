import type * as vscode from 'vscode';
import type { LastGood } from './policy-files.ts';

const ACCEPTED = 'sluice.policy.accepted';
const RUNG = 'sluice.policy.rung';
const LAST_GOOD = 'sluice.policy.lastGood';
/** The oldest are forgotten first: what is forgotten is asked again. */
const MOST_KEYS = 50;

/** What a person answered, by consent key. Lives outside the workspace; nothing in it can be set by a repository. */
export interface ConsentStore {
  accepted(): ReadonlySet<string>;
  accept(key: string): void;
  revoke(key: string): void;
  /** Whether the person was told about exactly these lines before. */
  hasRung(key: string): boolean;
  ring(key: string): void;
}

export type PolicyMemory = ConsentStore & LastGood;

/** In the editor's storage of this workspace. A write that fails is forgotten at the next start, which is the safe side. */
export function createPolicyMemory(storage: vscode.Memento): PolicyMemory {
  const keys = (name: string): string[] => {
    const stored = storage.get<unknown>(name);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  };
  const put = (name: string, key: string): void => {
    void storage.update(name, [...keys(name).filter((one) => one !== key), key].slice(-MOST_KEYS));
  };
  const files = (): Readonly<Record<string, unknown>> => {
    const stored = storage.get<unknown>(LAST_GOOD);
    return isRecord(stored) ? stored : {};
  };
  return {
    accepted: () => new Set(keys(ACCEPTED)),
    accept: (key) => put(ACCEPTED, key),
    revoke: (key) => { void storage.update(ACCEPTED, keys(ACCEPTED).filter((one) => one !== key)); },
    hasRung: (key) => keys(RUNG).includes(key),
    ring: (key) => put(RUNG, key),
    lastGood: (place) => {
      const values = files()[place];
      return isRecord(values) ? values : undefined;
    },
    keep: (place, values) => {
      const all = files();
      if (JSON.stringify(all[place]) !== JSON.stringify(values)) void storage.update(LAST_GOOD, { ...all, [place]: values });
    },
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
