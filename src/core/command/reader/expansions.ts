import type { Cursor } from './cursor.ts';
import { readArithmetic, readBacktickScript, readSubstitution } from './nested.ts';
import { pushText, readWord } from './words.ts';
import type { Piece, Word } from './script.ts';

const NAME = /[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[?#$!*@-]/y;
const PARAMETER_OPERATOR = /:[-=+?]|##?|%%?|\/\/|\/#|\/%|\/|\^\^?|,,?|[-=+?]/y;

/** A `!` that an interactive shell would replace by an earlier command. */
export function checkHistory(cursor: Cursor, inDoubleQuotes: boolean): void {
  const next = cursor.peek(1);
  const before = cursor.text[cursor.at - 1] ?? '';
  if (next === '' || ' \t\n=('.includes(next) || before === '[' || before === '{') return;
  if (inDoubleQuotes && next === '"') return;
  if (!inDoubleQuotes && (next === ';' || next === ')')) return;
  cursor.fail('history', 'a word that the shell may replace from its history');
}

const DOUBLE_RUN = /[^"\\$`!]+/y;

export function readDoubleQuoted(cursor: Cursor, pieces: Piece[]): boolean {
  cursor.at += 1;
  if (cursor.peek() === '"') pushText(pieces, '', true);
  for (;;) {
    if (cursor.end) cursor.fail('unreadable', 'a quote that is not closed');
    if (cursor.take('"')) return true;
    readQuotedPiece(cursor, pieces, '"');
  }
}

/** One piece of double-quoted text, a here-document body or a quoted parameter argument. */
export function readQuotedPiece(cursor: Cursor, pieces: Piece[], quote: '"' | ''): void {
  const char = cursor.peek();
  if (char === '\\') {
    const next = cursor.peek(1);
    if (next === '\n') cursor.at += 2;
    else if (next !== '' && ('$`\\'.includes(next) || next === quote)) {
      pushText(pieces, next, true);
      cursor.at += 2;
    } else {
      pushText(pieces, '\\', true);
      cursor.at += 1;
    }
  } else if (char === '`') readBackticks(cursor, pieces, true);
  else if (char === '$') readDollar(cursor, pieces, true);
  else if (char === '!') {
    if (quote === '"') checkHistory(cursor, true);
    pushText(pieces, '!', true);
    cursor.at += 1;
  } else readQuotedRun(cursor, pieces);
}

function readQuotedRun(cursor: Cursor, pieces: Piece[]): void {
  DOUBLE_RUN.lastIndex = cursor.at;
  const run = DOUBLE_RUN.exec(cursor.text)?.[0] ?? cursor.peek();
  pushText(pieces, run, true);
  cursor.at += run.length;
}

export function readBackticks(cursor: Cursor, pieces: Piece[], quoted: boolean): boolean {
  pieces.push({ kind: 'substitution', script: readBacktickScript(cursor, quoted), quoted });
  return true;
}

/** Everything that starts with `$` except the quotes `$'` and `$"`. */
export function readDollar(cursor: Cursor, pieces: Piece[], quoted: boolean): boolean {
  if (cursor.startsWith('$((')) {
    cursor.at += 3;
    pieces.push({ kind: 'arithmetic', expression: readArithmetic(cursor, '))'), quoted });
    return true;
  }
  if (cursor.startsWith('$(')) {
    pieces.push({ kind: 'substitution', script: readSubstitution(cursor), quoted });
    return true;
  }
  if (cursor.startsWith('$[')) cursor.fail('arithmetic', 'an old-style arithmetic expansion');
  if (cursor.startsWith('${')) return readBraced(cursor, pieces, quoted);
  NAME.lastIndex = cursor.at + 1;
  const name = NAME.exec(cursor.text)?.[0];
  if (name === undefined) {
    pushText(pieces, '$', quoted);
    cursor.at += 1;
    return true;
  }
  const used = /^[0-9]/.test(name) ? name.slice(0, 1) : name;
  cursor.at += 1 + used.length;
  pieces.push({ kind: 'parameter', name: used, quoted, operator: undefined, argument: undefined });
  return true;
}

function readBraced(cursor: Cursor, pieces: Piece[], quoted: boolean): boolean {
  cursor.at += 2;
  const length = cursor.peek() === '#' && cursor.peek(1) !== '}';
  if (length) cursor.at += 1;
  if (cursor.peek() === '!') cursor.fail('transformation', 'an indirect variable');
  NAME.lastIndex = cursor.at;
  const name = NAME.exec(cursor.text)?.[0];
  if (name === undefined) cursor.fail('unreadable', 'a variable with no name');
  cursor.at += name.length;
  const all = readSubscript(cursor);
  if (cursor.take('}')) {
    pieces.push({ kind: 'parameter', name, quoted, operator: length ? 'length' : all, argument: undefined });
    return true;
  }
  if (length) cursor.fail('unreadable', 'a length of something else than a name');
  if (cursor.peek() === '@') cursor.fail('transformation', 'a variable that the shell evaluates again');
  pieces.push(readOperation(cursor, name, quoted));
  return true;
}

function readSubscript(cursor: Cursor): string | undefined {
  if (cursor.peek() !== '[') return undefined;
  const match = /\[(?:@|\*|-?\d{1,6})\]/y;
  match.lastIndex = cursor.at;
  const found = match.exec(cursor.text);
  if (found === null) cursor.fail('arithmetic', 'a subscript that the shell evaluates');
  cursor.at += found[0].length;
  return 'all';
}

function readOperation(cursor: Cursor, name: string, quoted: boolean): Piece {
  const slice = /:\s*-?\d{1,9}(?::-?\d{1,9})?\}/y;
  slice.lastIndex = cursor.at;
  const sliced = slice.exec(cursor.text);
  if (sliced !== null) {
    cursor.at += sliced[0].length;
    return { kind: 'parameter', name, quoted, operator: 'slice', argument: undefined };
  }
  PARAMETER_OPERATOR.lastIndex = cursor.at;
  const operator = PARAMETER_OPERATOR.exec(cursor.text)?.[0];
  if (operator === undefined) cursor.fail('arithmetic', 'a variable operation that the shell evaluates');
  cursor.at += operator.length;
  return { kind: 'parameter', name, quoted, operator, argument: cursor.nested(() => readArgument(cursor, quoted)) };
}

/** The word inside `${name:-word}`, up to the closing brace. */
function readArgument(cursor: Cursor, quoted: boolean): Word {
  const pieces: Piece[] = [];
  for (;;) {
    const char = cursor.peek();
    if (char === '') cursor.fail('unreadable', 'a variable that is not closed');
    if (cursor.take('}')) return { pieces };
    if (char === '"') readDoubleQuoted(cursor, pieces);
    else if (char === '\\' || char === '`' || char === '$') readQuotedPiece(cursor, pieces, '');
    else if (char === "'" && !quoted) pieces.push(...readWord(cursor, { brace: true }).pieces);
    else if (char === "'" || char === '<' || char === '>') cursor.fail('unreadable', 'a quote or bracket inside a variable');
    else if (char === '{') cursor.fail('unreadable', 'a brace inside a variable');
    else {
      pushText(pieces, char, quoted);
      cursor.at += 1;
    }
  }
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  n: '\n', t: '\t', '\\': '\\', "'": "'", '"': '"', '?': '?', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', r: '\r', v: '\v',
};
const NUMERIC_ESCAPE = /x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}/y;

/** `$'...'`: the shell decodes it, and so do we. */
export function readAnsiQuoted(cursor: Cursor, pieces: Piece[]): boolean {
  cursor.at += 2;
  let text = '';
  for (;;) {
    const char = cursor.peek();
    if (char === '') cursor.fail('unreadable', 'a quote that is not closed');
    cursor.at += 1;
    if (char === "'") break;
    text += char === '\\' ? readAnsiEscape(cursor) : char;
  }
  pushText(pieces, text, true);
  return true;
}

function readAnsiEscape(cursor: Cursor): string {
  const char = cursor.peek();
  const simple = SIMPLE_ESCAPES[char];
  if (simple !== undefined) {
    cursor.at += 1;
    return simple;
  }
  NUMERIC_ESCAPE.lastIndex = cursor.at;
  const numeric = NUMERIC_ESCAPE.exec(cursor.text)?.[0];
  if (numeric === undefined) cursor.fail('unreadable', 'an unusual escape');
  cursor.at += numeric.length;
  const value = /^[xuU]/.test(numeric) ? parseInt(numeric.slice(1), 16) : parseInt(numeric, 8);
  if (value === 0 || value > 0x10ffff || (numeric.startsWith('x') || /^[0-7]/.test(numeric) ? value > 127 : false)) {
    cursor.fail('unreadable', 'an escape that is no character');
  }
  return String.fromCodePoint(value);
}
