import { show, type Argument } from '../../core/command/argument.ts';
import type { Draft, Part } from '../../core/command/analyse/draft.ts';
import { isWithin, resolvePath, targetsOf } from '../../core/command/place.ts';
import { describeEnvironment } from './environment.ts';
import { judgeGit } from './safe/git.ts';
import { interpreterOf, judgeInterpreter } from './safe/interpreters.ts';
import { judgeNetwork } from './safe/network-tools.ts';
import { FAMILIES, OBJECTIONS } from './safe/objections.ts';
import { judgeScripts, onlyPrints } from './safe/packages.ts';
import { READERS } from './safe/readers.ts';
import { judgeRunner, RUNNERS } from './safe/runners.ts';
import { judgeSpecial } from './safe/special.ts';
import { applySpec } from './safe/table.ts';
import { WRITERS } from './safe/writers.ts';

const ASKS_VERSION = /^(?:--version|-V|version|--help|-version)$/;
const SCRIPT_TOOLS = new Set(['npm', 'pnpm', 'yarn', 'bun', 'cnpm']);

/** What a segment would touch and what there is to say about it. The one place where program names mean something. */
export function describeSegment(draft: Draft, part: Part): void {
  describeRedirects(draft, part);
  describeEnvironment(draft);
  if (draft.background) draft.raise('background', 'runs on after the line has ended');
  const [head] = draft.argv;
  if (head === undefined || part === 'block') return;
  if (draft.origin === 'path' && !projectProgram(draft, head)) draft.raise('script_file', show(head));
  if (part === 'wrapper') return;
  const known = describeProgram(draft, head);
  if (!known && !draft.concerns.some(({ key }) => key === 'script_file')) draft.raise('unknown_command', show(head));
  if (draft.concerns.some(({ key }) => key === 'project_code')) checkProject(draft);
  checkEndless(draft);
}

const ENDLESS = /^\/dev\/(?:zero|full|u?random)$/;

/** What never ends, written to a file: it fills the disk. */
function checkEndless(draft: Draft): void {
  const endless = draft.name === 'yes' || (/^(?:cat|tr|tac|nl|base64|xxd|od|sort)$/.test(draft.name) && draft.effects.some(({ operation, target }) => operation === 'read' && ENDLESS.test(target.real)));
  if (endless && draft.redirects.some(({ operator, target }) => operator.includes('>') && !QUIET_DEVICES.test(target.text))) draft.raise('resource', `${draft.name} without an end, into a file`);
}

function describeProgram(draft: Draft, head: Argument): boolean {
  const { name, place } = draft;
  const [, first] = draft.argv;
  const written = head.text.slice(head.text.lastIndexOf('/') + 1).replace(/\.exe$/i, '');
  if (written !== name && place.platform === 'linux') draft.raise('unknown_command', written);
  if (draft.argv.length === 2 && first !== undefined && !first.dynamic && ASKS_VERSION.test(first.text) && isKnown(name)) return true;
  if (name === 'git') judgeGit(draft);
  else if (READERS.has(name)) applySpec(READERS.get(name) ?? never(name), draft);
  else if (WRITERS.has(name)) applySpec(WRITERS.get(name) ?? never(name), draft);
  else if (interpreterOf(name) !== undefined) judgeInterpreter(interpreterOf(name) ?? '', draft);
  else if (SCRIPT_TOOLS.has(name)) judgeScripts(draft);
  else if (onlyPrints(draft)) return true;
  else if (RUNNERS.has(name)) judgeRunner(RUNNERS.get(name) ?? never(name), draft);
  else return describeObjection(draft);
  return true;
}

function never(name: string): never {
  throw new Error(`no table entry for ${name}`);
}

function isKnown(name: string): boolean {
  return name === 'git' || READERS.has(name) || WRITERS.has(name) || RUNNERS.has(name) || SCRIPT_TOOLS.has(name) || interpreterOf(name) !== undefined
    || ['network', 'container', 'infrastructure', 'package_install', 'database'].includes(OBJECTIONS.get(name) ?? '');
}

function describeObjection(draft: Draft): boolean {
  if (judgeSpecial(draft)) return true;
  const key = OBJECTIONS.get(draft.name) ?? FAMILIES.find(([pattern]) => pattern.test(draft.name))?.[1];
  if (key === undefined) return false;
  if (key === 'network') judgeNetwork(draft);
  else draft.raise(key, draft.name);
  if (key === 'block_device' || key === 'database' || key === 'secret_store' || key === 'container') {
    for (const word of draft.argv.slice(1)) if (/^(?:\/|~|\.\.?\/)/.test(word.text)) draft.touch(key === 'block_device' ? 'write' : 'read', word);
  }
  return true;
}

const PROJECT_PROGRAMS = /^(?:gradlew|mvnw)$/;

/** A program of the workspace that the tables know: a wrapper script of a build tool, an installed tool. */
function projectProgram(draft: Draft, head: Argument): boolean {
  const targets = targetsOf(head, draft.directories, draft.place);
  const inside = targets.length > 0 && targets.every((target) => !target.uncertain && !target.glob && draft.place.roots.some((root) => isWithin(target.real, root)));
  if (!inside) return false;
  if (PROJECT_PROGRAMS.test(draft.name)) return true;
  return targets.every((target) => /\/(?:node_modules\/\.bin|vendor\/bin|\.?venv\/bin|bin)\/[^/]+$/.test(target.real)) && (RUNNERS.has(draft.name) || (interpreterOf(draft.name) !== undefined && /venv\/bin/.test(head.text)));
}

/** Code of another project is not what the person opened. */
function checkProject(draft: Draft): void {
  const { place } = draft;
  const outside = (path: string): boolean => !place.roots.some((root) => isWithin(path, root));
  if (draft.directories.some((directory) => directory === undefined || outside(directory))) draft.raise('project_elsewhere', draft.name);
  for (const word of draft.argv.slice(1)) {
    const value = word.text.replace(/^-{1,2}[A-Za-z][\w-]*=/, '').replace(/^-[A-Za-z]+(?=[/~.])/, '');
    if (!/^(?:\/|~|\.\.(?:\/|$)|.*\/\.\.(?:\/|$))/.test(value)) continue;
    for (const directory of draft.directories) {
      const real = directory === undefined ? '/' : resolvePath(value, directory, place).real;
      if (outside(real) && !/^\/dev\/null$|^\/tmp(?:\/|$)/.test(real)) draft.raise('project_elsewhere', show(word));
      else if (/^\/tmp(?:\/|$)/.test(real)) draft.raise('project_elsewhere', show(word));
    }
  }
}

const QUIET_DEVICES = /^\/dev\/(?:null|zero|std(?:in|out|err)|tty|fd\/\d+)$/;

function describeRedirects(draft: Draft, part: Part): void {
  for (const { operator, target } of draft.redirects) {
    if (operator === '<<' || operator === '<<<') continue;
    if ((operator === '>&' || operator === '<&') && /^\d*-?$/.test(target.text) && !target.dynamic) continue;
    const socket = /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(target.text);
    if (socket !== null) {
      draft.raise('network', show(target), socket[1] ?? '');
      continue;
    }
    if (target.text === '/dev/fd/63' && operator !== '<') draft.raise('dynamic_argument', 'the output goes into another command');
    if (QUIET_DEVICES.test(target.text)) continue;
    if (target.open || (operator !== '<' && target.made === 'output')) draft.raise('dynamic_argument', show(target));
    draft.touch(operator === '<' || operator === '<&' ? 'read' : 'write', target);
    if (operator !== '<' && target.glob) draft.raise('dynamic_argument', show(target));
    if (operator === '>' || operator === '>|' || operator === '&>') checkEmpty(draft, part);
  }
}

/** `> file`, `: > file`, `cat /dev/null > file`: nothing but emptying the file. */
function checkEmpty(draft: Draft, part: Part): void {
  if (part === 'block') return;
  const words = draft.argv.slice(1);
  const silent = draft.argv.length === 0 || draft.name === ':' || draft.name === 'true' || (draft.name === 'cat' && words.length > 0 && words.every((word) => word.text === '/dev/null'));
  if (silent) draft.raise('truncate', 'a redirect without output');
}
