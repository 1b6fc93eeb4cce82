import { HOLE, literal, show, type Argument } from '../argument.ts';
import { runInvocation, runScriptText } from '../analyse/simple.ts';
import type { Draft, Invocation } from '../analyse/draft.ts';
import type { Walk } from '../analyse/walk.ts';
import type { ConcernKey, EnvironmentEntry } from '../form.ts';
import { parseOptions, type ParsedOptions } from '../options.ts';
import { resolvePath } from '../place.ts';
import { unwrapFind } from './find.ts';
import { runShell } from './shells.ts';
import { SHELLS, VERB_WRAPPERS, WRAPPERS, type Wrapper } from './table.ts';
import { unwrapXargs } from './xargs.ts';

/** Takes a wrapper off and judges what it starts. False when the program is none. */
export function unwrap(name: string, invocation: Invocation, walk: Walk): boolean {
  if (SHELLS.has(name)) return runShell(name, invocation, walk);
  if (name === 'xargs' || name === 'gxargs') return unwrapXargs(invocation, walk);
  if (name === 'find' || name === 'gfind') return unwrapFind(invocation, walk);
  const verb = invocation.argv[1]?.text ?? '';
  const verbs = VERB_WRAPPERS.get(name);
  const byVerb = verbs !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (byVerb !== undefined) return takeOff(`${name} ${verb}`, byVerb, invocation, 2, walk);
  const wrapper = WRAPPERS.get(name);
  if (wrapper === undefined || (name === 'command' && /^-\w*[vV]/.test(verb))) return false;
  return takeOff(name, wrapper, invocation, 1, walk);
}

function takeOff(name: string, wrapper: Wrapper, invocation: Invocation, from: number, walk: Walk): boolean {
  const parsed = parseOptions(invocation.argv.slice(from), wrapper.options);
  const draft = walk.start(invocation, 'wrapper');
  if (wrapper.concern !== undefined) draft.raise(wrapper.concern, name, wrapper.concern === 'network' ? '' : undefined);
  if (wrapper.elsewhere) {
    for (const option of parsed.options) if (option.spec.type === 'script') runScriptText(option.value, invocation, name, walk);
    return true;
  }
  noteOptions(parsed, draft);
  const started = startCarried(parsed, wrapper, invocation, name, walk, draft);
  const sudoShell = parsed.options.some((option) => /^(?:-i|-s|--login|--shell)$/.test(option.name)) && name === 'sudo';
  if (name === 'exec' && invocation.redirects.length > 0) draft.raise('shell_state', 'exec');
  if (!started && wrapper.alone !== undefined) draft.raise(wrapper.alone, name);
  if (sudoShell) draft.raise('interactive', name);
  return true;
}

function noteOptions(parsed: ParsedOptions, draft: Draft): void {
  for (const { spec, name, value } of parsed.options) {
    if (spec.concern !== undefined) draft.raise(spec.concern as ConcernKey, name);
    if (value === undefined) continue;
    if (spec.type === 'write') draft.touch('write', value);
    if (spec.type === 'read') draft.touch('read', value);
    if (spec.type === 'program') draft.raise('program_option', name);
  }
  for (const unknown of parsed.unknown) draft.raise('unknown_option', `${draft.name} ${unknown}`);
  for (const word of parsed.unsure) draft.raise('dynamic_argument', show(word));
}

/** Starts what the wrapper carries; false when it carries nothing. */
function startCarried(parsed: ParsedOptions, wrapper: Wrapper, invocation: Invocation, name: string, walk: Walk, draft: Draft): boolean {
  const context = { ...invocation.context, via: [...invocation.context.via, name] };
  let state = invocation.state;
  const folder = parsed.options.find((option) => option.spec.type === 'folder')?.value;
  if (folder !== undefined) {
    draft.touch('list', folder);
    state = { ...state, directories: folder.dynamic ? [undefined] : state.directories.map((directory) => (directory === undefined ? undefined : resolvePath(folder.text, directory, walk.place).real)) };
  }
  const assignments: EnvironmentEntry[] = [...invocation.assignments];
  let rest = parsed.operands.slice(wrapper.skip);
  while (wrapper.assigns) {
    const match = /^([^=\s/]+)=([\s\S]*)$/.exec(rest[0]?.text ?? '');
    const [word] = rest;
    if (match === null || word === undefined) break;
    assignments.push({ name: match[1] ?? '', value: { ...word, text: match[2] ?? '' } });
    rest = rest.slice(1);
  }
  if (assignments.length > invocation.assignments.length && rest.length === 0) draft.raise('environment_dump', name);
  const inner: Invocation = { ...invocation, argv: rest, assignments, redirects: [], state, context };
  const scripts = parsed.options.filter((option) => option.spec.type === 'script');
  for (const option of scripts) runOption(option.value, rest, inner, name, walk);
  if (scripts.length > 0) return true;
  if (rest.length === 0) return false;
  if (wrapper.joins && !parsed.options.some((option) => option.name === '-x' || option.name === '--exec')) {
    runScriptText(joined(rest), { ...inner, argv: [literal(name)] }, name, walk);
    return true;
  }
  if (wrapper.fetches && /@[^/]+$|^[@a-z]*[/:]|^git\+/.test(rest[0]?.text ?? '') && !/^\.{0,2}\//.test(rest[0]?.text ?? '')) draft.raise('package_run', show(rest[0] ?? literal('')));
  if (wrapper.fetches || name.includes(' ')) fetched(inner, walk, draft, wrapper);
  else runInvocation(inner, walk);
  return true;
}

/** A tool of the project: one that the tables know as such is judged like any other, the rest is fetched code. */
function fetched(inner: Invocation, walk: Walk, draft: Draft, wrapper: Wrapper): void {
  const from = walk.segments.length;
  runInvocation(inner, walk);
  const made = walk.segments[from];
  if (made?.concerns.some((concern) => concern.key === 'unknown_command') === true) draft.raise('package_run', made.name);
  else if (wrapper.fetches && made?.concerns.every((concern) => concern.key !== 'project_code') === true) draft.raise('package_run', made.name);
}

function runOption(value: Argument | undefined, rest: readonly Argument[], inner: Invocation, name: string, walk: Walk): void {
  if (name !== 'env') {
    runScriptText(value, { ...inner, argv: [literal(name)] }, name, walk);
    return;
  }
  const words = (value?.text ?? '').split(/\s+/).filter((word) => word !== '').map(literal);
  if (value === undefined || value.dynamic || /['"\\$#]/.test(value.text)) walk.doubt('dynamic_word', 'an env -S string that is not plain');
  runInvocation({ ...inner, argv: [literal('env'), ...words, ...rest] }, walk);
}

export function joined(words: readonly Argument[]): Argument {
  return {
    text: words.map((word) => word.text).join(' '), glob: false, open: words.some((word) => word.open),
    dynamic: words.some((word) => word.dynamic) || words.some((word) => word.text.includes(HOLE)),
  };
}
