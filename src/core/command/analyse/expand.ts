import { HOLE, TOKEN, literal, type Argument } from '../argument.ts';
import { LIMITS, Unreadable } from '../limits.ts';
import type { Arithmetic, Piece, Script, Word } from '../reader/script.ts';
import { parameterValue } from './parameters.ts';
import type { State } from './state.ts';

/** What expanding a word needs from the walk: substitutions run commands of their own. */
export interface Expander {
  readonly home: string;
  readonly interactive: boolean;
  /** Walks the script and returns what it prints, as far as that is known. */
  readonly substitute: (script: Script, state: State) => Argument;
  /** Walks the script of `<( )`. */
  readonly process: (script: Script, state: State) => void;
  /** A variable whose name says that it holds a secret was used. */
  readonly secret: (name: string) => void;
}

interface Field {
  text: string;
  glob: boolean;
  dynamic: boolean;
  open: boolean;
  made: Argument['made'];
  /** Something was written, even if it is empty. */
  present: boolean;
}

function newField(): Field {
  return { text: '', glob: false, dynamic: false, open: false, made: undefined, present: false };
}

/** One word into the words the program receives. `split` off: one value, as in assignments and redirects. */
export function expandWord(word: Word, state: State, expander: Expander, split = true): readonly Argument[] {
  const [only] = word.pieces;
  if (word.pieces.length === 1 && only?.kind === 'text') return [literal(only.text)];
  const fields: Field[] = [];
  for (const variant of split ? variants(word.pieces) : [word.pieces]) fields.push(...expandPieces(variant, state, expander, split));
  if (fields.length > LIMITS.words) throw new Unreadable('too_many', 'a word that becomes too many words');
  return fields.map(({ text, glob, dynamic, open, made }) => ({ text, glob, dynamic, open, made }));
}

/** The word as one value. */
export function expandValue(word: Word, state: State, expander: Expander): Argument {
  return expandWord(word, state, expander, false)[0] ?? literal('');
}

/** Brace alternatives, multiplied out. */
function variants(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const at = pieces.findIndex((piece) => piece.kind === 'brace');
  const piece = pieces[at];
  if (piece === undefined || piece.kind !== 'brace') return [pieces];
  const rest = variants(pieces.slice(at + 1));
  const all = piece.alternatives.flatMap((alternative) => variants(alternative.pieces))
    .flatMap((middle) => rest.map((tail) => [...pieces.slice(0, at), ...middle, ...tail]));
  if (all.length > LIMITS.words) throw new Unreadable('too_many', 'a word that becomes too many words');
  return all;
}

function expandPieces(pieces: readonly Piece[], state: State, expander: Expander, split: boolean): readonly Field[] {
  const done: Field[] = [];
  let field = newField();
  const flush = (): void => {
    if (field.present) done.push(field);
    field = newField();
  };
  for (const piece of pieces) {
    const made = piece.kind === 'substitution' ? 'output' as const : piece.kind === 'parameter' ? 'variable' as const : undefined;
    const values = made === undefined ? valuesOf(piece, state, expander) : valuesOf(piece, state, expander).map((value) => ({ ...value, made: value.made ?? made }));
    const quoted = 'quoted' in piece ? piece.quoted : true;
    const splits = split && !quoted && piece.kind !== 'text';
    for (const [index, value] of values.entries()) {
      if (index > 0) flush();
      if (splits) field = addSplit(value, field, done);
      else addWhole(value, field, piece.kind === 'text' || quoted);
    }
  }
  flush();
  if (!split && done.length === 0) done.push(newField());
  return done;
}

function addWhole(value: Argument, field: Field, solid: boolean): void {
  field.text += value.text;
  field.glob ||= value.glob;
  field.dynamic ||= value.dynamic;
  field.open ||= value.open && !solid;
  if (field.made !== 'output') field.made = value.made ?? field.made;
  field.present = true;
}

/** An unquoted expansion: blanks in it separate words. Returns the field that is still being built. */
function addSplit(value: Argument, current: Field, done: Field[]): Field {
  let field = current;
  const parts = value.text.split(/[ \t\n]+/);
  for (const [index, part] of parts.entries()) {
    if (index > 0) {
      if (field.present) done.push(field);
      field = newField();
    }
    if (part === '') continue;
    addWhole({ ...value, text: part, glob: value.glob || /[*?[]/.test(part) }, field, false);
  }
  return field;
}

function valuesOf(piece: Piece, state: State, expander: Expander): readonly Argument[] {
  switch (piece.kind) {
    case 'text': return [literal(piece.text)];
    case 'glob': return [{ text: piece.text, glob: true, dynamic: false, open: false }];
    case 'tilde': return [tildeValue(piece.text, state, expander)];
    case 'brace': return [literal('')];
    case 'arithmetic': return [arithmeticValue(piece.expression, state)];
    case 'process': {
      expander.process(piece.script, state);
      return [literal('/dev/fd/63')];
    }
    case 'substitution': {
      const value = expander.substitute(piece.script, state);
      return [{ ...value, open: value.text.includes(HOLE) && !piece.quoted }];
    }
    case 'parameter': return parameterValue(piece, state, expander);
  }
}

function tildeValue(text: string, state: State, expander: Expander): Argument {
  if (text === '~') return state.variables.get('HOME')?.[0] ?? literal(expander.home);
  if (text === '~+') return directoryValue(state);
  if (text === '~-') return state.previous === undefined ? unknown() : literal(state.previous);
  if (text === '~root') return literal('/root');
  const name = text.slice(1);
  return /^[a-z_][a-z0-9_-]*$/i.test(name) ? { text: `/home/${name}`, glob: false, dynamic: true, open: false } : unknown();
}

export function directoryValue(state: State): Argument {
  const [first] = state.directories;
  if (first === undefined) return unknown();
  return { text: first, glob: false, dynamic: state.directories.length > 1, open: false };
}

export function unknown(): Argument {
  return { text: HOLE, glob: false, dynamic: true, open: true };
}

export function token(): Argument {
  return { text: TOKEN, glob: false, dynamic: true, open: false };
}

/** The result is a number; names in it must not hold text that would be evaluated again. */
export function arithmeticValue(expression: Arithmetic, state: State): Argument {
  for (const name of expression.names) {
    const value = state.variables.get(name)?.[0];
    if (value === undefined || /^\s*-?\d*\s*$/.test(value.text.replaceAll(TOKEN, '0'))) continue;
    throw new Unreadable('arithmetic', 'an arithmetic expression over text that may run commands');
  }
  for (const name of expression.sets) state.variables.set(name, [token()]);
  return token();
}
