import { HOLE, literal } from '../../../core/command/argument.ts';
import type { Draft } from '../../../core/command/analyse/draft.ts';
import type { ParsedOptions } from '../../../core/command/options.ts';
import { has } from './table.ts';

/** Words that start programs, read other files or load code; looked for in the whole text, strings included. */
const HARMFUL_WORD = /\b(?:system|getline|close|fflush|ENVIRON|PROCINFO|ARGV|ARGC|extension|nextfile|eval)\b|\/inet/;
const KEYWORD = /(?:^|[^\w.])(?:print|printf|return|in|else|do|case)$/;

/** True when an awk program only looks at its input and prints. */
export function awkIsPlain(program: string): boolean {
  if (HARMFUL_WORD.test(program)) return false;
  const code = codeOf(program);
  if (code === undefined) return false;
  return !/[@`\\]/.test(code) && !/\|(?!\|)/.test(code.replaceAll('||', '')) && !/\b(?:print|printf)\b[^;}\n]*>/.test(code) && !/\bFILENAME\s*=/.test(code);
}

/** The program without its strings and patterns; undefined when it cannot be told apart. */
function codeOf(program: string): string | undefined {
  let code = '';
  for (let at = 0; at < program.length; at += 1) {
    const char = program[at] ?? '';
    if (char === '#') {
      const end = program.indexOf('\n', at);
      at = end === -1 ? program.length : end;
      code += '\n';
    } else if (char === '"') {
      const end = skip(program, at, '"');
      if (end === undefined) return undefined;
      at = end;
      code += '""';
    } else if (char === '/' && startsPattern(code)) {
      const end = skip(program, at, '/');
      if (end === undefined || program.slice(at, end).includes('[/')) return undefined;
      at = end;
      code += ' 1 ';
    } else code += char;
  }
  return code;
}

function skip(text: string, from: number, mark: string): number | undefined {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\n') return undefined;
    if (char === '\\') at += 1;
    else if (char === mark) return at;
  }
  return undefined;
}

/** A slash after a value divides; anywhere else it opens a pattern. */
function startsPattern(code: string): boolean {
  const before = code.trimEnd();
  return before === '' || /[(,!~&|{};=?:<>+\-*%^]$/.test(before) || code.endsWith('\n') || KEYWORD.test(before);
}

/** `awk`: the program is the first operand unless a file holds it. */
export function judgeAwk(draft: Draft, parsed: ParsedOptions): void {
  const [program, ...files] = has(parsed, '-f') ? [literal('1'), ...parsed.operands] : parsed.operands;
  if (program === undefined) {
    draft.raise('unknown_option', 'awk without a program');
    return;
  }
  if (program.text.includes(HOLE)) draft.raise('dynamic_argument', 'an awk program that is not known');
  else if (!awkIsPlain(program.text)) draft.raise('inline_code', 'an awk program that does more than print');
  for (const word of files) {
    if (/^[A-Za-z_]\w*=/.test(word.text)) continue;
    if (word.text !== '-') draft.touch('read', word);
  }
}
