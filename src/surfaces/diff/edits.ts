import { diffArrays } from 'diff';

const BREAK = /\r\n|\r|\n/;

/**
 * The text the person made of a proposal, or undefined when nothing was changed. The editor shows a text with
 * mixed line ends with one kind only; a line that was not touched keeps the end it had in the proposal.
 */
export function editedText(proposal: string, inEditor: string): string | undefined {
  const shown = proposal.toWellFormed();
  if (inEditor === shown) return undefined;
  const ends = lineEnds(shown);
  const kinds = new Set(ends.filter((end) => end !== ''));
  const proposed = shown.split(BREAK);
  const now = inEditor.split(BREAK);
  // A lone carriage return ends a line for the editor, which never writes one: the same case as mixed ends.
  if (kinds.size <= 1 && !kinds.has('\r')) return inEditor;
  if (equal(proposed, now)) return undefined;
  return withEnds(proposed, ends, now, lineEnds(inEditor));
}

/** The end of each line of `text.split(BREAK)`; `''` for the last. */
function lineEnds(text: string): readonly string[] {
  return [...(text.match(/\r\n|\r|\n/g) ?? []), ''];
}

function withEnds(proposed: readonly string[], ends: readonly string[], now: readonly string[], nowEnds: readonly string[]): string {
  const parts = diffArrays([...proposed], [...now], { maxEditLength: 2_000 });
  if (parts === undefined) return join(now, nowEnds);
  const result: string[] = [];
  let from = 0;
  let to = 0;
  for (const part of parts) {
    if (part.removed) { from += part.count; continue; }
    for (let index = 0; index < part.count; index += 1, to += 1) {
      const own = nowEnds[to] ?? '';
      const kept = part.added ? undefined : ends[from + index];
      // The last line has no end; a line that stopped being or became the last follows the editor.
      result.push(`${now[to] ?? ''}${own === '' || kept === undefined || kept === '' ? own : kept}`);
    }
    if (!part.added) from += part.count;
  }
  return result.join('');
}

function join(lines: readonly string[], ends: readonly string[]): string {
  return lines.map((line, index) => line + (ends[index] ?? '')).join('');
}

function equal(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
