import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { access, link, lstat, mkdir, open, rename, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { StaleBase } from '../core/ports.ts';
import { NO_FOLLOW, openFolder } from './opened-folder.ts';
import type { OpenedFolder } from './opened-folder.ts';

export interface WriteOptions {
  /** `sha256:<hex>` of the bytes that must be there now, or `absent`. */
  readonly expectDigest: string;
  /** Permission bits of a new file; by default what the umask leaves of 0666. An existing file keeps its own. */
  readonly mode?: number | undefined;
  /** The path as errors name it; the real path by default. */
  readonly shownAs?: string | undefined;
}

export function digestOfBytes(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/**
 * Writes exactly `bytes` to `realPath` (absolute, without links when it was judged; looked at again now).
 * Readers see the old file or the new one, never a part: the bytes go to a file beside it, reach the disk, and
 * take the name. Mode and owner stay. Two exceptions are written in place instead, as a rename would break
 * them: a file with several hard links, and one that cannot be replaced (its folder is closed to us, its owner
 * cannot be kept, it is a mount point). Missing folders are made. A new file never overwrites another.
 * @throws StaleBase when what is there is not what `expectDigest` says.
 * @throws Error when the path is a link or not a regular file, is read-only, or the system refuses.
 */
export async function writeFileAtomically(realPath: string, bytes: Uint8Array, options: WriteOptions): Promise<void> {
  if (options.expectDigest === 'absent') await makeFolders(dirname(realPath));
  await inFolderOf(realPath, options, async (folder, name, shown) => {
    if (options.expectDigest === 'absent') await create(folder, name, bytes, options.mode ?? 0o666, shown);
    else await replace(folder, name, bytes, await judged(folder.at(name), options.expectDigest, shown), shown);
    await folder.sync();
  });
}

/** Removes the file. Same promises and errors as `writeFileAtomically`; the digest is compared right before. */
export async function removeFile(realPath: string, options: Pick<WriteOptions, 'expectDigest' | 'shownAs'>): Promise<void> {
  await inFolderOf(realPath, options, async (folder, name, shown) => {
    await judged(folder.at(name), options.expectDigest, shown);
    await unlink(folder.at(name));
    await folder.sync();
  });
}

async function inFolderOf(
  realPath: string, options: Pick<WriteOptions, 'shownAs'>, act: (folder: OpenedFolder, name: string, shown: string) => Promise<void>,
): Promise<void> {
  const shown = options.shownAs ?? realPath;
  const folder = await openFolder(dirname(realPath)).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? new StaleBase(shown) : error;
  });
  try {
    await act(folder, basename(realPath), shown);
  } finally {
    await folder.close();
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Makes what is missing, one folder at a time, each inside the opened one above it: a link cannot slip in. */
async function makeFolders(path: string): Promise<void> {
  const missing: string[] = [];
  let existing = path;
  while (await lstat(existing).then(() => false, (error: unknown) => codeOf(error) === 'ENOENT')) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  for (const name of missing) {
    const folder = await openFolder(existing);
    try {
      await mkdir(folder.at(name)).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error;
      });
    } finally {
      await folder.close();
    }
    existing = `${existing === '/' ? '' : existing}/${name}`;
  }
}

/** The state of a file whose bytes were just compared. */
async function judged(path: string, expectDigest: string, shown: string): Promise<Stats> {
  const found = await lstat(path).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? new StaleBase(shown) : error;
  });
  if (found.isSymbolicLink()) throw new Error(`${shown} is a link now; nothing was written`);
  if (!found.isFile()) throw new Error(`${shown} is not a regular file; nothing was written`);
  // A pipe that took the name meanwhile must not be waited for.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | NO_FOLLOW);
  try {
    if (digestOfBytes(await handle.readFile()) !== expectDigest) throw new StaleBase(shown);
    return await handle.stat();
  } finally {
    await handle.close();
  }
}

async function writeThrough(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  await handle.writeFile(bytes);
  await handle.sync();
}

/** A file beside the target, complete and on the disk, or nothing at all. */
async function beside(folder: OpenedFolder, name: string, bytes: Uint8Array, mode: number, finish: (handle: FileHandle) => Promise<void>): Promise<string> {
  const path = folder.at(`.${name.slice(0, 100)}.${randomBytes(8).toString('hex')}.tmp`);
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, mode);
  try {
    await writeThrough(handle, bytes);
    await finish(handle);
    return path;
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

async function create(folder: OpenedFolder, name: string, bytes: Uint8Array, mode: number, shown: string): Promise<void> {
  const temporary = await beside(folder, name, bytes, mode, () => Promise.resolve());
  try {
    await link(temporary, folder.at(name));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new StaleBase(shown);
    await createDirectly(folder.at(name), bytes, mode, shown);
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
}

/** For file systems without hard links. */
async function createDirectly(path: string, bytes: Uint8Array, mode: number, shown: string): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, mode).catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST' ? new StaleBase(shown) : error;
  });
  try {
    await writeThrough(handle, bytes);
  } finally {
    await handle.close();
  }
}

async function replace(folder: OpenedFolder, name: string, bytes: Uint8Array, base: Stats, shown: string): Promise<void> {
  const path = folder.at(name);
  await access(path, constants.W_OK).catch((error: unknown) => {
    throw new Error(`${shown} is read-only; nothing was written`, { cause: error });
  });
  if (base.nlink > 1) return overwrite(path, bytes, base, shown);
  const mode = base.mode & 0o7777;
  let temporary: string;
  try {
    temporary = await beside(folder, name, bytes, mode & 0o600, async (handle) => {
      const made = await handle.stat();
      if (made.uid !== base.uid || made.gid !== base.gid) await handle.chown(base.uid, base.gid);
      await handle.chmod(mode);
    });
  } catch (error) {
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return overwrite(path, bytes, base, shown);
    throw error;
  }
  try {
    await same(path, base, shown);
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    if (codeOf(error) === 'EBUSY') return overwrite(path, bytes, base, shown);
    throw error;
  }
}

/** The last look before the name changes hands: the file that was compared, untouched since. */
async function same(path: string, base: Stats, shown: string): Promise<void> {
  const now = await lstat(path).catch(() => undefined);
  if (now?.ino !== base.ino || now.dev !== base.dev || now.size !== base.size || now.mtimeMs !== base.mtimeMs) throw new StaleBase(shown);
}

async function overwrite(path: string, bytes: Uint8Array, base: Stats, shown: string): Promise<void> {
  await same(path, base, shown);
  const handle = await open(path, constants.O_WRONLY | NO_FOLLOW);
  try {
    if ((await handle.stat()).ino !== base.ino) throw new StaleBase(shown);
    await handle.truncate(0);
    await writeThrough(handle, bytes);
  } finally {
    await handle.close();
  }
}
