import { HOLE, isStatic, literal, type Argument } from '../argument.ts';
import { BUILTINS } from './builtins.ts';
import { programName, type Context, type Invocation } from './draft.ts';
import { copyState } from './state.ts';
import { unwrap } from '../wrappers/unwrap.ts';
import type { Walk } from './walk.ts';

/** Judges a command whose words are known: a function, a builtin with a hold on the shell, a wrapper, or a program. */
export function runInvocation(invocation: Invocation, walk: Walk): void {
  const [head] = invocation.argv;
  if (head === undefined) return;
  if (head.text.includes(HOLE) || head.glob || head.open || !isStatic(head)) {
    walk.doubt('dynamic_command', 'which program runs is decided only when it runs');
    if (head.text.includes(HOLE)) {
      walk.start(invocation).raise('dynamic_command', 'a program that is not known');
      return;
    }
  }
  if (callFunction(invocation, head.text, walk)) return;
  const bare = !head.text.includes('/');
  const name = programName(head.text);
  const builtin = bare ? BUILTINS.get(head.text) : undefined;
  if (builtin !== undefined && builtin(invocation, walk) === 'done') return;
  if (unwrap(name, invocation, walk)) return;
  walk.start(invocation);
}

function callFunction(invocation: Invocation, name: string, walk: Walk): boolean {
  const body = invocation.state.functions.get(name);
  const { context, state, argv } = invocation;
  if (context.active.has(name)) {
    if (context.background || context.input.kind === 'pipe') walk.start({ ...invocation, argv: [literal(name)] }).raise('fork_bomb', name);
    else walk.start({ ...invocation, argv: [literal(name)] }).raise('resource', 'a function that calls itself');
    return true;
  }
  if (body === undefined) return false;
  if (invocation.redirects.length > 0 || invocation.assignments.length > 0) walk.start({ ...invocation, argv: [] });
  const inner = copyState(state);
  for (const [index, value] of argv.entries()) inner.variables.set(String(index), [value]);
  inner.variables.set('@', argv.slice(1));
  inner.variables.set('*', argv.slice(1));
  walk.command(body, inner, { ...context, active: new Set([...context.active, name]) });
  state.directories = inner.directories;
  for (const [key, value] of inner.variables) if (!/^(?:\d+|[@*])$/.test(key)) state.variables.set(key, value);
  return true;
}

/** Walks text that a shell will read as a script of its own. */
export function runScriptText(text: Argument | undefined, invocation: Invocation, via: string, walk: Walk): void {
  if (text === undefined) {
    walk.doubt('unreadable', 'a script is missing');
    return;
  }
  if (text.text.includes(HOLE)) {
    walk.doubt('dynamic_word', 'a script is put together only when it runs');
    walk.start(invocation).raise('dynamic_argument', 'a script that is not known');
    return;
  }
  if (text.dynamic) walk.doubt('dynamic_word', 'a script is put together only when it runs');
  const read = walk.read(text.text.replaceAll('\uE001', '0'));
  if ('code' in read) {
    walk.doubt(read.code, read.detail);
    return;
  }
  const context: Context = { ...invocation.context, via: [...invocation.context.via, via], depth: invocation.context.depth + 4, active: new Set() };
  walk.script(read.script, copyState(invocation.state), context);
}
