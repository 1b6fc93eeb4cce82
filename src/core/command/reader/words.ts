import { LIMITS } from '../limits.ts';
import type { Cursor } from './cursor.ts';
import { readAnsiQuoted, readDollar, readBackticks, readDoubleQuoted, checkHistory } from './expansions.ts';
import { readProcess } from './nested.ts';
import type { Piece, Word } from './script.ts';

const BREAK = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')', '']);
const PLAIN_RUN = /[A-Za-z0-9_./:@%+,=-]+/y;
const PLAIN_RUN_IN_BRACES = /[A-Za-z0-9_/:@%+=-]+|\.(?!\.)/y;

export interface WordMode {
  /** Inside `{a,b}`: a comma or closing brace ends the word. */
  readonly brace?: boolean;
  /** The value of an assignment: no brace expansion, a tilde also after a colon. */
  readonly value?: boolean;
  /** A regular expression of `[[ =~ ]]`: parentheses and bars are text. */
  readonly regex?: boolean;
}

export function isBreak(char: string): boolean {
  return BREAK.has(char);
}

/** Reads one word. The cursor must stand on its first character; an empty result means there is none. */
export function readWord(cursor: Cursor, mode: WordMode = {}): Word {
  cursor.countWord();
  const pieces: Piece[] = [];
  const begin = cursor.at;
  while (readPiece(cursor, pieces, mode, cursor.at === begin)) {
    if (pieces.length > LIMITS.pieces) cursor.fail('too_many', 'a word of too many parts');
  }
  return { pieces };
}

/** Joins neighbouring text of the same kind, so that a plain word is one piece. */
export function pushText(pieces: Piece[], text: string, quoted: boolean): void {
  const last = pieces[pieces.length - 1];
  if (last !== undefined && last.kind === 'text' && last.quoted === quoted) {
    pieces[pieces.length - 1] = { kind: 'text', text: last.text + text, quoted };
  } else pieces.push({ kind: 'text', text, quoted });
}

function readPiece(cursor: Cursor, pieces: Piece[], mode: WordMode, first: boolean): boolean {
  const char = cursor.peek();
  const run = mode.brace === true ? PLAIN_RUN_IN_BRACES : PLAIN_RUN;
  run.lastIndex = cursor.at;
  const plain = run.exec(cursor.text);
  if (plain !== null) {
    cursor.at += plain[0].length;
    pushText(pieces, plain[0], false);
    return true;
  }
  if (char === '\\') return readEscape(cursor, pieces);
  if (char === "'") return readSingleQuoted(cursor, pieces);
  if (char === '"') return readDoubleQuoted(cursor, pieces);
  if (char === '`') return readBackticks(cursor, pieces, false);
  if (char === '$') return readUnquotedDollar(cursor, pieces);
  if (mode.brace === true && (char === ',' || char === '}' || cursor.startsWith('..'))) return false;
  if ((char === '<' || char === '>') && cursor.peek(1) === '(') {
    if (!first) cursor.fail('unreadable', 'a process substitution inside a word');
    pieces.push(readProcess(cursor, char));
    return true;
  }
  if (BREAK.has(char)) return readBreak(cursor, pieces, mode, char);
  return readSpecial(cursor, pieces, mode, char, first);
}

function readBreak(cursor: Cursor, pieces: Piece[], mode: WordMode, char: string): boolean {
  if (mode.regex === true && (char === '(' || char === ')' || char === '|')) {
    cursor.at += 1;
    pushText(pieces, char, false);
    return true;
  }
  if (char === '(' && pieces.length > 0) cursor.fail('unreadable', 'a parenthesis inside a word');
  return false;
}

function readSpecial(cursor: Cursor, pieces: Piece[], mode: WordMode, char: string, first: boolean): boolean {
  if (char === '!') checkHistory(cursor, false);
  if (char === '~' && (first || (mode.value === true && cursor.text[cursor.at - 1] === ':'))) return readTilde(cursor, pieces);
  if (char === '{' && mode.value !== true && mode.regex !== true) return readBrace(cursor, pieces);
  if (char === '*' || char === '?' || (char === '[' && closesBracket(cursor))) {
    cursor.at += 1;
    pieces.push({ kind: 'glob', text: char });
    return true;
  }
  if (char === '^' && cursor.at === 0 && cursor.depth === 0) cursor.fail('history', 'a quick substitution from the history');
  const code = cursor.text.codePointAt(cursor.at) ?? 0;
  const whole = String.fromCodePoint(code);
  cursor.at += whole.length;
  pushText(pieces, whole, false);
  return true;
}

function closesBracket(cursor: Cursor): boolean {
  const end = Math.min(cursor.text.length, cursor.at + LIMITS.bracket);
  for (let index = cursor.at + 1; index < end; index += 1) {
    const char = cursor.text[index] ?? '';
    if (char === ']' && index > cursor.at + 1) return true;
    if (BREAK.has(char)) return false;
  }
  return end < cursor.text.length;
}

function readEscape(cursor: Cursor, pieces: Piece[]): boolean {
  const next = cursor.peek(1);
  if (next === '\n') {
    cursor.at += 2;
    return true;
  }
  if (next === '') cursor.fail('unreadable', 'a backslash at the end');
  const whole = String.fromCodePoint(cursor.text.codePointAt(cursor.at + 1) ?? 0);
  cursor.at += 1 + whole.length;
  pushText(pieces, whole, true);
  return true;
}

function readSingleQuoted(cursor: Cursor, pieces: Piece[]): boolean {
  const close = cursor.text.indexOf("'", cursor.at + 1);
  if (close === -1) cursor.fail('unreadable', 'a quote that is not closed');
  pushText(pieces, cursor.text.slice(cursor.at + 1, close), true);
  cursor.at = close + 1;
  return true;
}

function readUnquotedDollar(cursor: Cursor, pieces: Piece[]): boolean {
  const next = cursor.peek(1);
  if (next === "'") return readAnsiQuoted(cursor, pieces);
  if (next === '"') {
    cursor.at += 1;
    return readDoubleQuoted(cursor, pieces);
  }
  return readDollar(cursor, pieces, false);
}

function readTilde(cursor: Cursor, pieces: Piece[]): boolean {
  const match = /~[A-Za-z0-9_.+-]*/y;
  match.lastIndex = cursor.at;
  const text = match.exec(cursor.text)?.[0] ?? '~';
  const after = cursor.text[cursor.at + text.length] ?? '';
  cursor.at += text.length;
  if (after === '/' || after === ':' || after === '}' || after === ',' || BREAK.has(after)) pieces.push({ kind: 'tilde', text });
  else pushText(pieces, text, false);
  return true;
}

/** `{a,b}` and `{1..3}` expand; any other brace is text. */
function readBrace(cursor: Cursor, pieces: Piece[]): boolean {
  const begin = cursor.at;
  const { substitutions, processes } = cursor.census;
  const alternatives = cursor.nested(() => readAlternatives(cursor));
  if (alternatives !== undefined) {
    pieces.push({ kind: 'brace', alternatives });
    return true;
  }
  if (cursor.census.substitutions !== substitutions || cursor.census.processes !== processes) {
    cursor.fail('unreadable', 'a brace around a substitution');
  }
  cursor.at = begin + 1;
  pushText(pieces, '{', false);
  return true;
}

function readAlternatives(cursor: Cursor): readonly Word[] | undefined {
  cursor.at += 1;
  const found: Word[] = [];
  const begin = cursor.at;
  for (;;) {
    found.push(readWord(cursor, { brace: true }));
    if (found.length > LIMITS.words) cursor.fail('too_many', 'a brace with too many alternatives');
    if (cursor.take(',')) continue;
    if (cursor.startsWith('..')) return readSequence(cursor, begin);
    if (cursor.peek() === '}') break;
    return undefined;
  }
  if (found.length < 2) return undefined;
  cursor.at += 1;
  return found;
}

function readSequence(cursor: Cursor, begin: number): readonly Word[] | undefined {
  const match = /(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.-?\d{1,4})?\}/y;
  match.lastIndex = begin;
  const found = match.exec(cursor.text);
  if (found === null) {
    cursor.at = begin;
    cursor.fail('unreadable', 'a brace sequence');
  }
  cursor.at = begin + found[0].length;
  const texts = sequence(found[1] ?? '', found[2] ?? '');
  return texts.map((text): Word => ({ pieces: [{ kind: 'text', text, quoted: false }] }));
}

/** The ends and what lies between, at most 16 of them: enough to judge, the rest looks alike. */
function sequence(from: string, to: string): readonly string[] {
  const numeric = /\d/.test(from) && /\d/.test(to);
  const first = numeric ? Number(from) : from.charCodeAt(0);
  const last = numeric ? Number(to) : to.charCodeAt(0);
  const count = Math.min(Math.abs(last - first) + 1, 16);
  const step = last >= first ? 1 : -1;
  const texts = Array.from({ length: count }, (_, index) => first + index * step);
  if (!texts.includes(last)) texts.push(last);
  return texts.map((value) => (numeric ? String(value) : String.fromCharCode(value)));
}
