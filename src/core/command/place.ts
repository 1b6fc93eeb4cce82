import { HOLE, TOKEN, type Argument } from './argument.ts';
import { LIMITS } from './limits.ts';

export type Platform = 'linux' | 'darwin' | 'win32';

/** Where a command would run. All paths are absolute, without a trailing slash, `/` separated. */
export interface Place {
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly home: string;
  readonly platform: Platform;
  /** Workspace folders as they were opened, where those lie behind a link: a path through that link is no detour. */
  readonly opened?: readonly { readonly given: string; readonly real: string }[] | undefined;
  /** The target of the symbolic link at exactly this path, as stored, or undefined. Must be quick and never throw. */
  readonly link?: ((path: string) => string | undefined) | undefined;
}

/** A path as a command would see it. */
export interface Target {
  /** As written, unknown parts as dots. */
  readonly asked: string;
  /** Absolute and normalised, links followed; pattern characters kept. '' when not even the start is known. */
  readonly real: string;
  /** The name itself is unknown in part, so `real` is only a guess at where it leads. */
  readonly uncertain: boolean;
  readonly glob: boolean;
  /** Following links changed where it leads. */
  readonly linked: boolean;
}

const MAX_LINKS = 40;

/** Absolute, normalised, links followed where `place.link` knows them. `..` is taken after the link, as the system does. */
export function resolvePath(text: string, cwd: string, place: Place): { real: string; linked: boolean } {
  let rest = split(place.platform === 'win32' ? text.replaceAll('\\', '/') : text);
  let done: string[] = isAbsolute(text, place.platform) ? [] : split(cwd);
  let links = 0;
  while (rest.length > 0) {
    const part = rest[0] ?? '';
    rest = rest.slice(1);
    if (part === '.' || part === '') continue;
    if (part === '..') {
      done = done.slice(0, -1);
      continue;
    }
    const next = [...done, part];
    const target = place.link?.(join(next, place.platform));
    if (target === undefined || links >= MAX_LINKS) {
      done = next;
      continue;
    }
    links += 1;
    rest = [...split(target), ...rest];
    if (isAbsolute(target, place.platform)) done = [];
  }
  const real = join(done, place.platform);
  return { real, linked: links > 0 && !throughOpened(text, cwd, real, place) };
}

/** Whether the only links on the way are those that lead to the opened folder itself. */
function throughOpened(text: string, cwd: string, real: string, place: Place): boolean {
  if (place.opened === undefined || place.opened.length === 0) return false;
  const spelled = resolvePath(text, cwd, { ...place, link: undefined, opened: undefined }).real;
  return place.opened.some((folder) => isWithin(spelled, folder.given) && real === `${folder.real}${spelled.slice(folder.given.length)}`);
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}

function join(parts: readonly string[], platform: Platform): string {
  return platform === 'win32' && /^[A-Za-z]:$/.test(parts[0] ?? '') ? parts.join('/') : `/${parts.join('/')}`;
}

export function isAbsolute(path: string, platform: Platform): boolean {
  return path.startsWith('/') || (platform === 'win32' && (/^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\')));
}

/** Resolves an argument from each directory it may be seen from. */
export function targetsOf(argument: Argument, directories: readonly (string | undefined)[], place: Place): readonly Target[] {
  const asked = argument.text.replaceAll(HOLE, '…').replaceAll(TOKEN, '…');
  if (argument.text.length > LIMITS.path) return [{ asked: `${asked.slice(0, 80)}…`, glob: argument.glob, uncertain: true, real: '', linked: false }];
  const hole = argument.text.indexOf(HOLE);
  const text = (hole === -1 ? argument.text : argument.text.slice(0, hole)).replaceAll(TOKEN, '*');
  const glob = argument.glob || argument.text.includes(TOKEN);
  const uncertain = hole !== -1 || (argument.dynamic && !argument.text.includes(TOKEN));
  if (isAbsolute(text, place.platform)) return [{ asked, glob, uncertain, ...resolvePath(text, '/', place) }];
  if (hole === 0) return [{ asked, glob, uncertain: true, real: '', linked: false }];
  return directories.map((directory) => (directory === undefined
    ? { asked, glob, uncertain: true, real: '', linked: false }
    : { asked, glob, uncertain, ...resolvePath(text, directory, place) }));
}

/** Whether `path` is `folder` or lies in it. Both normalised. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
