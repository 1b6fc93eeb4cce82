import path from 'node:path';
import type { PathResource } from '../core/call.ts';
import type { Bounded, Match, TextQuery } from '../core/ports.ts';
import { isWithin } from './paths.ts';
import type { HostReading } from './reading.ts';

/** Where a search looks; absolute real paths. Results are relative to `folder`. */
export interface SearchPlace {
  readonly folder: string;
  readonly root: string;
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Paths it does not like are neither named nor counted. */
  readonly accept: (path: string) => boolean;
}

/** Implemented in `sandbox/` with ripgrep: ignored files are left out, links are not followed. */
export interface SearchPort {
  findFiles(glob: string, place: SearchPlace): Promise<Bounded<string>>;
  searchText(query: TextQuery, place: SearchPlace): Promise<Bounded<Match>>;
}

export interface SearchParts {
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly reading: HostReading;
  /** Files that are never named or shown, by their path relative to the folder. */
  readonly hidden: (path: string) => boolean;
  readonly search: SearchPort;
}

export async function findIn(root: PathResource, glob: string, parts: SearchParts): Promise<Bounded<string>> {
  const place = placeOf(root, parts);
  const found = await parts.search.findFiles(glob, place);
  const named = await namesOf(root, place.folder, found.items, parts.reading);
  return { items: found.items.map((item) => named.get(item)).filter((name) => name !== undefined), truncated: found.truncated };
}

export async function searchIn(root: PathResource, query: TextQuery, parts: SearchParts): Promise<Bounded<Match>> {
  const place = placeOf(root, parts);
  const found = await parts.search.searchText(query, place);
  const named = await namesOf(root, place.folder, found.items.map((item) => item.path), parts.reading);
  const items = found.items.flatMap((item) => {
    const name = named.get(item.path);
    return name === undefined ? [] : [{ ...item, path: name }];
  });
  return { items, truncated: found.truncated };
}

function placeOf(root: PathResource, { limit, signal, hidden }: SearchParts): SearchPlace {
  const folder = root.folder ?? (root.fileKind === 'file' ? path.dirname(root.real) : root.real);
  // A single file was judged by its own name; only what a wider search comes across is hidden.
  const accept = root.fileKind === 'file' ? () => true : (hit: string) => !hidden(hit);
  return { folder, root: root.real, limit, signal, accept };
}

/**
 * Names that lead back to the hits. Each hit is located again, so that one that leads out of the searched place
 * by now has no name and is left out.
 */
async function namesOf(root: PathResource, folder: string, hits: readonly string[], reading: HostReading): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const hit of new Set(hits)) {
    const { real } = await reading.locate(path.join(folder, hit), 'read');
    if (isWithin(real, root.real, process.platform)) names.set(hit, await reading.nameOf(real));
  }
  return names;
}
