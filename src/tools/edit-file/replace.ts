import { diffArrays } from 'diff';
import { undrawControls } from '../limit.ts';
import { flavourOf, lineAt, toLf } from '../line-ends.ts';
import { whyMissing } from './why-missing.ts';

export interface Edit {
  readonly old_text: string;
  readonly new_text: string;
}

export interface EditFailure {
  readonly failure: string;
}

type LineEnd = '\n' | '\r\n';

/** Hits beyond this are not counted. */
const MAX_HITS = 1_000;
/** Line numbers named in a message. */
const NAMED_HITS = 20;
/** Beyond this many differing lines in one edit of a mixed file, line ends are matched by position. */
const MAX_EDIT_LENGTH = 2_000;

/**
 * Applies the edits in order, each to the text the one before it left. Line ends are ignored when matching and
 * kept when writing: inserted lines end as the lines around them do, and a line that an edit does not change
 * keeps its own end, also in a file that mixes both.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string | EditFailure {
  let current = text;
  for (const [index, edit] of edits.entries()) {
    const next = applyEdit(current, edit);
    if (typeof next !== 'string') return { failure: `${edits.length === 1 ? '' : `edit ${index + 1} of ${edits.length}: `}${next.failure}` };
    current = next;
  }
  return current;
}

function applyEdit(text: string, edit: Edit): string | EditFailure {
  const lf = toLf(text);
  const asWritten = { old: toLf(edit.old_text), new: toLf(edit.new_text) };
  // What read_file drew as a picture is tried as the control character it stands for, but only when the
  // picture itself is not in the file.
  const undrawn = { old: undrawControls(asWritten.old), new: undrawControls(asWritten.new) };
  const wanted = !lf.includes(asWritten.old) && lf.includes(undrawn.old) ? undrawn : asWritten;
  const hits = findAll(lf, wanted.old);
  const [hit] = hits;
  if (hit === undefined) return { failure: `old_text was not found. ${whyMissing(lf, wanted.old, wanted.new)}` };
  if (hits.length > 1) return { failure: ambiguous(lf, hits) };
  return replaceAt(text, { start: hit, old: wanted.old, new: wanted.new });
}

/** Overlapping hits count: "aa" occurs three times in "aaaa". */
function findAll(text: string, part: string): number[] {
  const hits: number[] = [];
  for (let at = text.indexOf(part); at !== -1 && hits.length < MAX_HITS; at = text.indexOf(part, at + 1)) hits.push(at);
  return hits;
}

function ambiguous(lf: string, hits: readonly number[]): string {
  const lines = hits.slice(0, NAMED_HITS).map((hit) => lineAt(lf, hit));
  const count = hits.length === MAX_HITS ? `at least ${MAX_HITS}` : `${hits.length}`;
  const named = lines.length > 1 ? `${lines.slice(0, -1).join(', ')}${hits.length > NAMED_HITS ? `, ${lines.at(-1)} and more` : ` and ${lines.at(-1)}`}` : '';
  return `old_text occurs ${count} times, starting at lines ${named}. Add lines around it until it occurs once.`;
}

/** `start` counts in the text with LF ends. */
interface Replacement {
  readonly start: number;
  readonly old: string;
  readonly new: string;
}

function replaceAt(text: string, at: Replacement): string {
  const start = offsetIn(text, at.start);
  const end = offsetIn(text, at.start + at.old.length);
  const flavour = flavourOf(text);
  const inserted = flavour === 'mixed' ? endedLikeAround(text, start, end, at.new)
    : flavour === 'crlf' ? at.new.replaceAll('\n', '\r\n') : at.new;
  return text.slice(0, start) + inserted + text.slice(end);
}

/** Where an offset of the LF text lies in the text itself; never inside a CRLF. */
function offsetIn(text: string, lfOffset: number): number {
  let pairs = 0;
  for (let at = text.indexOf('\r\n'); at !== -1 && at - pairs < lfOffset; at = text.indexOf('\r\n', at + 2)) pairs += 1;
  return lfOffset + pairs;
}

function endedLikeAround(text: string, start: number, end: number, newLf: string): string {
  const oldLines = text.slice(start, end).split(/\r?\n/);
  const oldEnds = [...text.slice(start, end).matchAll(/\r?\n/g)].map((match) => match[0] as LineEnd);
  const around = endAfter(text, end) ?? endBefore(text, start) ?? '\n';
  const newLines = newLf.split('\n');
  const ends = pairLines(oldLines, newLines).map((old) => (old === undefined ? undefined : oldEnds[old]) ?? around);
  return newLines.map((line, index) => index === newLines.length - 1 ? line : line + ends[index]!).join('');
}

/** For each new line the old line whose end it takes: itself when kept, else the one it replaces. */
function pairLines(oldLines: string[], newLines: string[]): (number | undefined)[] {
  const parts = diffArrays(oldLines, newLines, { maxEditLength: MAX_EDIT_LENGTH });
  if (parts === undefined) return newLines.map((_, index) => Math.min(index, oldLines.length - 1));
  const pairs: (number | undefined)[] = [];
  let old = 0;
  let replaced = 0;
  for (const part of parts) {
    if (part.removed) {
      old += part.count;
      replaced = part.count;
      continue;
    }
    for (let index = 0; index < part.count; index += 1) {
      if (!part.added) pairs.push(old + index);
      else pairs.push(replaced === 0 ? old : old - replaced + Math.min(index, replaced - 1));
    }
    if (!part.added) old += part.count;
    replaced = 0;
  }
  return pairs;
}

function endAfter(text: string, offset: number): LineEnd | undefined {
  const at = text.indexOf('\n', offset);
  if (at === -1) return undefined;
  return text[at - 1] === '\r' ? '\r\n' : '\n';
}

function endBefore(text: string, offset: number): LineEnd | undefined {
  const at = offset === 0 ? -1 : text.lastIndexOf('\n', offset - 1);
  if (at === -1) return undefined;
  return text[at - 1] === '\r' ? '\r\n' : '\n';
}
