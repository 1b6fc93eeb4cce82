import { lstat, opendir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import path from 'node:path';
import type { PathResource } from '../core/call.ts';
import type { Bounded, DirectoryEntry, ReadProblem } from '../core/ports.ts';

/** Entries looked at before sorting; a directory with more is cut in the order of the file system. */
const SCAN_LIMIT = 20_000;

/** Entries by name, directories among them; links are named as links and not followed. */
export async function listDirectory(directory: PathResource, limit: number): Promise<Bounded<DirectoryEntry> | ReadProblem> {
  try {
    const stat = await lstat(directory.real);
    if (!stat.isDirectory()) return { problem: 'not_regular', message: `${directory.asked} is not a directory; read_file shows a file.` };
    const { entries, more } = await scan(directory.real);
    const shown = entries.sort((a, b) => a.name < b.name ? -1 : 1).slice(0, limit);
    const items = await Promise.all(shown.map((entry) => describe(directory.real, entry)));
    return { items, truncated: more || entries.length > limit };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') return { problem: 'missing', message: `${directory.asked} does not exist.` };
    return { problem: 'unreadable', message: `${directory.asked} cannot be listed (${code}).` };
  }
}

async function scan(real: string): Promise<{ entries: Dirent[]; more: boolean }> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(real)) {
    if (entries.length === SCAN_LIMIT) return { entries, more: true };
    entries.push(entry);
  }
  return { entries, more: false };
}

async function describe(parent: string, entry: Dirent): Promise<DirectoryEntry> {
  const kind = entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : entry.isFile() ? 'file' : 'other';
  const bytes = kind === 'file' ? await lstat(path.join(parent, entry.name)).then(({ size }) => size, () => undefined) : undefined;
  return { name: entry.name, kind, bytes };
}
