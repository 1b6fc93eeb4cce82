import type { Argument } from '../argument.ts';
import type { Context, Draft, Invocation } from '../analyse/draft.ts';
import { runInvocation } from '../analyse/simple.ts';
import type { State } from '../analyse/state.ts';
import type { Walk } from '../analyse/walk.ts';
import { readPowerShell, type PowerCommand, type PowerWord } from './read.ts';

/** What is known about PowerShell's own commands. False when the name is none of them: then it is a program like any other. */
export type DescribeCmdlet = (draft: Draft, words: readonly PowerWord[]) => boolean;

/** Walks a PowerShell line. Its own commands are judged by their table, programs as in any shell. */
export function walkPowerShell(text: string, chains: boolean, state: State, context: Context, walk: Walk, describe: DescribeCmdlet): void {
  const read = readPowerShell(text, chains);
  if ('code' in read) {
    walk.doubt(read.code, read.detail);
    return;
  }
  walkCommands(read, state, context, walk, describe);
}

function walkCommands(commands: readonly PowerCommand[], state: State, context: Context, walk: Walk, describe: DescribeCmdlet): void {
  let from = 0;
  for (const command of commands) {
    const input = command.join === '|' ? { kind: 'pipe' as const, from: walk.segments.slice(from), text: undefined } : context.input;
    from = walk.segments.length;
    walkCommand(command, state, { ...context, input }, walk, describe);
  }
}

function walkCommand(command: PowerCommand, state: State, context: Context, walk: Walk, describe: DescribeCmdlet): void {
  for (const word of command.words) if (word.inner.length > 0) walkCommands(word.inner, state, { ...context, input: { kind: 'inherited' } }, walk, describe);
  const [head] = command.words;
  const redirects = command.redirects.map(({ operator, target }) => ({ operator: operator.endsWith('>>') ? '>>' : '>', descriptor: undefined, target: slashed(target, walk) }));
  if (head === undefined || head.inner.length > 0) {
    if (command.words.length > 1) walk.doubt('unreadable', 'an expression instead of a command');
    if (redirects.length > 0) walk.start({ argv: [], assignments: [], redirects, state, context }, 'block');
    return;
  }
  if (head.value.dynamic) {
    walk.doubt('dynamic_command', 'which program runs is decided only when it runs');
    return;
  }
  const invocation: Invocation = { argv: command.words.map((word) => slashed(word.value, walk)), assignments: [], redirects, state, context };
  if (describeOwn(invocation, command.words, walk, describe)) return;
  runInvocation({ ...invocation, argv: command.words.map((word) => word.value) }, walk);
}

function describeOwn(invocation: Invocation, words: readonly PowerWord[], walk: Walk, describe: DescribeCmdlet): boolean {
  const draft = walk.start(invocation, 'block');
  if (describe(draft, words)) return true;
  walk.segments.splice(walk.segments.indexOf(draft), 1);
  return false;
}

/** Windows spells paths with backslashes; a leading tilde is the home folder. */
function slashed(argument: Argument, walk: Walk): Argument {
  const text = argument.text.startsWith('\\\\') ? argument.text : argument.text.replaceAll('\\', '/');
  return { ...argument, text: /^~(?:\/|$)/.test(text) ? walk.place.home + text.slice(1) : text };
}
