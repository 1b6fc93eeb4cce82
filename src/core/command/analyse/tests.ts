import { HOLE, TOKEN, type Argument } from '../argument.ts';
import type { Invocation } from './draft.ts';
import type { Walk } from './walk.ts';

const ARITHMETIC = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
const NUMBER = /^-?\d*$/;

/** `[[ ... ]]`: comparisons of numbers and `-v` evaluate their operands, subscripts with commands in them included. */
export function checkTest(words: readonly Argument[], walk: Walk, invocation: Invocation): void {
  for (const [index, word] of words.entries()) {
    if (word.text === '-v' || word.text === '-R') checkName(words[index + 1], walk);
    if (!ARITHMETIC.has(word.text)) continue;
    for (const operand of [words[index - 1], words[index + 1]]) {
      if (operand !== undefined && !plainNumber(operand)) walk.doubt('arithmetic', 'a comparison that may evaluate text as commands');
    }
  }
  const draft = walk.start(invocation);
  for (const [index, word] of words.entries()) if (/^-[a-hkprstuwxGLNOS]$/.test(word.text) && words[index + 1] !== undefined) draft.touch('list', words[index + 1] ?? word);
}

function plainNumber(operand: Argument): boolean {
  return !operand.text.includes(HOLE) && (NUMBER.test(operand.text.replaceAll(TOKEN, '0')) || /^[A-Za-z_]\w*$/.test(operand.text));
}

/** A variable name given to a builtin: a subscript in it is evaluated. */
export function checkName(operand: Argument | undefined, walk: Walk): void {
  if (operand === undefined) return;
  if (operand.text.includes(HOLE) || !/^[A-Za-z_]\w*(?:\[(?:\d+|@|\*)\])?$/.test(operand.text.replaceAll(TOKEN, '0'))) {
    walk.doubt('arithmetic', 'a variable name that may run commands');
  }
}
