import { digestOf, type Sha256 } from '../digest.ts';
import { foldLayers } from './fold.ts';
import type { Layer } from './layers.ts';

/** One value of a workspace or folder that allows more than what is in force without it. */
export interface LooseningLine {
  /** Without the `sluice.` prefix. */
  readonly key: string;
  readonly layer: 'workspace' | 'folder';
  readonly place: string | undefined;
  /** In force while nothing is accepted. */
  readonly from: unknown;
  readonly to: unknown;
  /** What `to` would allow, in plain words. */
  readonly effect: string;
}

/** What the person has accepted, by consent key. `workspace` is the identity of what is open. */
export interface Consent {
  readonly workspace: string;
  readonly accepted: ReadonlySet<string>;
}

/** The lines that need consent, whether it was given or not. */
export function looseningLines(layers: readonly Layer[]): readonly LooseningLine[] {
  return foldLayers(layers, []).loosening;
}

/**
 * `sha256:<hex>` of exactly these lines in this workspace, in any order. The person's own value is part of it: who
 * accepted a step from A to B has not seen one from C to B.
 */
export function consentKey(lines: readonly LooseningLine[], workspace: string, sha256: Sha256): string {
  const digests = lines.map(({ key, layer, place, from, to }) => digestOf({ key, layer, place: place ?? null, from, to }, sha256));
  return digestOf({ workspace, lines: digests.sort() }, sha256);
}
