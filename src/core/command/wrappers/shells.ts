import { literal, show, type Argument } from '../argument.ts';
import { runScriptText } from '../analyse/simple.ts';
import type { Draft, Invocation } from '../analyse/draft.ts';
import type { Walk } from '../analyse/walk.ts';

const VALUE_OPTIONS = /^[-+]\w*[oO]$/;
const FILE_OPTIONS = new Set(['--rcfile', '--init-file']);
const PLAIN_LONG = new Set(['--login', '--norc', '--noprofile', '--posix', '--verbose', '--noediting', '--restricted', '--debugger', '--version', '--help', '--no-rcs', '--no-globalrcs']);

/** `bash -lc '...'`, `sh script`, `... | sh`. */
export function runShell(name: string, invocation: Invocation, walk: Walk): boolean {
  const words = invocation.argv.slice(1);
  const draft = walk.start(invocation, 'wrapper');
  let index = 0;
  let command = false;
  let readsInput = false;
  for (; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    const { text } = word;
    if (word.open) draft.raise('dynamic_argument', show(word));
    if (text === '--' || text === '-') {
      index += 1;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    if (text.startsWith('--')) index += longOption(text, draft);
    else {
      command ||= text.startsWith('-') && text.includes('c') && !text.startsWith('-o') && !text.startsWith('-O');
      readsInput ||= text.includes('s');
      if (/^-\w*i/.test(text) && !command) draft.raise('interactive', name);
      if (VALUE_OPTIONS.test(text)) index += 1;
    }
  }
  finish(name, command, readsInput, words.slice(index), invocation, draft, walk);
  return true;
}

function longOption(text: string, draft: Draft): number {
  const [head = ''] = text.split('=');
  if (FILE_OPTIONS.has(head)) {
    draft.raise('script_file', text);
    return text.includes('=') ? 0 : 1;
  }
  if (!PLAIN_LONG.has(head)) draft.raise('unknown_option', text);
  return 0;
}

function finish(name: string, command: boolean, readsInput: boolean, rest: readonly Argument[], invocation: Invocation, draft: Draft, walk: Walk): void {
  const [first, ...positional] = rest;
  if (command) {
    if (first !== undefined && first.text.trim() === '') draft.raise('inline_code', 'an empty script');
    if (name === 'fish') draft.raise('inline_code', 'fish -c');
    if (positional.length > 0) draft.raise('inline_code', `${name} -c with further arguments`);
    const state = { ...invocation.state, functions: new Map() };
    runScriptText(first, { ...invocation, argv: [literal(name)], redirects: [], state }, name, walk);
    return;
  }
  if (first !== undefined && !readsInput) {
    if (/^\/dev\/fd\/|^\/dev\/stdin$/.test(first.text)) draft.raise('interpreter_input', name);
    draft.raise('script_file', show(first));
    draft.touch('read', first);
    return;
  }
  const { input } = invocation.context;
  if (input.kind === 'inherited') {
    if (!/^(?:--version|--help)$/.test(invocation.argv[1]?.text ?? '')) draft.raise('interactive', name);
    return;
  }
  draft.raise('interpreter_input', name);
  if ((input.kind === 'pipe' || input.kind === 'text') && input.text !== undefined) {
    runScriptText(literal(input.text), { ...invocation, argv: [literal(name)], redirects: [], context: { ...invocation.context, input: { kind: 'inherited' } } }, name, walk);
  }
}
