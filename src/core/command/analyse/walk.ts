import { literal, type Argument } from '../argument.ts';
import type { EnvironmentEntry, Input, ResolvedRedirect, Segment } from '../form.ts';
import { LIMITS, Unreadable, type Doubt } from '../limits.ts';
import type { Place } from '../place.ts';
import type { Read } from '../reader/read.ts';
import type { Assignment, Command, Pipeline, Redirect, Script, Simple } from '../reader/script.ts';
import { Draft, type Context, type Describe, type Invocation, type Outcome, type Part } from './draft.ts';
import { arithmeticValue, expandValue, expandWord, token, unknown, type Expander } from './expand.ts';
import { printedBy } from './printed.ts';
import { runInvocation } from './simple.ts';
import { assign, copyState, mergeState, union, type State } from './state.ts';
import { checkTest } from './tests.ts';

/** One walk over one line. Holds what was found; nothing of it outlives the call. */
export class Walk implements Outcome {
  readonly segments: Segment[] = [];
  readonly doubts: Doubt[] = [];
  readonly functions = new Set<string>();
  readonly place: Place;
  readonly read: (text: string) => Read | Doubt;
  private readonly describe: Describe;
  private steps = 0;

  constructor(place: Place, read: (text: string) => Read | Doubt, describe: Describe) {
    this.place = place;
    this.read = read;
    this.describe = describe;
  }

  doubt(code: Doubt['code'], detail: string): void {
    if (!this.doubts.some((doubt) => doubt.code === code && doubt.detail === detail)) this.doubts.push({ code, detail });
  }

  push(draft: Draft): void {
    if (this.segments.length >= LIMITS.commands * 2) throw new Unreadable('too_many', `it has more than ${LIMITS.commands} commands`);
    this.segments.push(draft);
  }

  /** Records a program start and lets the tables say what it does. */
  start(invocation: Invocation, part: Part = 'program'): Draft {
    const draft = new Draft(invocation, this.place);
    this.push(draft);
    this.describe(draft, part);
    return draft;
  }

  expander(context: Context, secrets = new Set<string>()): Expander {
    return {
      home: this.place.home, interactive: true,
      substitute: (script, state) => {
        const inner = copyState(state);
        const from = this.segments.length;
        this.script(script, inner, { ...context, input: { kind: 'inherited' } });
        return printedBy(this.segments.slice(from), script, inner, this.place, context.via.length);
      },
      process: (script, state) => { this.script(script, copyState(state), { ...context, input: { kind: 'pipe', from: [], text: undefined } }); },
      secret: (name) => { secrets.add(name); },
    };
  }

  script(script: Script, state: State, context: Context): void {
    if (context.depth > LIMITS.depth) throw new Unreadable('too_deep', 'it is nested too deeply');
    for (const pipeline of script.pipelines) {
      this.steps += 1;
      if (this.steps > LIMITS.commands * 8) throw new Unreadable('too_many', `it has more than ${LIMITS.commands} commands`);
      this.pipeline(pipeline, state, context);
    }
  }

  private pipeline(pipeline: Pipeline, state: State, context: Context): void {
    if (pipeline.join !== '&&') {
      state.directories = union(state.directories, state.fallbacks);
      state.fallbacks = [];
    }
    const before = state.conditional;
    state.conditional ||= pipeline.join !== ';';
    let input: Input = pipeline.coprocess ? { kind: 'pipe', from: [], text: undefined } : context.input;
    for (const command of pipeline.commands) {
      const own = pipeline.commands.length > 1 || pipeline.background ? copyState(state) : state;
      const from = this.segments.length;
      const inner = { ...context, input, background: context.background || pipeline.background || pipeline.coprocess };
      this.command(command, own, inner);
      if (own !== state && pipeline.commands.length > 1) forget(state, own);
      const made = this.segments.slice(from);
      input = { kind: 'pipe', from: made, text: pipedText(command, made, own, this.place, context.via.length) };
    }
    state.conditional = before;
  }

  command(command: Command, state: State, context: Context): void {
    switch (command.kind) {
      case 'simple': return this.simple(command, state, context);
      case 'function': return this.define(command.name, command.body, state, context);
      default: return this.compound(command, state, this.redirected(command.redirects, state, context));
    }
  }

  /** Redirects of a block: an own segment, and the input that the block reads. */
  private redirected(redirects: readonly Redirect[], state: State, context: Context): Context {
    if (redirects.length === 0) return context;
    const resolved = this.redirects(redirects, state, context);
    this.start({ argv: [], assignments: [], redirects: resolved, state, context }, 'block');
    return { ...context, input: inputOf(resolved, context.input) };
  }

  private compound(command: Exclude<Command, { kind: 'simple' | 'function' }>, state: State, context: Context): void {
    switch (command.kind) {
      case 'group': return this.script(command.body, command.subshell ? copyState(state) : state, context);
      case 'if': return this.branches(command.bodies, state, context);
      case 'loop': return this.branches([command.condition, command.body, command.body], state, context);
      case 'count':
        for (const expression of command.expressions) arithmeticValue(expression, state);
        return this.branches([command.body, command.body], state, context);
      case 'case': {
        expandValue(command.subject, state, this.expander(context));
        for (const pattern of command.patterns) expandValue(pattern, state, this.expander(context));
        return this.branches(command.bodies, state, context);
      }
      case 'for': return this.forEach(command, state, context);
      case 'test': {
        const words = command.words.flatMap((word) => expandWord(word, state, this.expander(context), false));
        return checkTest(words, this, { argv: [literal('[['), ...words], assignments: [], redirects: [], state, context });
      }
      case 'arithmetic': arithmeticValue(command.expression, state);
    }
  }

  private branches(bodies: readonly Script[], state: State, context: Context): void {
    for (const body of bodies) {
      const branch = { ...copyState(state), conditional: true };
      this.script(body, branch, context);
      mergeState(state, branch);
    }
  }

  /** Walks the body once a value; many short plain words look alike and are walked once. */
  private forEach(command: Extract<Command, { kind: 'for' }>, state: State, context: Context): void {
    const values = command.words?.flatMap((word) => expandWord(word, state, this.expander(context))) ?? [unknown()];
    const plain = values.length > 4 && values.every((value) => !value.dynamic && /^[A-Za-z0-9_][\w.]*$/.test(value.text));
    // A loop over PATH sets it: judged like an assignment, where a name could matter.
    if (/[A-Z]|_/.test(command.name)) this.start({ argv: [], assignments: values.slice(0, 12).map((value) => ({ name: command.name, value })), redirects: [], state, context }, 'block');
    const walked = command.select || (values.length > 12 && !plain) ? [unknown()] : plain ? [token()] : values;
    for (const value of walked) {
      const branch = { ...copyState(state), conditional: true };
      branch.variables.set(command.name, [value]);
      this.script(command.body, branch, context);
      mergeState(state, branch);
    }
    state.variables.set(command.name, walked.length === 1 ? walked : [unknown()]);
  }

  private define(name: string, body: Command, state: State, context: Context): void {
    this.functions.add(name);
    state.functions.set(name, body);
    const inner = copyState(state);
    this.command(body, inner, { ...context, active: new Set([...context.active, name]) });
  }

  private simple(command: Simple, state: State, context: Context): void {
    const secrets = new Set<string>();
    const expander = this.expander(context, secrets);
    const entries = command.assignments.map((assignment) => ({ assignment, values: valuesOf(assignment, state, expander) }));
    const argv = command.words.flatMap((word) => expandWord(word, state, expander));
    const redirects = this.redirects(command.redirects, state, context);
    const assignments: EnvironmentEntry[] = entries.map(({ assignment, values }) => ({ name: assignment.name, value: values[0] ?? literal('') }));
    const invocation: Invocation = { argv, assignments, redirects, state, context: { ...context, input: inputOf(redirects, context.input) } };
    const from = this.segments.length;
    if (argv.length === 0) {
      for (const { assignment, values } of entries) assign(state, assignment.name, values, assignment.append);
      if (redirects.length + assignments.length > 0) this.start(invocation);
    } else runInvocation(invocation, this);
    const draft = this.segments[from];
    if (draft instanceof Draft) for (const name of secrets) draft.raise('secret_variable', name);
  }

  redirects(redirects: readonly Redirect[], state: State, context: Context): ResolvedRedirect[] {
    return redirects.map(({ operator, descriptor, target }) => ({ operator, descriptor, target: redirectTarget(expandWord(target, state, this.expander(context), operator !== '<<' && operator !== '<<<')) }));
  }
}

function redirectTarget(words: readonly Argument[]): Argument {
  const [first] = words;
  return words.length === 1 && first !== undefined ? first : unknown();
}

function valuesOf(assignment: Assignment, state: State, expander: Expander): readonly Argument[] {
  if (assignment.elements === undefined) return [expandValue(assignment.value, state, expander)];
  return assignment.elements.flatMap((word) => expandWord(word, state, expander));
}

/** A part of a pipeline runs in a shell of its own: what it sets is only possibly set here (`lastpipe`). */
function forget(state: State, own: State): void {
  for (const [name, value] of own.variables) if (state.variables.get(name) !== value) state.variables.set(name, [unknown()]);
}

function inputOf(redirects: readonly ResolvedRedirect[], inherited: Input): Input {
  let input = inherited;
  for (const { operator, descriptor, target } of redirects) {
    if (descriptor !== undefined && descriptor !== 0) continue;
    if (operator === '<' || operator === '<>' || operator === '<&') input = { kind: 'file' };
    else if (operator === '<<' || operator === '<<<') input = { kind: 'text', text: target.dynamic ? undefined : target.text };
  }
  return input;
}

function pipedText(command: Command, made: readonly Segment[], state: State, place: Place, within: number): string | undefined {
  if (command.kind !== 'simple' || made.length !== 1) return undefined;
  const [segment] = made;
  if (segment === undefined || (segment.name !== 'echo' && segment.name !== 'printf')) return undefined;
  const value = printedBy(made, { pipelines: [{ join: ';', commands: [command], background: false, coprocess: false }] }, state, place, within);
  return value.dynamic || value.glob ? undefined : value.text;
}
