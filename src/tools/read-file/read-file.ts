import { z } from 'zod';
import type { TextFile } from '../../core/ports.ts';
import { defineTool, type ToolResult } from '../../core/tool.ts';
import { drawControls, linesThatFit, RESULT_LIMIT_BYTES } from '../limit.ts';
import { splitLines } from '../line-ends.ts';
import { lineParameter, pathParameter } from '../parameters.ts';
import { failed, isProblem, pathSubject, plural, shownPath, unread, versionNote } from '../subject.ts';

/** Most UTF-16 units shown of one line; the rest is named, not shown. */
const LINE_LIMIT = 10_000;
/** Kept free for the header and the notices. */
const HEADER_RESERVE = 6_000;

const schema = z.strictObject({
  path: pathParameter,
  start_line: lineParameter.optional(),
  end_line: lineParameter.optional(),
});

/**
 * The result is one header line in brackets, then `<number>|<line>` for each line. Everything after the first
 * `|` is the line as it is, so cutting `^\d+\|` gives text that `edit_file` finds. Line ends and a byte order
 * mark are not shown. A line longer than `LINE_LIMIT` is followed by a bracketed line without a number.
 */
export const readFile = defineTool<z.infer<typeof schema>>({
  name: 'read_file',
  description: 'Read a text file. After a header line, each line is `number|text`; the text after the first | is exact.',
  schema,
  capabilities: ['fs.read'],
  risk: 'read_only',
  profiles: ['minimal', 'messaging', 'coding', 'full'],
  resolve: async ({ path }, { reading }) => {
    const located = await reading.locate(path, 'read');
    return { subject: pathSubject('Read a file', located), resources: [located], changes: [] };
  },
  run: async (args, { resources }, effects) => {
    const path = resources[0];
    if (path?.kind !== 'path') return failed('Nothing to read.', 'nothing to read');
    const file = await effects.readText(path);
    return isProblem(file) ? unread(file) : showLines(shownPath(path), file, args.start_line ?? 1, args.end_line);
  },
});

function showLines(path: string, file: TextFile, from: number, to: number | undefined): ToolResult {
  const lines = splitLines(file.text);
  const total = lines.length;
  const notes = [versionNote(file)];
  if (total === 0) return { status: 'succeeded', text: header(path, ['empty file', ...notes]), summary: 'empty' };
  if (from > total) return failed(`${path} has ${plural(total, 'line')}; start_line ${from} is past its end.`, 'past the end');
  const last = Math.min(to ?? total, total);
  if (last < from) return failed(`end_line ${last} lies before start_line ${from}.`, 'empty range');

  const wanted = lines.slice(from - 1, last).map((line, index) => numbered(from + index, line));
  const shown = linesThatFit(wanted, RESULT_LIMIT_BYTES - HEADER_RESERVE);
  const end = from + shown.length - 1;
  if (end < last) notes.push(`cut at the size limit, go on with start_line ${end + 1}`);
  else if (end < total) notes.push(`more follows from line ${end + 1}`);
  if (end === total && !file.text.endsWith('\n')) notes.push('no newline at the end');
  const raw = shown.join('\n');
  const text = drawControls(raw);
  if (text !== raw) notes.push('control characters drawn as pictures');
  const range = shown.length === total ? `all ${plural(total, 'line')}` : `lines ${from}-${end} of ${total}`;
  return { status: 'succeeded', text: `${header(path, [range, ...notes])}\n${text}`, summary: range };
}

function header(path: string, parts: readonly (string | undefined)[]): string {
  return `[${path}: ${parts.filter((part) => part !== undefined).join('; ')}]`;
}

function numbered(number: number, line: string): string {
  if (line.length <= LINE_LIMIT) return `${number}|${line}`;
  const head = line.slice(0, line.codePointAt(LINE_LIMIT - 1)! > 0xffff ? LINE_LIMIT - 1 : LINE_LIMIT);
  return `${number}|${head}\n[line ${number} is cut: ${head.length} of ${line.length} characters shown]`;
}
