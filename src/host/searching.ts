import path from 'node:path';
import type { PathResource } from '../core/call.ts';
import type { Bounded, Match, TextQuery } from '../core/ports.ts';
import { isWithin } from './paths.ts';
import type { HostReading } from './reading.ts';

/** Implemented in `sandbox/` with ripgrep. Paths are absolute; ignored files are left out, links are not followed. */
export interface SearchPort {
  files(root: string, glob: string, limit: number, signal: AbortSignal): Promise<Bounded<string>>;
  text(root: string, query: TextQuery, limit: number, signal: AbortSignal): Promise<Bounded<Match>>;
}

export interface SearchParts {
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly reading: HostReading;
  /** Files that are never named or shown. */
  readonly hidden: (path: PathResource) => boolean;
  readonly search: SearchPort;
}

/** Asked for beyond the limit, so that hits that must not be shown do not make the list look cut. */
const SPARE = 100;

export async function findIn(root: PathResource, glob: string, parts: SearchParts): Promise<Bounded<string>> {
  const found = await parts.search.files(root.real, glob, parts.limit + SPARE, parts.signal);
  const named = await namesOf(root, found.items, parts);
  const items = found.items.map((item) => named.get(item)).filter((name) => name !== undefined);
  return { items: items.slice(0, parts.limit), truncated: found.truncated || items.length > parts.limit };
}

export async function searchIn(root: PathResource, query: TextQuery, parts: SearchParts): Promise<Bounded<Match>> {
  const found = await parts.search.text(root.real, query, parts.limit + SPARE, parts.signal);
  const named = await namesOf(root, found.items.map((item) => item.path), parts);
  const items = found.items.flatMap((item) => {
    const name = named.get(item.path);
    return name === undefined ? [] : [{ ...item, path: name }];
  });
  return { items: items.slice(0, parts.limit), truncated: found.truncated || items.length > parts.limit };
}

/** Each hit is located again: what leads out of the searched place, or is hidden, has no name and is left out. */
async function namesOf(root: PathResource, hits: readonly string[], { reading, hidden }: SearchParts): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const hit of new Set(hits)) {
    const located = await reading.locate(path.resolve(root.real, hit), 'read');
    if (!isWithin(located.real, root.real, process.platform) || hidden(located)) continue;
    names.set(hit, await reading.nameOf(located.real));
  }
  return names;
}
