import { lineAt } from '../line-ends.ts';

/** Lines of the file compared in search of a near miss. */
const SEARCH_LIMIT = 200_000;

/**
 * A hint for a text that does not occur, in line numbers only: the content of a file is never in a refusal.
 * Both texts have LF ends.
 */
export function whyMissing(text: string, oldText: string, newText: string): string {
  const lines = text.split('\n');
  const wanted = oldText.split('\n');
  if (wanted.every((line) => line === '' || /^\d+\|/.test(line))) {
    return 'It still has the line-number prefixes of read_file: leave out the number and the | of each line.';
  }
  const near = likeIgnoringBlanks(lines, wanted);
  if (near !== undefined) {
    const { from, to } = near;
    return `${from === to ? `Line ${from} differs` : `Lines ${from} to ${to} differ`} only in blanks or tabs: read the file again and copy exactly.`;
  }
  const lower = text.toLowerCase().indexOf(oldText.toLowerCase());
  if (lower !== -1) return `Line ${lineAt(text, lower)} differs only in upper and lower case.`;
  if (newText.trim() !== '' && text.includes(newText)) {
    return `new_text is already there, at line ${lineAt(text, text.indexOf(newText))}.`;
  }
  const anchor = wanted.map(squeeze).reduce((longest, line) => line.length > longest.length ? line : longest, '');
  const at = anchor.length < 3 ? -1 : lines.slice(0, SEARCH_LIMIT).findIndex((line) => squeeze(line) === anchor);
  if (at !== -1) return `Line ${at + 1} is the same as one of its lines, but the lines around it differ: read the file again.`;
  return 'No line of the file is like it: read the file again.';
}

function squeeze(line: string): string {
  return line.replace(/[\s\u00a0\u200b]+/gu, ' ').trim();
}

/** Runs of lines that equal the wanted ones once blanks are squeezed; first and last line may be parts of lines. */
function likeIgnoringBlanks(lines: readonly string[], wanted: readonly string[]): { from: number; to: number } | undefined {
  const target = wanted.map(squeeze);
  while (target.at(-1) === '') target.pop();
  while (target[0] === '') target.shift();
  const [first] = target;
  if (first === undefined) return undefined;
  const last = Math.min(lines.length, SEARCH_LIMIT) - target.length;
  for (let start = 0; start <= last; start += 1) {
    if (target.every((line, index) => matches(squeeze(lines[start + index]!), line, index, target.length))) {
      return { from: start + 1, to: start + target.length };
    }
  }
  return undefined;
}

function matches(line: string, wanted: string, index: number, count: number): boolean {
  if (count === 1) return line.includes(wanted);
  if (index === 0) return line.endsWith(wanted);
  return index === count - 1 ? line.startsWith(wanted) : line === wanted;
}
