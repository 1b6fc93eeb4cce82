import { HOLE, isStatic, literal, type Argument } from '../argument.ts';
import type { Segment } from '../form.ts';
import { isWithin, targetsOf, type Place } from '../place.ts';
import type { Script } from '../reader/script.ts';
import { directoryValue, token, unknown } from './expand.ts';
import type { State } from './state.ts';
import { namesOf } from '../wrappers/find-names.ts';

/** Programs that print short plain words whatever their arguments are. */
const SHORT_PRINTERS = new Set(['nproc', 'wc', 'uname', 'id', 'hostname', 'whoami', 'seq', 'expr', 'arch', 'getconf', 'tty', 'stat', 'cksum', 'md5sum', 'sha256sum', 'sha1sum']);
/** Programs that pass on some of the lines they read. */
const SELECTORS = new Set(['grep', 'egrep', 'fgrep', 'rg', 'sort', 'uniq', 'head', 'tail', 'shuf', 'tac']);

/** What a script prints, as far as that can be known before it runs. `within`: how many wrappers the script itself stands in. */
export function printedBy(segments: readonly Segment[], script: Script, state: State, place: Place, within: number): Argument {
  const [pipeline] = script.pipelines;
  if (script.pipelines.length !== 1 || pipeline === undefined) return unknown();
  const last = segments[segments.length - 1];
  if (last === undefined) return unknown();
  if (pipeline.commands.length > 1 || last.via.length > within) return listedBy(last, place) ?? (SHORT_PRINTERS.has(last.name) ? token() : unknown());
  return printed(last, state, place) ?? listedBy(last, place) ?? unknown();
}

function printed(segment: Segment, state: State, place: Place): Argument | undefined {
  const words = segment.argv.slice(1);
  if (segment.redirects.some(({ operator, descriptor }) => operator.includes('>') && operator !== '>&' && descriptor !== 2) || segment.origin === 'path') return undefined;
  switch (segment.name) {
    case 'echo': return echoed(words);
    case 'printf': return formatted(words);
    case 'pwd': return directoryValue(state);
    case 'dirname': return onePath(words, (text) => (text.includes('/') ? text.slice(0, text.lastIndexOf('/')) || '/' : '.'));
    case 'basename': return onePath(words, (text) => text.replace(/\/+$/, '').split('/').pop() ?? text);
    case 'realpath': case 'readlink': return realPath(segment, words, place);
    case 'which': case 'command': case 'type': return located(words);
    case 'date': return words.every((word) => isStatic(word) && !word.text.includes('/')) ? token() : unknown();
    case 'mktemp': return { text: `/tmp/${token().text}`, glob: false, dynamic: true, open: false };
    case 'git': return printedByGit(words, state, place);
    default: return SHORT_PRINTERS.has(segment.name) ? token() : undefined;
  }
}

function echoed(words: readonly Argument[]): Argument {
  const start = words.findIndex((word) => word.text !== '-n' && word.text !== '-e');
  const rest = start === -1 ? [] : words.slice(start);
  if (rest.some((word) => word.text.includes('\\'))) return unknown();
  return joined(rest);
}

function joined(words: readonly Argument[]): Argument {
  return {
    text: words.map((word) => word.text).join(' '), glob: words.some((word) => word.glob),
    dynamic: words.some((word) => word.dynamic), open: false,
  };
}

function formatted(words: readonly Argument[]): Argument {
  const [format, ...rest] = words;
  if (format === undefined || !isStatic(format)) return unknown();
  const text = format.text.replace(/\\n$/, '');
  if (rest.length === 0 && !/[\\%]/.test(text)) return literal(text);
  if (text === '%s' && rest.length === 1) return rest[0] ?? unknown();
  return unknown();
}

function onePath(words: readonly Argument[], change: (text: string) => string): Argument {
  const [only] = words;
  if (words.length !== 1 || only === undefined || only.text.startsWith('-')) return unknown();
  if (only.text.includes(HOLE)) return unknown();
  return { ...only, text: change(only.text) };
}

function realPath(segment: Segment, words: readonly Argument[], place: Place): Argument {
  const operands = words.filter((word) => !/^-[fem]$/.test(word.text));
  const [only] = operands;
  if (operands.length !== 1 || only === undefined || only.text.startsWith('-')) return unknown();
  const targets = targetsOf(only, segment.directories, place);
  const [target] = targets;
  return target === undefined || target.uncertain || targets.length > 1 ? unknown() : { ...only, text: target.real };
}

/** `$(which rm)`: the program itself. */
function located(words: readonly Argument[]): Argument {
  const names = words.filter((word) => !/^-[vpPa]$/.test(word.text));
  const [only] = names;
  return names.length === 1 && only !== undefined && isStatic(only) && !only.text.startsWith('-') ? only : unknown();
}

function printedByGit(words: readonly Argument[], state: State, place: Place): Argument | undefined {
  const texts = words.map((word) => word.text);
  if (texts.includes('--show-toplevel')) {
    const [directory] = state.directories;
    const root = directory === undefined ? undefined : place.roots.find((folder) => isWithin(directory, folder));
    return root === undefined ? unknown() : literal(root);
  }
  if (texts[0] === 'rev-parse' || texts[0] === 'rev-list' || texts[0] === 'merge-base' || texts.includes('--show-current')) return token();
  return undefined;
}

/** A list of files below a known folder, as a pattern. */
export function listedBy(segment: Segment, place: Place): Argument | undefined {
  if (SELECTORS.has(segment.name) && segment.input.kind === 'pipe' && !lists(segment)) {
    const before = segment.input.from[segment.input.from.length - 1];
    return before === undefined ? undefined : listedBy(before, place);
  }
  if (!lists(segment)) return undefined;
  const folders = segment.effects.map(({ target }) => target).filter((target) => !target.uncertain);
  const [first] = folders;
  if (segment.name === 'git' || first === undefined) {
    const [directory] = segment.directories;
    return directory === undefined ? undefined : { text: `${directory}/*`, glob: true, dynamic: false, open: false };
  }
  const worst = folders.find((target) => !place.roots.some((root) => isWithin(target.real, root))) ?? first;
  const names = segment.name === 'find' ? namesOf(segment.argv.map((word) => word.text)) : ['*'];
  // Of several patterns the one that names a hidden file says most about what is read.
  return { text: `${worst.real}/${names.find((name) => name.startsWith('.')) ?? names[0] ?? '*'}`, glob: true, dynamic: false, open: false };
}

function lists(segment: Segment): boolean {
  const texts = segment.argv.map((word) => word.text);
  if (segment.name === 'find' || segment.name === 'fd') return !texts.some((text) => /^-(?:printf|exec|ok)/.test(text));
  if (segment.name === 'git') return texts[1] === 'ls-files' || texts.includes('--name-only') || (texts[1] === 'grep' && texts.includes('-l'));
  if (segment.name === 'rg' || segment.name === 'grep') return texts.some((text) => /^-[a-zA-Z]*l|^--files/.test(text));
  return segment.name === 'ls';
}
