import { literal, type Argument } from '../argument.ts';
import type { Command } from '../reader/script.ts';

/** What the shell knows at one point of the line. Copied for subshells and branches. */
export interface State {
  readonly variables: Map<string, readonly Argument[]>;
  readonly functions: Map<string, Command>;
  /** Directories the next command may run in. */
  directories: readonly (string | undefined)[];
  /** Directories it may still be in because an earlier `cd` may have failed. */
  fallbacks: readonly (string | undefined)[];
  previous: string | undefined;
  /** The line may or may not get here: an assignment can no longer be relied on. */
  conditional: boolean;
}

export function startState(cwd: string): State {
  return { variables: new Map(), functions: new Map(), directories: [cwd], fallbacks: [], previous: undefined, conditional: false };
}

export function copyState(state: State): State {
  return { ...state, variables: new Map(state.variables), functions: new Map(state.functions) };
}

/** After a branch that may not have been taken: what differs is no longer known. */
export function mergeState(into: State, branch: State): void {
  for (const [name, value] of branch.variables) {
    const before = into.variables.get(name);
    if (before === undefined || sameValues(before, value)) into.variables.set(name, value);
    else into.variables.set(name, uncertain(value));
  }
  for (const [name, body] of branch.functions) into.functions.set(name, body);
  into.directories = union(into.directories, union(branch.directories, branch.fallbacks));
  if (branch.previous !== into.previous) into.previous = undefined;
}

function sameValues(left: readonly Argument[], right: readonly Argument[]): boolean {
  return left.length === right.length && left.every((value, index) => value.text === right[index]?.text);
}

/** The value may be another one: its text serves for the hard blocks, and it always counts as unknown. */
export function uncertain(values: readonly Argument[]): readonly Argument[] {
  return values.map((value) => ({ ...value, dynamic: true }));
}

const MAX_DIRECTORIES = 4;

export function union(left: readonly (string | undefined)[], right: readonly (string | undefined)[]): readonly (string | undefined)[] {
  const all = [...new Set([...left, ...right])];
  return all.length > MAX_DIRECTORIES ? [...all.slice(0, MAX_DIRECTORIES), undefined] : all;
}

export function assign(state: State, name: string, values: readonly Argument[], append: boolean): void {
  const before = state.variables.get(name);
  const next = append && before !== undefined ? joined(before, values) : append ? uncertain(values) : values;
  const doubtful = state.conditional && before !== undefined && !sameValues(before, next);
  state.variables.set(name, doubtful ? uncertain(next) : next);
}

function joined(before: readonly Argument[], after: readonly Argument[]): readonly Argument[] {
  const left = before[0] ?? literal('');
  const right = after[0] ?? literal('');
  return [{
    text: left.text + right.text, glob: left.glob || right.glob,
    dynamic: left.dynamic || right.dynamic, open: left.open || right.open,
  }];
}
