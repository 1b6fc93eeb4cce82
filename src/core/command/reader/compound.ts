import type { Cursor } from './cursor.ts';
import { readScript } from './commands.ts';
import { readArithmetic, readHeredocBodies } from './nested.ts';
import { readRedirects } from './redirects.ts';
import type { Arithmetic, Command, Script, Word } from './script.ts';
import { readWord } from './words.ts';

export const RESERVED_ENDS = /(?:then|elif|else|fi|do|done|esac|\})(?=[\s;&|<>()]|$)/y;
const RESERVED_STARTS = /(?:if|while|until|for|select|case|function|\{|\[\[)(?=[\s;&|<>()]|$)/y;

/** A compound command, or undefined when the cursor stands on something else. */
export function readCompound(cursor: Cursor): Command | undefined {
  if (cursor.startsWith('((')) {
    cursor.at += 2;
    cursor.countCommand();
    const expression = readArithmetic(cursor, '))');
    return { kind: 'arithmetic', expression, redirects: readRedirects(cursor) };
  }
  if (cursor.peek() === '(') return readSubshell(cursor);
  RESERVED_STARTS.lastIndex = cursor.at;
  const word = RESERVED_STARTS.exec(cursor.text)?.[0];
  if (word === undefined) return undefined;
  cursor.at += word.length;
  if (word === 'if') return readIf(cursor);
  if (word === 'while' || word === 'until') return readLoop(cursor);
  if (word === 'for' || word === 'select') return readFor(cursor, word === 'select');
  if (word === 'case') return readCase(cursor);
  if (word === 'function') return readNamedFunction(cursor);
  if (word === '[[') return readTest(cursor);
  const body = full(cursor, readScript(cursor));
  expect(cursor, '}');
  return { kind: 'group', subshell: false, body, redirects: readRedirects(cursor) };
}

function readSubshell(cursor: Cursor): Command {
  cursor.at += 1;
  const body = full(cursor, readScript(cursor));
  expect(cursor, ')');
  return { kind: 'group', subshell: true, body, redirects: readRedirects(cursor) };
}

function full(cursor: Cursor, script: Script): Script {
  if (script.pipelines.length === 0) cursor.fail('unreadable', 'a block without a command');
  return script;
}

const WORDS: Readonly<Record<string, RegExp>> = Object.fromEntries(
  ['then', 'elif', 'else', 'fi', 'do', 'done', 'in', 'esac'].map((word) => [word, new RegExp(`${word}(?=[\\s;&|<>()]|$)`, 'y')]),
);

function takeWord(cursor: Cursor, word: string): boolean {
  cursor.skipLines(readHeredocBodies);
  const pattern = WORDS[word];
  if (pattern === undefined) return cursor.take(word);
  pattern.lastIndex = cursor.at;
  if (!pattern.test(cursor.text)) return false;
  cursor.at += word.length;
  return true;
}

function expect(cursor: Cursor, word: string): void {
  if (!takeWord(cursor, word)) cursor.fail('unreadable', `"${word}" is missing`);
}

function readIf(cursor: Cursor): Command {
  const bodies = [full(cursor, readScript(cursor))];
  expect(cursor, 'then');
  bodies.push(full(cursor, readScript(cursor)));
  for (;;) {
    if (takeWord(cursor, 'elif')) {
      bodies.push(full(cursor, readScript(cursor)));
      expect(cursor, 'then');
      bodies.push(full(cursor, readScript(cursor)));
    } else if (takeWord(cursor, 'else')) bodies.push(full(cursor, readScript(cursor)));
    else break;
  }
  expect(cursor, 'fi');
  return { kind: 'if', bodies, redirects: readRedirects(cursor) };
}

function readLoop(cursor: Cursor): Command {
  const condition = full(cursor, readScript(cursor));
  const body = readDo(cursor);
  return { kind: 'loop', condition, body, redirects: readRedirects(cursor) };
}

function readDo(cursor: Cursor): Script {
  expect(cursor, 'do');
  const body = full(cursor, readScript(cursor));
  expect(cursor, 'done');
  return body;
}

function readFor(cursor: Cursor, select: boolean): Command {
  cursor.skipBlanks();
  if (cursor.startsWith('((')) return readCount(cursor);
  const match = /[A-Za-z_]\w*/y;
  match.lastIndex = cursor.at;
  const name = match.exec(cursor.text)?.[0];
  if (name === undefined) cursor.fail('unreadable', 'a loop without a name');
  cursor.at += name.length;
  let words: Word[] | undefined;
  if (takeWord(cursor, 'in')) {
    words = [];
    for (;;) {
      cursor.skipBlanks();
      const word = readWord(cursor);
      if (word.pieces.length === 0) break;
      words.push(word);
    }
  }
  cursor.skipBlanks();
  cursor.take(';');
  return { kind: 'for', name, words, select, body: readDo(cursor), redirects: readRedirects(cursor) };
}

function readCount(cursor: Cursor): Command {
  cursor.at += 2;
  const expressions: Arithmetic[] = [readArithmetic(cursor, ';'), readArithmetic(cursor, ';'), readArithmetic(cursor, '))')];
  cursor.skipBlanks();
  cursor.take(';');
  return { kind: 'count', expressions, body: readDo(cursor), redirects: readRedirects(cursor) };
}

function readCase(cursor: Cursor): Command {
  cursor.skipBlanks();
  const subject = readWord(cursor);
  expect(cursor, 'in');
  const patterns: Word[] = [];
  const bodies: Script[] = [];
  while (!takeWord(cursor, 'esac')) {
    cursor.take('(');
    do {
      cursor.skipBlanks();
      const pattern = readWord(cursor);
      if (pattern.pieces.length === 0) cursor.fail('unreadable', 'a case without a pattern');
      patterns.push(pattern);
      cursor.skipBlanks();
    } while (cursor.take('|'));
    if (!cursor.take(')')) cursor.fail('unreadable', 'a case pattern that is not closed');
    bodies.push(readScript(cursor));
    cursor.skipBlanks();
    if (!cursor.take(';;&') && !cursor.take(';;') && !cursor.take(';&')) {
      expect(cursor, 'esac');
      break;
    }
  }
  return { kind: 'case', subject, patterns, bodies, redirects: readRedirects(cursor) };
}

const FUNCTION = /([^\s;&|<>()$`"'\\#{}=*?[\]]+)[ \t]*\([ \t]*\)/y;

/** `name() body`, or undefined. */
export function readFunction(cursor: Cursor): Command | undefined {
  FUNCTION.lastIndex = cursor.at;
  const match = FUNCTION.exec(cursor.text);
  if (match === null) return undefined;
  cursor.at += match[0].length;
  return readFunctionBody(cursor, match[1] ?? '');
}

function readNamedFunction(cursor: Cursor): Command {
  cursor.skipBlanks();
  const match = /([^\s;&|<>()$`"'\\#{}=*?[\]]+)(?:[ \t]*\([ \t]*\))?/y;
  match.lastIndex = cursor.at;
  const found = match.exec(cursor.text);
  if (found === null) cursor.fail('unreadable', 'a function without a name');
  cursor.at += found[0].length;
  return readFunctionBody(cursor, found[1] ?? '');
}

function readFunctionBody(cursor: Cursor, name: string): Command {
  cursor.census.functions += 1;
  cursor.skipLines(readHeredocBodies);
  const body = readCompound(cursor);
  if (body === undefined) cursor.fail('unreadable', 'a function without a body');
  return { kind: 'function', name, body, redirects: [] };
}

/** `[[ ... ]]`: words and operators in one row; grouping changes nothing for the judgement. */
function readTest(cursor: Cursor): Command {
  cursor.countCommand();
  const words: Word[] = [];
  let regex = false;
  for (;;) {
    cursor.skipLines(readHeredocBodies);
    if (cursor.take(']]')) break;
    if (cursor.end) cursor.fail('unreadable', 'a test that is not closed');
    const operator = ['&&', '||', '(', ')', '<', '>'].find((text) => !regex && cursor.startsWith(text));
    if (operator !== undefined) {
      cursor.at += operator.length;
      continue;
    }
    const word = readWord(cursor, { regex });
    if (word.pieces.length === 0) cursor.fail('unreadable', 'a test that is not understood');
    words.push(word);
    const [only] = word.pieces;
    regex = word.pieces.length === 1 && only?.kind === 'text' && !only.quoted && only.text === '=~';
  }
  return { kind: 'test', words, redirects: readRedirects(cursor) };
}
