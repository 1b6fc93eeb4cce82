import { LIMITS } from '../limits.ts';
import { Cursor } from './cursor.ts';
import { readScript } from './commands.ts';
import { readQuotedPiece } from './expansions.ts';
import type { Arithmetic, Piece, Script, Word } from './script.ts';

/** `$( ... )`; the cursor stands on the dollar sign. */
export function readSubstitution(cursor: Cursor): Script {
  cursor.at += 2;
  cursor.census.substitutions += 1;
  return readParenthesised(cursor);
}

/** `<( ... )` and `>( ... )`. */
export function readProcess(cursor: Cursor, direction: '<' | '>'): Piece {
  cursor.at += 2;
  cursor.census.processes += 1;
  return { kind: 'process', direction, script: readParenthesised(cursor) };
}

function readParenthesised(cursor: Cursor): Script {
  const outer = cursor.pending;
  cursor.pending = [];
  const script = cursor.nested(() => readScript(cursor));
  if (!cursor.take(')')) cursor.fail('unreadable', 'a parenthesis that is not closed');
  if (cursor.pending.length > 0) cursor.fail('unreadable', 'a here-document without its end');
  cursor.pending = outer;
  return script;
}

/** Backticks: the text between them is unescaped once and read on its own. */
export function readBacktickScript(cursor: Cursor, quoted: boolean): Script {
  cursor.census.substitutions += 1;
  let text = '';
  cursor.at += 1;
  for (;;) {
    const char = cursor.peek();
    if (char === '') cursor.fail('unreadable', 'a backtick that is not closed');
    cursor.at += 1;
    if (char === '`') break;
    const next = cursor.peek();
    if (char === '\\' && next !== '' && ('`$\\'.includes(next) || (quoted && next === '"'))) {
      text += next;
      cursor.at += 1;
    } else text += char;
  }
  const inner = new Cursor(text, cursor);
  const script = readScript(inner);
  if (!inner.end || inner.pending.length > 0) cursor.fail('unreadable', 'backticks around something unfinished');
  return script;
}

const ARITHMETIC = /^[\sA-Za-z0-9_+\-*/%<>=!&|^~?:,()]*$/;
const VARIABLE = /\$(?:\{([A-Za-z_]\w*|#|\?)\}|([A-Za-z_]\w*|[#?0-9]))/g;

/**
 * An arithmetic expression up to `close`. Only numbers, operators and plain names are read: a subscript or a
 * substitution inside one runs commands.
 */
export function readArithmetic(cursor: Cursor, close: '))' | ';'): Arithmetic {
  let depth = 0;
  const begin = cursor.at;
  for (;; cursor.at += 1) {
    const char = cursor.peek();
    if (char === '' || char === '\n') cursor.fail('arithmetic', 'an arithmetic expression that is not closed');
    if (depth === 0 && cursor.startsWith(close)) break;
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (depth < 0) cursor.fail('arithmetic', 'an arithmetic expression that is not balanced');
    if (depth > LIMITS.depth) cursor.fail('too_deep', 'it is nested too deeply');
  }
  const text = cursor.text.slice(begin, cursor.at);
  cursor.at += close.length;
  return arithmeticOf(cursor, text);
}

function arithmeticOf(cursor: Cursor, text: string): Arithmetic {
  const bare = text.replace(VARIABLE, (_, braced: string | undefined, plain: string | undefined) => ` ${braced ?? plain ?? ''} `).replace(/ [#?] /g, ' 0 ');
  if (!ARITHMETIC.test(bare)) cursor.fail('arithmetic', 'an arithmetic expression that may run commands');
  const names = [...new Set(bare.match(/(?<![\w])[A-Za-z_]\w*/g) ?? [])];
  const sets = [...bare.matchAll(/([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)|([A-Za-z_]\w*)\s*(?:\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  return { text, names, sets };
}

/** The bodies of the here-documents that were opened on the line that has just ended. */
export function readHeredocBodies(cursor: Cursor): void {
  const { pending } = cursor;
  cursor.pending = [];
  for (const heredoc of pending) {
    const lines: string[] = [];
    for (;;) {
      if (cursor.end) cursor.fail('unreadable', 'a here-document without its end');
      const stop = cursor.text.indexOf('\n', cursor.at);
      const raw = cursor.text.slice(cursor.at, stop === -1 ? undefined : stop);
      cursor.at = stop === -1 ? cursor.text.length : stop + 1;
      const line = heredoc.stripTabs ? raw.replace(/^\t+/, '') : raw;
      if (line === heredoc.delimiter) break;
      if (!heredoc.quoted && /(?:^|[^\\])(?:\\\\)*\\$/.test(line)) cursor.fail('unreadable', 'a continued line in a here-document');
      lines.push(line);
    }
    const body = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
    heredoc.fill(heredoc.quoted ? { pieces: [{ kind: 'text', text: body, quoted: true }] } : readBody(cursor, body));
  }
}

function readBody(cursor: Cursor, body: string): Word {
  const inner = new Cursor(body, cursor);
  const pieces: Piece[] = [];
  while (!inner.end) readQuotedPiece(inner, pieces, '');
  return { pieces };
}
