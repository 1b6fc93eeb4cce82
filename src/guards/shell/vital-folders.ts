import type { PathResource } from '../../core/call.ts';

const HERE: ReadonlySet<string> = new Set(['', '*', '.*', '$PWD', '$OLDPWD', '~', '$HOME']);

/**
 * Whether deleting what the word names would delete the root, the home directory, the folder the command starts in, its
 * workspace, something above them, or git's own folder. Judged on the word alone: a shell may have gone elsewhere before.
 */
export function isVital(word: string, cwd: PathResource, home: string): boolean {
  const plain = word.replace(/^\$\{(\w+)\}/, '$$$1');
  // `x/*` deletes as much as `x`; so does `x/.`.
  const name = plain.replace(/(?:\/+(?:\*|\.\*|\.)?)+$/, '');
  const absolute = plain.startsWith('/');
  if (!absolute && (HERE.has(name) || /^\.{1,2}(\/\.{1,2})*$/.test(name) || /^~\w+$/.test(name))) return true;
  const path = segmentsOf(absolute ? name : name.replace(/^(~|\$HOME)(?=\/)/, home).replace(/^(?!\/)/, `${cwd.real}/`));
  if (path.at(-1) === '.git') return true;
  return [cwd.real, cwd.folder ?? cwd.real, home].some((vital) => contains(path, segmentsOf(vital)));
}

function contains(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.every((segment, index) => inner[index] === segment);
}

/** Lexically: `a/../b` is `b`. */
function segmentsOf(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}
