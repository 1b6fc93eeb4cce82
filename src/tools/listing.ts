import type { ToolResult } from '../core/tool.ts';
import { drawControls, linesThatFit } from './limit.ts';

/** Most UTF-8 bytes of a list; a list that is longer is a question that was too wide. */
const LIST_LIMIT_BYTES = 32 * 1024;

export interface Listing {
  /** What was looked through. */
  readonly what: string;
  /** "3 entries", "1 file". */
  readonly unit: (count: number) => string;
  readonly lines: readonly string[];
  /** True when the search itself stopped at a limit. */
  readonly truncated: boolean;
  /** How to see the rest. */
  readonly advice: string;
}

/** A header that says how much of how much, then one line an item. Never claims to be complete when it is not. */
export function listed({ what, unit, lines, truncated, advice }: Listing): ToolResult {
  const oneLine = lines.map((line) => drawControls(line.replaceAll('\n', '\u240a')));
  const shown = linesThatFit(oneLine, LIST_LIMIT_BYTES);
  const cut = truncated || shown.length < lines.length;
  const amount = cut ? `first ${unit(shown.length)}, there are more` : unit(shown.length);
  const header = `[${drawControls(what)}: ${amount}${cut ? `. ${advice}` : ''}]`;
  return { status: 'succeeded', text: [header, ...shown].join('\n'), summary: cut ? `first ${unit(shown.length)}` : amount };
}
