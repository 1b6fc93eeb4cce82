import { constants } from 'node:fs';
import { lstat, open, readlink, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** Zero where the system has no such flag (Windows). */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const FOLDER_FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;

/** A folder held open, so that what is done in it stays in it whatever happens to its name. */
export interface OpenedFolder {
  /** The path of an entry. On Linux it leads through the open folder, elsewhere through its name. */
  at(name: string): string;
  /** Makes the folder's entries durable; does nothing where folders cannot be synced. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a folder whose path has no link in it. Rejects, naming the path, when it has one now or is no folder. */
export async function openFolder(path: string): Promise<OpenedFolder> {
  if (process.platform === 'win32') {
    await refuseLink(path);
    return { at: (name) => join(path, name), sync: () => Promise.resolve(), close: () => Promise.resolve() };
  }
  const handle = await open(path, FOLDER_FLAGS).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code;
    throw code === 'ELOOP' || code === 'ENOTDIR' ? new Error(`${path} is a link or no folder; nothing was written`, { cause: error }) : error;
  });
  try {
    const base = process.platform === 'linux' ? await throughDescriptor(handle, path) : path;
    if (base === path) await refuseLink(path);
    return { at: (name) => join(base, name), sync: () => handle.sync().catch(() => undefined), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function throughDescriptor(handle: FileHandle, path: string): Promise<string> {
  const base = `/proc/self/fd/${String(handle.fd)}`;
  const real = await readlink(base).catch(() => undefined);
  if (real === undefined) return path;
  if (real !== path) throw new Error(`${path} leads through a link to ${real}; nothing was written`);
  return base;
}

async function refuseLink(path: string): Promise<void> {
  if ((await realpath(path)) !== path || !(await lstat(path)).isDirectory()) throw new Error(`${path} is or leads through a link; nothing was written`);
}
