import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import type { PathResource } from '../core/call.ts';
import type { ReadProblem, ReadProblemCode, Reading, TextFile } from '../core/ports.ts';
import { decodeText, digestBytes, encodeText, ENCODINGS, type Encoding } from './encoding.ts';
import { createLocator, type Locator, type LocatorOptions } from './paths.ts';

/** Largest file that is read as text, in bytes. */
export const READ_LIMIT_BYTES = 10 * 1024 * 1024;

/** A document that is open in the editor, by the real path of its file. */
export interface OpenDocument {
  readonly text: string;
  /** The editor's own name of the encoding, for example `windows1252`. */
  readonly encoding: string;
  /** Has text that is not on disk. */
  readonly dirty: boolean;
  /** Shown as a notebook: its text is not what the person sees. */
  readonly notebook: boolean;
}

/** What the editor has open. Absent in the terminal. */
export interface OpenDocuments {
  find(real: string): Promise<OpenDocument | undefined>;
}

export interface ReadingOptions extends LocatorOptions {
  readonly documents?: OpenDocuments | undefined;
}

export type HostReading = Reading & Pick<Locator, 'nameOf'>;

/**
 * Reads as the person sees it: unsaved text of an open document is the truth, else the bytes on disk. Only regular
 * files; nothing here blocks on a pipe or a device.
 */
export function createReading(options: ReadingOptions): HostReading {
  return {
    ...createLocator(options),
    digestText: (text, encoding) => digestBytes(encodeText(text, encoding)),
    readText: async (path) => {
      const document = await options.documents?.find(path.real);
      return fromEditor(path, document) ?? readDisk(path);
    },
  };
}

/** Undefined when the disk is the truth. */
function fromEditor(path: PathResource, document: OpenDocument | undefined): TextFile | ReadProblem | undefined {
  if (document === undefined) return undefined;
  if (document.notebook) {
    if (path.operation !== 'read') return problem('not_regular', `${path.asked} is open as a notebook. Close the notebook, then change the file.`);
    return document.dirty ? problem('not_regular', `${path.asked} is open as a notebook with unsaved changes. Save it, then read the file.`) : undefined;
  }
  const encoding = ENCODINGS.find((known) => known === document.encoding);
  if (encoding === undefined) return wrongEncoding(path, `is open as ${document.encoding}`);
  return document.dirty ? textFile(document.text, encoding, encodeText(document.text, encoding), 'editor') : undefined;
}

async function readDisk(path: PathResource): Promise<TextFile | ReadProblem> {
  let handle: FileHandle | undefined;
  try {
    const unusable = await whyNotReadable(path);
    if (unusable !== undefined) return unusable;
    handle = await open(path.real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    if (!(await handle.stat()).isFile()) return problem('not_regular', `${path.asked} is not a regular file.`);
    const bytes = await readBounded(handle);
    if (bytes === undefined) return problem('too_large', `${path.asked} is larger than 10 MB. Search in it with search_text, or print a part with a command.`);
    return decoded(path, bytes);
  } catch (error) {
    return explained(path, error);
  } finally {
    await handle?.close();
  }
}

async function whyNotReadable(path: PathResource): Promise<ReadProblem | undefined> {
  if (path.real.includes('\0')) return problem('unreadable', 'A path cannot hold NUL.');
  const stat = await lstat(path.real);
  if (stat.isDirectory()) return problem('directory', `${path.asked} is a directory; list_directory shows it.`);
  if (stat.isSymbolicLink() && path.fileKind === 'other') return problem('unreadable', `${path.asked} is a link that cannot be followed; it may lead in a circle.`);
  if (!stat.isFile() && !stat.isSymbolicLink()) return problem('not_regular', `${path.asked} is not a regular file (a pipe, socket or device).`);
  const moved = await realpath(path.real) !== path.real;
  return moved ? problem('unreadable', `${path.asked} leads somewhere else than when it was judged.`) : undefined;
}

/** Undefined when there is more than the limit, whatever size the file claims. */
async function readBounded(handle: FileHandle): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total <= READ_LIMIT_BYTES) {
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.allocUnsafe(256 * 1024), position: total });
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  return undefined;
}

function decoded(path: PathResource, bytes: Buffer): TextFile | ReadProblem {
  const result = decodeText(bytes);
  if (result === 'binary') return problem('binary', `${path.asked} is a binary file (it holds NUL bytes).`);
  if (result === 'encoding') return wrongEncoding(path, 'is neither UTF-8 nor UTF-16 with a byte order mark');
  return textFile(result.text, result.encoding, bytes, 'disk');
}

function textFile(text: string, encoding: Encoding, bytes: Buffer, source: TextFile['source']): TextFile {
  return { text, encoding, digest: digestBytes(bytes), bytes: bytes.length, source };
}

function wrongEncoding(path: PathResource, what: string): ReadProblem {
  return problem('encoding', `${path.asked} ${what}, so its bytes could not be kept. The person can use "Save with Encoding", UTF-8, in the editor first.`);
}

function explained(path: PathResource, error: unknown): ReadProblem {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  if (code === 'ENOENT') return problem('missing', `${path.asked} does not exist.`);
  if (code === 'ELOOP') return problem('unreadable', `${path.asked} is a link that leads in a circle.`);
  if (code === 'ENOTDIR') return problem('unreadable', `${path.asked}: a part of the path is a file, not a directory.`);
  if (code === 'EACCES' || code === 'EPERM') return problem('unreadable', `${path.asked} cannot be read: no permission.`);
  if (code === 'ENAMETOOLONG') return problem('unreadable', `${path.asked.slice(0, 100)}... is too long for a path.`);
  return problem('unreadable', `${path.asked} cannot be read (${code}).`);
}

function problem(code: ReadProblemCode, message: string): ReadProblem {
  return { problem: code, message };
}
