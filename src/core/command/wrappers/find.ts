import { literal, show, type Argument } from '../argument.ts';
import { runInvocation } from '../analyse/simple.ts';
import type { Draft, Invocation } from '../analyse/draft.ts';
import type { Walk } from '../analyse/walk.ts';
import { namesOf } from './find-names.ts';

/** Tests and actions of `find` without effect, by how many words they take. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ...['-daystart', '-depth', '-d', '-follow', '-ignore_readdir_race', '-noignore_readdir_race', '-mount', '-xdev', '-noleaf', '-nowarn', '-warn', '-empty', '-executable', '-false', '-true', '-nogroup', '-nouser',
    '-readable', '-writable', '-print', '-print0', '-prune', '-quit', '-ls', '-not', '-a', '-and', '-o', '-or', '!', '(', ')', ',', '-help', '--help', '-version', '--version', '-X', '-s', '-x', '-E', '-H', '-L', '-P'].map((name) => [name, 0] as const),
  ...['-maxdepth', '-mindepth', '-regextype', '-amin', '-anewer', '-atime', '-cmin', '-cnewer', '-ctime', '-fstype', '-gid', '-group', '-ilname', '-iname', '-inum', '-ipath', '-iregex', '-iwholename', '-links', '-lname',
    '-mmin', '-mtime', '-name', '-newer', '-path', '-perm', '-regex', '-samefile', '-size', '-type', '-uid', '-used', '-user', '-wholename', '-xtype', '-context', '-printf', '-D', '-flags', '-newermt', '-newerct', '-Btime', '-mnewer'].map((name) => [name, 1] as const),
]);
const NARROWS = /^-(?:i?name|i?path|i?regex|i?wholename|i?lname|empty|newer\w*|[acm](?:min|time|newer)|size|user|group|uid|gid|perm|inum|samefile|links|executable)$/;
const STARTS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** `find`: reads names only, unless an action writes, deletes or starts a program. */
export function unwrapFind(invocation: Invocation, walk: Walk): boolean {
  const words = invocation.argv.slice(1);
  const draft = walk.start(invocation, 'wrapper');
  let at = 0;
  while (at < words.length && /^-(?:[HLPEXdsx]+|O\d|D)$/.test(words[at]?.text ?? '')) at += words[at]?.text === '-D' ? 2 : 1;
  const starts: Argument[] = [];
  while (at < words.length && !/^[-!(,)]/.test(words[at]?.text ?? '')) {
    const word = words[at];
    if (word !== undefined) starts.push(word);
    at += 1;
  }
  const folders = starts.length === 0 ? [literal('.')] : starts;
  for (const folder of folders) {
    draft.touch('list', folder);
    if (folder.open) draft.raise('dynamic_argument', show(folder));
  }
  const narrowed = words.slice(at).some((word) => NARROWS.test(word.text));
  while (at < words.length) at += 1 + takeTest(words, at, folders, narrowed, draft, invocation, walk);
  return true;
}

/** Returns how many words after the test it used. */
function takeTest(words: readonly Argument[], at: number, folders: readonly Argument[], narrowed: boolean, draft: Draft, invocation: Invocation, walk: Walk): number {
  const word = words[at];
  const name = word?.text ?? '';
  const count = WORDS.get(name);
  if (count !== undefined && word?.open === false) return count;
  if (STARTS.has(name)) return takeProgram(words, at, folders, narrowed, invocation, walk);
  if (name === '-delete') {
    for (const folder of folders) draft.touch(narrowed ? 'delete' : 'delete_tree', narrowed ? below(folder) : folder);
    draft.raise('delete', 'find -delete');
    return 0;
  }
  const value = words[at + 1];
  if (/^-f(?:print0?|printf|ls)$/.test(name)) {
    if (value !== undefined) draft.touch('write', value);
    draft.raise('program_option', `find ${name}`);
    return name === '-fprintf' ? 2 : 1;
  }
  if (name === '-files0-from' || name === '-newerXY') {
    if (value !== undefined) draft.touch('read', value);
    draft.raise('program_option', `find ${name}`);
    return 1;
  }
  draft.raise(word?.dynamic === true ? 'dynamic_argument' : 'unknown_option', `find ${word === undefined ? name : show(word)}`);
  return 0;
}

function below(folder: Argument, name = '*'): Argument {
  return { ...folder, text: `${folder.text.replace(/\/+$/, '')}/${name}`, glob: true };
}

function takeProgram(words: readonly Argument[], at: number, folders: readonly Argument[], narrowed: boolean, invocation: Invocation, walk: Walk): number {
  let end = at + 1;
  while (end < words.length && words[end]?.text !== ';' && !(words[end]?.text === '+' && words[end - 1]?.text === '{}')) end += 1;
  const program = words.slice(at + 1, end);
  const names = namesOf(words.map((word) => word.text));
  for (const [folder, name] of folders.flatMap((one) => names.map((pattern) => [one, pattern] as const))) {
    const found = below(folder, program[0]?.text === 'rm' ? '*' : name);
    const argv = program.map((word): Argument => (word.text.includes('{}')
      ? { ...word, text: word.text.replaceAll('{}', narrowed && program[0]?.text === 'rm' ? `${found.text}.found` : found.text), glob: true, dynamic: word.dynamic || folder.dynamic }
      : word));
    const context = { ...invocation.context, via: [...invocation.context.via, 'find'] };
    runInvocation({ ...invocation, argv, redirects: [], context }, walk);
  }
  if (program.length === 0) walk.doubt('unreadable', 'a find action without a program');
  return end - at;
}
