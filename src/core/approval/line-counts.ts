import { diffLines } from 'diff';
import type { FileChange } from '../call.ts';

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
  /** Lines of the text before. */
  readonly of: number;
}

/** Differing lines up to which the shortest difference is searched; beyond it the whole text counts as replaced. */
const MOST_EDITS = 1_500;

/** A removal this large, and at least half of the file, is said in words. */
const LOUD_REMOVAL = 20;

/** Lines added and removed; a changed line end is a changed line. Bounded: a rewrite of a large file counts whole. */
export function countLines(change: Pick<FileChange, 'before' | 'after'>): LineCounts {
  const of = lines(change.before);
  const parts = diffLines(change.before, change.after, { maxEditLength: MOST_EDITS });
  if (parts === undefined) return { added: lines(change.after), removed: of, of };
  let added = 0;
  let removed = 0;
  for (const part of parts) {
    if (part.added) added += part.count;
    if (part.removed) removed += part.count;
  }
  return { added, removed, of };
}

/** `+3 -1`, `+9`, `-2`; `no line changes` when only invisible things differ. */
export function plusMinus({ added, removed }: LineCounts): string {
  const parts = [added > 0 ? `+${added}` : '', removed > 0 ? `-${removed}` : ''].filter((part) => part !== '');
  return parts.length === 0 ? 'no line changes' : parts.join(' ');
}

/** Said when a change throws away much of a file: a whole-file write over a file that was there. */
export function lossWarning(change: FileChange, counts: LineCounts): string | undefined {
  if (change.change === 'create') return undefined;
  const lost = counts.removed - counts.added;
  if (counts.removed < LOUD_REMOVAL || counts.removed * 2 < counts.of || lost <= 0) return undefined;
  return `removes ${lost} lines`;
}

function lines(text: string): number {
  if (text === '') return 0;
  const breaks = text.split('\n').length - 1;
  return text.endsWith('\n') ? breaks : breaks + 1;
}
