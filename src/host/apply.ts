import type { FileChange } from '../core/call.ts';
import { StaleBase } from '../core/ports.ts';
import { encodeText } from './encoding.ts';
import type { HostReading } from './reading.ts';

/** Implemented in `sandbox/`: the only raw writes. */
export interface FileWriter {
  /**
   * Replaces or creates the file at a real path, all or nothing; mode and owner stay. `expectDigest` is compared with
   * the bytes there at the last moment (`absent`: nothing may be there); a difference rejects with `StaleBase`.
   */
  writeFileAtomically(real: string, bytes: Uint8Array, options: { readonly expectDigest: string; readonly shownAs: string }): Promise<void>;
}

/** The editor's side of a write, see documents.ts. */
export interface EditorWriter {
  write(change: FileChange): Promise<void>;
}

export interface ApplyParts {
  readonly reading: HostReading;
  readonly files: FileWriter;
  readonly editor?: EditorWriter | undefined;
}

/**
 * Looks at every file first, so that one stale base among several stops all of them; then looks at each again
 * right before writing it. Text with unsaved changes in the editor is changed there and saved; every other file is
 * replaced on disk, and a clean open document follows by itself. Rejects with `StaleBase` or an error that names
 * what was already written.
 */
export async function applyChanges(changes: readonly FileChange[], parts: ApplyParts): Promise<void> {
  for (const change of changes) await recheck(change, parts.reading);
  const written: string[] = [];
  for (const change of changes) {
    try {
      await applyOne(change, parts);
    } catch (error) {
      if (written.length === 0) throw error;
      throw new Error(`${error instanceof Error ? error.message : 'The write failed'}. Already written: ${written.join(', ')}`, { cause: error });
    }
    written.push(change.path.asked);
  }
}

async function applyOne(change: FileChange, { reading, files, editor }: ApplyParts): Promise<void> {
  if (change.change === 'delete') throw new Error(`${change.path.asked}: deleting is not possible`);
  const source = await recheck(change, reading);
  if (source === 'editor') {
    if (editor === undefined) throw new StaleBase(change.path.asked);
    await editor.write(change);
    return;
  }
  const { real, asked } = change.path;
  await files.writeFileAtomically(real, encodeText(change.after, change.encoding), { expectDigest: change.baseDigest, shownAs: asked });
}

/** The path must lead to the same place and hold the same bytes as when it was judged. Returns where the base is. */
async function recheck(change: FileChange, reading: HostReading): Promise<'disk' | 'editor'> {
  const { asked, real, operation } = change.path;
  const located = await reading.locate(asked, operation);
  if (located.real !== real) throw new StaleBase(asked);
  const now = await reading.readText(located);
  if ('problem' in now) {
    if (now.problem === 'missing' && change.baseDigest === 'absent') return 'disk';
    throw new StaleBase(asked);
  }
  if (now.digest !== change.baseDigest) throw new StaleBase(asked);
  return now.source;
}
