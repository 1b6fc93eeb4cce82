import { digestOf, type Sha256 } from '../digest.ts';
import { consentKey, type Consent, type LooseningLine } from './consent.ts';
import { foldLayers, type Folded } from './fold.ts';
import type { SettingName, Settings } from './schema.ts';

/** Raw values as found, by setting key without the `sluice.` prefix. Absent keys are not set in that layer. */
export interface Layer {
  readonly name: 'user' | 'workspace' | 'folder';
  readonly values: Readonly<Record<string, unknown>>;
  /** What tells two layers of one name apart, and where a problem is shown: the address of the file. */
  readonly place?: string | undefined;
  /**
   * Why the file could not be read as a whole. With `lastGood` the values are those it had before, and hold.
   * Without, they are what could be read, and count only where they tighten; every setting that this layer could
   * have tightened is as strict as it can be.
   */
  readonly unreadable?: string | undefined;
  readonly lastGood?: true | undefined;
}

export interface PolicyProblem {
  readonly key: string;
  readonly layer: Layer['name'];
  /** The layer's `place`. */
  readonly place?: string | undefined;
  /**
   * `invalid`: the value does not parse. `ignored`: only the person can set it. `loosening`: ignored until the
   * person allows it. `unreadable`: the whole file; `key` is empty.
   */
  readonly kind: 'invalid' | 'ignored' | 'loosening' | 'unreadable';
  /** What is wrong, what is wanted, what stays in force. */
  readonly message: string;
}

/** `consent`: a workspace's or folder's line that the person allowed. */
export type Source = Layer['name'] | 'default' | 'consent';

/** The settings in force, frozen for a task. `version` is a digest of exactly these values. */
export interface Policy {
  readonly settings: Settings;
  readonly version: string;
  readonly trusted: boolean;
  readonly sources: Readonly<Record<SettingName, Source>>;
  readonly problems: readonly PolicyProblem[];
  /** The workspace's lines that allow more than the person's own settings, in force or not. */
  readonly loosening: readonly LooseningLine[];
  /** What an acceptance of exactly these lines is pinned to; undefined when there are none. */
  readonly consentKey: string | undefined;
  /** Whether the person allowed them and they are in force. Never in Restricted Mode. */
  readonly consented: boolean;
}

/**
 * Merges layers from the widest to the narrowest. A later layer may always tighten. A workspace or folder value
 * that loosens is in force only in a trusted workspace, and only if `consent.accepted` holds the key of exactly
 * the loosening lines of all layers; otherwise it is ignored and reported. What only the person may set is never
 * taken from a workspace. An invalid or unreadable value closes: see fold.ts.
 */
export function mergeLayers(layers: readonly Layer[], trusted: boolean, sha256: Sha256, consent: Consent = NO_CONSENT): Policy {
  const strict = foldLayers(layers, []);
  const key = strict.loosening.length === 0 ? undefined : consentKey(strict.loosening, consent.workspace, sha256);
  const consented = trusted && key !== undefined && consent.accepted.has(key);
  const { settings, sources, problems }: Folded = consented ? foldLayers(layers, strict.loosening) : strict;
  for (const value of Object.values(settings)) Object.freeze(value);
  const frozen = Object.freeze(settings) as unknown as Settings;
  return {
    settings: frozen, trusted, problems, sources: sources as Policy['sources'], version: digestOf({ settings: frozen, trusted }, sha256),
    loosening: strict.loosening, consentKey: key, consented,
  };
}

const NO_CONSENT: Consent = { workspace: '', accepted: new Set() };
