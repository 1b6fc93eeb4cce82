import { diffArrays } from 'diff';

/** Replace the UTF-16 units from `start` to `end` of the old text by `text`. */
export interface TextReplacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Beyond this many differing lines everything between the common ends is one replacement. */
const MAX_EDIT_LENGTH = 4_000;

/**
 * Small replacements that turn `before` into `after`, in order, none overlapping, none ending inside a CRLF or a
 * surrogate pair. Applied to an open document they leave cursors, folds and undo of the rest alone.
 */
export function minimalEdits(before: string, after: string): readonly TextReplacement[] {
  if (before === after) return [];
  const parts = diffArrays(linesOf(before), linesOf(after), { maxEditLength: MAX_EDIT_LENGTH });
  if (parts === undefined) return [trimmed(before, { start: 0, end: before.length, text: after })];
  const edits: TextReplacement[] = [];
  let at = 0;
  let pending: TextReplacement | undefined;
  for (const part of parts) {
    const text = part.value.join('');
    if (!part.added && !part.removed) {
      if (pending !== undefined) edits.push(trimmed(before, pending));
      pending = undefined;
      at += text.length;
      continue;
    }
    const so: TextReplacement = pending ?? { start: at, end: at, text: '' };
    pending = part.removed ? { ...so, end: so.end + text.length } : { ...so, text: so.text + text };
    if (part.removed) at += text.length;
  }
  if (pending !== undefined) edits.push(trimmed(before, pending));
  return edits;
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function trimmed(before: string, edit: TextReplacement): TextReplacement {
  const old = before.slice(edit.start, edit.end);
  const shorter = Math.min(old.length, edit.text.length);
  let head = 0;
  while (head < shorter && old[head] === edit.text[head]) head += 1;
  while (head > 0 && (splits(old, head) || splits(edit.text, head))) head -= 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === edit.text.at(-1 - tail)) tail += 1;
  while (tail > 0 && (splits(old, old.length - tail) || splits(edit.text, edit.text.length - tail))) tail -= 1;
  return { start: edit.start + head, end: edit.end - tail, text: edit.text.slice(head, edit.text.length - tail) };
}

/** Whether a cut at `at` would part a CRLF or a surrogate pair. */
function splits(text: string, at: number): boolean {
  const left = text.charCodeAt(at - 1);
  const right = text.charCodeAt(at);
  return (left === 0x0d && right === 0x0a) || (left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff);
}
