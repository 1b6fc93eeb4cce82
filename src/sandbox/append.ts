import { constants } from 'node:fs';
import { lstat, mkdir, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_FOLLOW, openFolder } from './opened-folder.ts';
import type { OpenedFolder } from './opened-folder.ts';

/** Lines that stay: each resolved append is on the disk, whole, in the order of the calls. */
export interface AppendLog {
  /** Absolute. */
  readonly path: string;
  /**
   * Adds one line (no newline in it). Resolves only when it is durable. Concurrent calls share one write and
   * one sync. Rejects, with a message for a person, when the disk is full or refuses, and from then on always
   * when the file was removed, replaced or changed by something else.
   */
  append(line: string): Promise<void>;
  /** Waits for what was already given; later appends reject. */
  close(): Promise<void>;
}

const NEW_FILE = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;

/**
 * Starts `<folder>/.sluice/audit/<name>`, a file that must not exist yet (mode 0600), and puts a `.gitignore`
 * that covers all into `.sluice` when there is none. `folderReal` is absolute and without links. Rejects when
 * any level is a link, cannot be made or written, or the file is there already.
 */
export async function openAppendLog(folderReal: string, name: string): Promise<AppendLog> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) throw new RangeError(`the audit file name ${JSON.stringify(name)} is not a plain name`);
  const root = join(folderReal, '.sluice');
  try {
    const own = await openInside(folderReal, '.sluice');
    try {
      await ignoreAll(own);
    } finally {
      await own.close();
    }
    const audit = await openInside(root, 'audit');
    try {
      const handle = await open(audit.at(name), NEW_FILE, 0o600);
      await audit.sync();
      return createAppendLog(handle, join(root, 'audit', name));
    } finally {
      await audit.close();
    }
  } catch (error) {
    throw new Error(`The audit file cannot be started in ${root}: ${reasonOf(error)}`, { cause: error });
  }
}

async function openInside(parent: string, name: string): Promise<OpenedFolder> {
  const above = await openFolder(parent);
  try {
    await mkdir(above.at(name), 0o700).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  } finally {
    await above.close();
  }
  return openFolder(join(parent, name));
}

async function ignoreAll(folder: OpenedFolder): Promise<void> {
  const handle = await open(folder.at('.gitignore'), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, 0o644).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    await handle.writeFile('*\n');
  } finally {
    await handle.close();
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOSPC': case 'EDQUOT': return 'the disk is full; free some space and try again';
    case 'EACCES': case 'EPERM': return 'permission denied; make the folder writable';
    case 'EROFS': return 'the file system is read-only';
    case 'EEXIST': return 'the file is there already';
    case 'ELOOP': return 'a part of the path is a link';
    default: return message;
  }
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Raised when the file is no longer the one that was started; nothing can be appended any more. */
class LogLost extends Error {}

/** Over an open, empty, append-only file; `path` is where it must still be found after every write. */
export function createAppendLog(handle: FileHandle, path: string): AppendLog {
  const write = createWriter(handle, path);
  let waiting: Waiting[] = [];
  let working: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await write(Buffer.from(batch.map(({ line }) => `${line}\n`).join('')));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        const failure = new Error(`The audit cannot be written to ${path}: ${reasonOf(error)}`, { cause: error });
        for (const { reject } of batch) reject(failure);
      }
    }
    working = undefined;
  }

  return {
    path,
    append(line) {
      if (closing !== undefined) return Promise.reject(new Error(`The audit ${path} is closed.`));
      if (/[\n\r]/.test(line)) return Promise.reject(new RangeError('an audit record must be one line'));
      return new Promise((resolve, reject) => {
        waiting.push({ line, resolve, reject });
        working ??= work();
      });
    },
    close() {
      closing ??= Promise.resolve(working).then(() => handle.close());
      return closing;
    },
  };
}

/** Writes bytes whole and durably, or takes them back; refuses for good once the file is not the one it was. */
function createWriter(handle: FileHandle, path: string): (bytes: Buffer) => Promise<void> {
  let length = 0;
  let broken: LogLost | undefined;

  async function checkIdentity(): Promise<void> {
    const [ours, named] = await Promise.all([handle.stat(), lstat(path).catch(() => undefined)]);
    if (named === undefined) throw new LogLost('the file was removed while it was in use');
    if (named.ino !== ours.ino || named.dev !== ours.dev) throw new LogLost('the file was replaced while it was in use');
    if (ours.size !== length) throw new LogLost('the file was changed by another program');
  }

  return async (bytes) => {
    if (broken !== undefined) throw broken;
    try {
      for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
      await handle.datasync();
    } catch (error) {
      // A torn line must not stand before the next one.
      await handle.truncate(length).catch(() => { broken = new LogLost('half a line was written and could not be taken back'); });
      throw error;
    }
    length += bytes.length;
    await checkIdentity().catch((error: unknown) => {
      if (error instanceof LogLost) broken = error;
      throw error;
    });
  };
}
