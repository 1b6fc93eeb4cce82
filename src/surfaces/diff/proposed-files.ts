import * as vscode from 'vscode';
import { placeOf } from '../review/tabs.ts';

const BOM = [0xef, 0xbb, 0xbf] as const;

interface Entry {
  bytes: Uint8Array;
  changedAt: number;
  readonly readonly: boolean;
}

/**
 * The right sides of the diffs, in memory. Saving, also by auto-save, writes here and nowhere else. The bytes
 * start with a byte order mark so that the editor reads them as UTF-8 whatever `files.encoding` says; the mark
 * is not part of the text.
 */
export class ProposedFiles implements vscode.FileSystemProvider {
  readonly #entries = new Map<string, Entry>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #now: () => number;
  readonly onDidChangeFile = this.#changed.event;

  constructor(now: () => number) {
    this.#now = now;
  }

  put(place: string, text: string, readonly: boolean): void {
    this.#entries.set(place, { bytes: encode(text), changedAt: this.#now(), readonly });
  }

  drop(place: string): void {
    this.#entries.delete(place);
  }

  /** The text as last saved; undefined for what is not here. */
  text(place: string): string | undefined {
    const entry = this.#entries.get(place);
    return entry === undefined ? undefined : decode(entry.bytes);
  }

  dispose(): void {
    this.#entries.clear();
    this.#changed.dispose();
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const entry = this.#entries.get(placeOf(uri));
    if (entry !== undefined) {
      const stat = { type: vscode.FileType.File, ctime: 0, mtime: entry.changedAt, size: entry.bytes.length };
      return entry.readonly ? { ...stat, permissions: vscode.FilePermission.Readonly } : stat;
    }
    const place = placeOf(uri);
    const folder = place.endsWith('/') ? place : `${place}/`;
    for (const known of this.#entries.keys()) {
      if (known.startsWith(folder)) return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const entry = this.#entries.get(placeOf(uri));
    if (entry === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return entry.bytes;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const entry = this.#entries.get(placeOf(uri));
    if (entry === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    if (entry.readonly) throw vscode.FileSystemError.NoPermissions(uri);
    if (!startsWithMark(content)) throw vscode.FileSystemError.NoPermissions('A proposal is kept as UTF-8 with BOM; its own encoding is restored when it is applied.');
    entry.bytes = content;
    entry.changedAt = Math.max(this.#now(), entry.changedAt + 1);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

function encode(text: string): Uint8Array {
  const body = new TextEncoder().encode(text);
  const bytes = new Uint8Array(BOM.length + body.length);
  bytes.set(BOM);
  bytes.set(body, BOM.length);
  return bytes;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes);
}

function startsWithMark(bytes: Uint8Array): boolean {
  return BOM.every((byte, index) => bytes[index] === byte);
}
