import type { Cursor } from './cursor.ts';
import { readCompound, readFunction, RESERVED_ENDS } from './compound.ts';
import { readHeredocBodies } from './nested.ts';
import { atRedirect, readRedirect } from './redirects.ts';
import type { Assignment, Command, Pipeline, Redirect, Script, Simple, Word } from './script.ts';
import { readWord } from './words.ts';

/** Reads pipelines until the end of the text or something that ends a block: `)`, `;;`, `fi`, `done` ... The caller says which it wanted. */
export function readScript(cursor: Cursor): Script {
  const pipelines: Pipeline[] = [];
  for (;;) {
    cursor.skipLines(readHeredocBodies);
    if (cursor.end || atEnd(cursor)) return { pipelines };
    readChain(cursor, pipelines);
    cursor.skipBlanks();
    if (cursor.peek() === '#') cursor.skipComment();
    if (cursor.startsWith(';;') || cursor.startsWith(';&')) return { pipelines };
    if (cursor.peek() === ';' || cursor.peek() === '&') cursor.at += 1;
    else if (cursor.peek() !== '\n') return { pipelines };
  }
}

function atEnd(cursor: Cursor): boolean {
  if (cursor.peek() === ')' || cursor.startsWith(';;')) return true;
  RESERVED_ENDS.lastIndex = cursor.at;
  return RESERVED_ENDS.test(cursor.text);
}

/** `a && b || c`, with a trailing `&` noted on each part that it sends to the background. */
function readChain(cursor: Cursor, into: Pipeline[]): void {
  const first = into.length;
  into.push(readPipeline(cursor, ';'));
  for (;;) {
    cursor.skipBlanks();
    const join = cursor.take('&&') ? '&&' : cursor.take('||') ? '||' : undefined;
    if (join === undefined) break;
    cursor.skipLines(readHeredocBodies);
    into.push(readPipeline(cursor, join));
  }
  if (cursor.peek() !== '&') return;
  for (let index = first; index < into.length; index += 1) {
    const pipeline = into[index];
    if (pipeline !== undefined) into[index] = { ...pipeline, background: true };
  }
}

const PREFIX = /(!|time(?:[ \t]+-p)?(?:[ \t]+--)?|coproc)(?=[ \t\n]|$)/y;

function readPipeline(cursor: Cursor, join: Pipeline['join']): Pipeline {
  let coprocess = false;
  for (;;) {
    cursor.skipBlanks();
    PREFIX.lastIndex = cursor.at;
    const prefix = PREFIX.exec(cursor.text);
    if (prefix === null) break;
    coprocess ||= prefix[1] === 'coproc';
    cursor.at += prefix[0].length;
  }
  const commands = [readCommand(cursor)];
  for (;;) {
    cursor.skipBlanks();
    if (cursor.startsWith('||') || !cursor.take('|')) break;
    cursor.take('&');
    cursor.skipLines(readHeredocBodies);
    commands.push(readCommand(cursor));
  }
  return { join, commands, background: false, coprocess };
}

function readCommand(cursor: Cursor): Command {
  return cursor.nested(() => readCompound(cursor) ?? readFunction(cursor) ?? readSimple(cursor));
}

const ASSIGNMENT = /([A-Za-z_]\w*)(\[[^\]\n]*\])?(\+?)=/y;

function readSimple(cursor: Cursor): Simple {
  const assignments: Assignment[] = [];
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  for (;;) {
    cursor.skipBlanks();
    if (cursor.peek() === '#') cursor.skipComment();
    if (atRedirect(cursor)) {
      redirects.push(readRedirect(cursor));
      continue;
    }
    const assignment = words.length === 0 ? readAssignment(cursor) : undefined;
    if (assignment !== undefined) {
      assignments.push(assignment);
      continue;
    }
    const word = readWord(cursor);
    if (word.pieces.length === 0) break;
    words.push(word);
  }
  if (words.length > 0) cursor.countCommand();
  if (words.length + assignments.length + redirects.length === 0) cursor.fail('unreadable', 'a command is missing');
  if (cursor.peek() === '(') cursor.fail('unreadable', 'a parenthesis after a word');
  return { kind: 'simple', assignments, words, redirects };
}

function readAssignment(cursor: Cursor): Assignment | undefined {
  ASSIGNMENT.lastIndex = cursor.at;
  const match = ASSIGNMENT.exec(cursor.text);
  if (match === null) return undefined;
  if (match[2] !== undefined && !/^\[\d{1,6}\]$/.test(match[2])) cursor.fail('arithmetic', 'a subscript that the shell evaluates');
  cursor.at += match[0].length;
  const base = { name: match[1] ?? '', append: match[3] === '+' || match[2] !== undefined };
  if (cursor.peek() === '(') return { ...base, value: { pieces: [] }, elements: readElements(cursor) };
  return { ...base, value: readWord(cursor, { value: true }), elements: undefined };
}

function readElements(cursor: Cursor): readonly Word[] {
  cursor.at += 1;
  const elements: Word[] = [];
  for (;;) {
    cursor.skipLines(readHeredocBodies);
    if (cursor.take(')')) return elements;
    if (cursor.peek() === '[') cursor.fail('arithmetic', 'a subscript that the shell evaluates');
    const word = readWord(cursor);
    if (word.pieces.length === 0) cursor.fail('unreadable', 'a list that is not closed');
    elements.push(word);
  }
}
