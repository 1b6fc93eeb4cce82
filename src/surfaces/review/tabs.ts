import type { Tab, TabGroup, Uri, ViewColumn } from 'vscode';

export const PROPOSED = 'sluice-proposed';
export const BASE = 'sluice-base';
export const REQUEST = 'sluice-request';

const SCHEMES: ReadonlySet<string> = new Set([PROPOSED, REQUEST]);

/** How a request is named in addresses: the editor writes the authority of an address in lower case. */
export function keyOf(requestId: string): string {
  return requestId.toLowerCase();
}

/**
 * Addresses are `<scheme>://<request key>.<detail>/<name>`: the request in the authority, so that the path is the
 * file's own and breadcrumbs, language and icon follow it. `detail` is for `when` clauses (contributes.json).
 */
export function authorityFor(requestId: string, detail: string): string {
  return `${keyOf(requestId)}.${detail}`;
}

/** The request key of an address of ours; undefined for any other. */
export function requestKeyOf(uri: Pick<Uri, 'scheme' | 'authority'>): string | undefined {
  if (!SCHEMES.has(uri.scheme) || !uri.authority.includes('.')) return undefined;
  return uri.authority.slice(0, uri.authority.lastIndexOf('.')).toLowerCase();
}

/** One text per authority and path. */
export function placeOf(uri: Pick<Uri, 'authority' | 'path'>): string {
  return uri.authority.toLowerCase() + uri.path;
}

/**
 * The addresses of ours that a tab shows on its right or only side. By shape, not by class: the input of a
 * multi-file diff has no class in the stable API.
 */
export function ourUris(tab: Tab): readonly Uri[] {
  const input = tab.input as { uri?: unknown; modified?: unknown; textDiffs?: unknown } | undefined;
  const inner = Array.isArray(input?.textDiffs) ? input.textDiffs.map((diff: { modified?: unknown }) => diff.modified) : [];
  return [input?.uri, input?.modified, ...inner].filter(isOurs);
}

export function isManyFiles(tab: Tab): boolean {
  return Array.isArray((tab.input as { textDiffs?: unknown } | undefined)?.textDiffs);
}

export function requestKeysOf(tab: Tab): ReadonlySet<string> {
  return new Set(ourUris(tab).map(requestKeyOf).filter((key) => key !== undefined));
}

function isOurs(value: unknown): value is Uri {
  const uri = value as Partial<Uri> | undefined;
  return typeof uri?.scheme === 'string' && typeof uri.authority === 'string' && SCHEMES.has(uri.scheme);
}

export type Placement = { readonly column: ViewColumn } | 'beside' | 'active' | 'nowhere';

/**
 * Where a preview that nobody asked for may open without covering what the person works in: a group that shows
 * our previews already, an empty editor area, else beside. While another request of ours is in front: nowhere.
 */
export function placeFor(groups: readonly TabGroup[], active: TabGroup): Placement {
  if (active.tabs.length === 0) return 'active';
  const other = groups.find((group) => group !== active && group.tabs.some((tab) => ourUris(tab).length > 0));
  if (other !== undefined) return { column: other.viewColumn };
  if (active.activeTab !== undefined && ourUris(active.activeTab).length > 0) return 'nowhere';
  return 'beside';
}
