import { HOLE, literal, show, type Argument } from '../argument.ts';
import { isAbsolute, resolvePath } from '../place.ts';
import type { Invocation } from './draft.ts';
import { unknown } from './expand.ts';
import { runScriptText } from './simple.ts';
import { assign } from './state.ts';
import { checkName } from './tests.ts';
import type { Walk } from './walk.ts';

/** `done`: nothing else to judge. `program`: go on as for any program. */
type Builtin = (invocation: Invocation, walk: Walk) => 'done' | 'program';

/** Builtins that change what the rest of the line means, or evaluate text. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['cd', changeDirectory], ['pushd', changeDirectory], ['popd', changeDirectory],
  ['export', declare], ['declare', declare], ['typeset', declare], ['local', declare], ['readonly', declare],
  ['read', readValue], ['mapfile', readLines], ['readarray', readLines],
  ['printf', printFormatted], ['[', test], ['test', test], ['let', letValue], ['unset', unset], ['getopts', unset],
  ['eval', evaluate], ['trap', trap], ['.', source], ['source', source],
  ['alias', stateChange], ['unalias', stateChange], ['enable', stateChange], ['hash', stateChange], ['bind', stateChange], ['shopt', stateChange],
  ['complete', stateChange], ['compgen', stateChange], ['fc', stateChange], ['history', stateChange], ['ulimit', stateChange], ['caller', stateChange],
  ['set', setOptions],
]);

function words(invocation: Invocation): readonly Argument[] {
  return invocation.argv.slice(1);
}

function changeDirectory(invocation: Invocation, walk: Walk): 'done' {
  const { state } = invocation;
  const name = invocation.argv[0]?.text;
  const operands = words(invocation).filter((word) => !/^-[LPe@n]+$/.test(word.text) && word.text !== '--');
  const [target] = operands;
  const draft = walk.start(invocation);
  const before = state.directories;
  let next: (string | undefined)[];
  if (name === 'popd' || operands.length > 1 || state.variables.has('CDPATH')) next = [undefined];
  else if (target === undefined) next = [name === 'cd' ? walk.place.home : undefined];
  else if (target.text === '-') next = [state.previous];
  else if (target.text.includes(HOLE) || target.glob || /^[+-]\d/.test(target.text)) next = [undefined];
  else {
    draft.touch('list', target);
    next = isAbsolute(target.text, walk.place.platform)
      ? [resolvePath(target.text, '/', walk.place).real]
      : before.map((directory) => (directory === undefined ? undefined : resolvePath(target.text, directory, walk.place).real));
    if (target.dynamic) next.push(undefined);
  }
  state.previous = before.length === 1 ? before[0] : undefined;
  state.fallbacks = [...state.fallbacks, ...before];
  state.directories = [...new Set(next)];
  return 'done';
}

/** `export A=b`, `declare -x A`: assignments in the clothes of arguments. */
function declare(invocation: Invocation, walk: Walk): 'done' {
  const found = [];
  const args = words(invocation);
  for (const word of args) {
    if (/^[-+]/.test(word.text)) {
      if (/[pin]/.test(word.text) && word.text !== '-n') found.push({ name: word.text, value: literal('') });
      continue;
    }
    const match = /^([A-Za-z_]\w*)(\+?)=([\s\S]*)$/.exec(word.text);
    if (match === null) {
      checkName(word, walk);
      continue;
    }
    const value = { ...word, text: match[3] ?? '' };
    assign(invocation.state, match[1] ?? '', [value], match[2] === '+');
    found.push({ name: match[1] ?? '', value });
  }
  const dumps = args.length === 0 || args.some((word) => /^-\w*p/.test(word.text)) || args.every((word) => /^-[pfxFar]+$/.test(word.text));
  const draft = walk.start({ ...invocation, assignments: [...invocation.assignments, ...found.filter(({ name }) => !name.startsWith('-'))] });
  if (dumps) draft.raise('environment_dump', invocation.argv[0]?.text ?? 'export');
  if (args.some((word) => /^-\w*[in]/.test(word.text)) && invocation.argv[0]?.text !== 'export') draft.raise('shell_state', 'a variable that the shell evaluates again');
  return 'done';
}

/** A builtin that fills variables: the same as assigning them, with a value that nobody knows. */
function setting(invocation: Invocation, names: readonly string[]): Invocation {
  return { ...invocation, assignments: [...invocation.assignments, ...names.map((name) => ({ name, value: unknown() }))] };
}

function readValue(invocation: Invocation, walk: Walk): 'done' {
  const args = words(invocation);
  const set: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index];
    if (word === undefined) break;
    if (/^-\w*[dinNptu]$/.test(word.text)) index += 1;
    else if (/^-\w*a$/.test(word.text)) {
      checkName(args[index + 1], walk);
      set.push(args[index + 1]?.text ?? '');
    } else if (!word.text.startsWith('-')) {
      checkName(word, walk);
      invocation.state.variables.set(word.text, [unknown()]);
      set.push(word.text);
    }
  }
  invocation.state.variables.set('REPLY', [unknown()]);
  walk.start(setting(invocation, set));
  return 'done';
}

function readLines(invocation: Invocation, walk: Walk): 'done' {
  const args = words(invocation);
  const draft = walk.start(setting(invocation, args.map((word) => word.text).filter((text) => /^[A-Za-z_]\w*$/.test(text))));
  if (args.some((word) => /^-\w*[Cc]/.test(word.text) || word.text.includes(HOLE))) draft.raise('program_option', 'a callback for each line');
  for (const word of args) if (/^[A-Za-z_]\w*$/.test(word.text)) invocation.state.variables.set(word.text, [unknown()]);
  const last = args[args.length - 1];
  if (last !== undefined && !/^[-\d]/.test(last.text)) checkName(last, walk);
  return 'done';
}

function printFormatted(invocation: Invocation, walk: Walk): 'done' | 'program' {
  const [first, second] = words(invocation);
  if (first === undefined || !first.text.startsWith('-v')) return 'program';
  const name = first.text === '-v' ? second : { ...first, text: first.text.slice(2) };
  checkName(name, walk);
  if (name !== undefined) invocation.state.variables.set(name.text, [unknown()]);
  walk.start(setting(invocation, name === undefined ? [] : [name.text]));
  return 'done';
}

function test(invocation: Invocation, walk: Walk): 'program' {
  for (const [index, word] of invocation.argv.entries()) {
    if (word.text === '-v' || word.text === '-R' || word.text.includes(HOLE) && word.open) checkName(invocation.argv[index + (word.open ? 0 : 1)], walk);
  }
  return 'program';
}

function letValue(invocation: Invocation, walk: Walk): 'done' {
  for (const word of words(invocation)) {
    if (!/^[A-Za-z_0-9+\-*/%=<>!&|() ]*$/.test(word.text)) walk.doubt('arithmetic', 'an arithmetic expression that may run commands');
    const name = /^[A-Za-z_]\w*/.exec(word.text)?.[0];
    if (name !== undefined) invocation.state.variables.set(name, [unknown()]);
  }
  walk.start(setting(invocation, words(invocation).flatMap((word) => word.text.match(/[A-Za-z_]\w*/g) ?? [])));
  return 'done';
}

function unset(invocation: Invocation, walk: Walk): 'done' {
  for (const word of words(invocation)) {
    if (!word.text.startsWith('-') && invocation.argv[0]?.text === 'unset') checkName(word, walk);
    invocation.state.variables.set(word.text, [{ text: '', glob: false, dynamic: true, open: false }]);
    invocation.state.functions.delete(word.text);
  }
  walk.start(setting(invocation, invocation.argv[0]?.text === 'getopts' ? words(invocation).slice(1, 2).map((word) => word.text) : []));
  return 'done';
}

function evaluate(invocation: Invocation, walk: Walk): 'done' {
  const args = words(invocation).filter((word, index) => index > 0 || word.text !== '--');
  walk.start(invocation).raise('inline_code', 'eval');
  runScriptText({
    text: args.map((word) => word.text).join(' '), glob: false, open: false, dynamic: args.some((word) => word.dynamic),
  }, { ...invocation, argv: [literal('eval')] }, 'eval', walk);
  return 'done';
}

function trap(invocation: Invocation, walk: Walk): 'done' {
  const [first, ...signals] = words(invocation).filter((word) => word.text !== '--');
  walk.start(invocation);
  if (first === undefined || /^-[lp]$/.test(first.text) || first.text === '-' || first.text === '' || signals.length === 0) return 'done';
  runScriptText(first, { ...invocation, argv: [literal('trap')] }, 'trap', walk);
  return 'done';
}

function source(invocation: Invocation, walk: Walk): 'done' {
  const draft = walk.start(invocation);
  const [file] = words(invocation);
  draft.raise('script_file', file === undefined ? 'source' : show(file));
  if (file !== undefined) draft.touch('read', file);
  invocation.state.directories = [undefined];
  return 'done';
}

function stateChange(invocation: Invocation, walk: Walk): 'done' {
  const name = invocation.argv[0]?.text ?? '';
  const draft = walk.start(invocation);
  const args = words(invocation);
  const prints = args.length === 0 || args.every((word) => /^-[aplrtSHnsq]+$/.test(word.text) && name !== 'history') || (name === 'compgen' && args.every((word) => !/^-[CF]/.test(word.text)));
  const harmless = (name === 'shopt' && args.every((word) => /^(?:-[sup]|globstar|nullglob|failglob|extglob|dotglob)$/.test(word.text)))
    || (name === 'ulimit' && args.every((word) => /^-[a-zA-Z]$|^\d+$|^unlimited$/.test(word.text)));
  if (!harmless && !(prints && name !== 'fc')) draft.raise('shell_state', name);
  if (name === 'alias' && args.length > 0) runScriptText({ ...literal(''), text: args.map((word) => word.text.replace(/^[^=]*=/, '')).join('\n'), dynamic: args.some((word) => word.dynamic) }, { ...invocation, argv: [literal('alias')] }, 'alias', walk);
  return 'done';
}

function setOptions(invocation: Invocation, walk: Walk): 'done' {
  const args = words(invocation);
  const dashes = args.findIndex((word) => word.text === '--');
  const options = dashes === -1 ? args : args.slice(0, dashes);
  const draft = walk.start(invocation);
  if (args.length === 0) draft.raise('environment_dump', 'set');
  else if (options.some((word) => !/^[-+][abefhkmnptuvxBCEHPT]*o?$|^(?:pipefail|errexit|nounset|xtrace|verbose|noglob|noclobber|errtrace)$/.test(word.text))) draft.raise('shell_state', 'set');
  for (const name of ['1', '2', '3', '@', '*']) invocation.state.variables.set(name, [unknown()]);
  return 'done';
}
