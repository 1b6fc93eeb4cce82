import { HOLE, TOKEN, literal, show, type Argument } from '../../../core/command/argument.ts';
import type { Draft } from '../../../core/command/analyse/draft.ts';
import type { ParsedOptions } from '../../../core/command/options.ts';

const ADDRESS = /^(?:\d+(?:~\d+)?|\$|\/(?:\\.|[^/\\\n])*\/[IM]*|\\(.)(?:\\.|(?!\1)[^\\\n])*\1[IM]*)(?:\s*,\s*(?:[+~]?\d+|\$|\/(?:\\.|[^/\\\n])*\/[IM]*))?\s*!?\s*/;
const PLAIN = /^(?:[=dDgGhHlnNpPxzF]|q\s*\d*|Q\s*\d*|[btT]\s*[^;}\n]*|:\s*[^;}\n]+|[aic](?:\\\n?|\s)?[^\n]*|y(.)(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1|#[^\n]*)/;

/** What is left of a script after commands without effect; '' when nothing is left to worry about. */
export function sedRemainder(script: string): string {
  let rest = script;
  for (let steps = 0; steps < 500; steps += 1) {
    rest = rest.replace(/^[\s;{}]+/, '');
    if (rest === '') return '';
    const command = rest.replace(ADDRESS, '').replace(/^\s*\{?/, '');
    if (command === '' || /^[};]/.test(command)) return rest;
    rest = command;
    const next = afterSubstitution(rest) ?? afterPlain(rest);
    if (next === undefined) return rest;
    rest = next;
  }
  return rest;
}

function afterPlain(text: string): string | undefined {
  const match = PLAIN.exec(text);
  return match === null ? undefined : closing(text.slice(match[0].length));
}

/** A command ends at a blank, `;`, `}` or line end; anything glued to it is not understood. */
function closing(rest: string): string | undefined {
  return rest === '' || /^[\s;}]/.test(rest) ? rest : undefined;
}

function afterSubstitution(text: string): string | undefined {
  if (!text.startsWith('s') || text.length < 4) return undefined;
  const mark = text[1] ?? '';
  if (/[\s\\\n]/.test(mark)) return undefined;
  let at = 2;
  for (let parts = 0; parts < 2; at += 1) {
    const char = text[at];
    if (char === undefined) return undefined;
    if (char === '\\') at += 1;
    else if (char === '[' && parts === 0 && mark !== '[') at = skipClass(text, at);
    else if (char === mark) parts += 1;
  }
  const flags = /^[gpiIMm0-9]*/.exec(text.slice(at))?.[0] ?? '';
  return closing(text.slice(at + flags.length));
}

/** In a bracket expression the mark ends the pattern all the same, so only a closed one is skipped when it holds none. */
function skipClass(text: string, at: number): number {
  const close = text.indexOf(']', at + 2);
  const mark = text[1] ?? '';
  return close === -1 || text.slice(at, close).includes(mark) ? at : close;
}

/** `sed`: the script decides. `w`, `W`, `r`, `R`, `e` and the flags `e` and `w` of `s` are left to a person. */
export function judgeSed(draft: Draft, parsed: ParsedOptions): void {
  const given = parsed.options.filter(({ spec }) => spec.names.includes('-e') || spec.names.includes('-f'));
  let operands = [...parsed.operands];
  const inPlace = parsed.options.filter(({ spec }) => spec.names.includes('-i') || spec.names.includes('-I'));
  const suffixes = inPlace.map(({ value }) => value ?? literal(''));
  if (inPlace.length > 0 && suffixes.every((suffix) => suffix.text === '') && looksLikeSuffix(operands, given.length > 0)) {
    const suffix = operands.shift();
    if (suffix !== undefined) suffixes.push(suffix);
  }
  const scripts: Argument[] = given.filter(({ spec }) => spec.names.includes('-e')).map(({ value }) => value ?? literal(''));
  if (given.length === 0) scripts.push(...operands.splice(0, 1));
  for (const script of scripts) judgeScript(script, draft);
  if (scripts.length === 0 && given.length === 0) draft.raise('unknown_option', 'sed without a script');
  if (scripts.length === 1 && /^\d+(?:,\d+)?p$/.test(scripts[0]?.text ?? '') && operands.length === 0 && draft.input.kind === 'inherited') draft.raise('unknown_option', 'sed without a file');
  operands = operands.filter((word) => word.text !== '-');
  for (const word of operands) draft.touch(inPlace.length > 0 ? 'write' : 'read', word);
  for (const suffix of suffixes) if (suffix.dynamic || suffix.glob || /[/*]/.test(suffix.text)) draft.raise('hidden_write', `sed -i${show(suffix)}`);
}

/** BSD: `sed -i '' script file`, `sed -i .bak -e script file`. */
function looksLikeSuffix(operands: readonly Argument[], scripted: boolean): boolean {
  const [first] = operands;
  if (first === undefined) return false;
  return first.text === '' || (scripted && operands.length > 1 && first.text.startsWith('.'));
}

function judgeScript(script: Argument, draft: Draft): void {
  if (script.text.includes(HOLE)) {
    draft.raise('dynamic_argument', 'a sed script that is not known');
    return;
  }
  const rest = sedRemainder(script.text.replaceAll(TOKEN, '0'));
  if (rest !== '') draft.raise('program_option', `sed script "${rest.slice(0, 20)}"`);
}
