import { lstat, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { FileKind, PathOperation, PathResource } from '../core/call.ts';

/** As many links as Linux follows before it gives up with ELOOP. */
const MAX_LINKS = 40;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

export interface LocatorOptions {
  /** Absolute paths of the workspace folders, in their order. */
  readonly folders: () => readonly string[];
  /** Absolute path of the home directory. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

export interface Locator {
  locate(asked: string, operation: PathOperation): Promise<PathResource>;
  /**
   * The shortest name for a real path that `locate` leads back to it: relative to the first folder, or with
   * the name of another folder in front, or absolute. `/` separated.
   */
  nameOf(real: string): Promise<string>;
}

interface Folder {
  readonly given: string;
  readonly real: string;
}

/**
 * Where a path really leads. The rules, in order:
 * absolute paths are taken as they are; `~` and `~/x` mean the home directory, as in a shell (`./~` is a file of that name);
 * a relative path starts at the first workspace folder, unless that has no entry of the path's first segment and
 * another folder has it as its name, in which case it starts there. Links are followed, dangling ones to the place
 * they name. A path lies in a folder when its real form does, segment by segment. What cannot be followed (link
 * loop, no permission, a file used as a directory, control characters, no folder open) has kind `other`.
 */
export function createLocator(options: LocatorOptions): Locator {
  const { home, platform } = options;

  async function folders(): Promise<readonly Folder[]> {
    return Promise.all(options.folders().map(async (given) => ({ given, real: (await follow(path.resolve(given), platform)).real })));
  }

  async function locate(asked: string, operation: PathOperation): Promise<PathResource> {
    const roots = await folders();
    const absolute = await absoluteOf(asked, roots, home);
    if (absolute === undefined) return unusable(asked, operation);
    const { real, kind } = await follow(absolute, platform);
    const folder = innermost(roots, real, platform);
    const relative = folder === undefined ? undefined : slashed(path.relative(folder.real, real));
    const linked = folder === undefined ? real !== absolute : !sameTail(folder, absolute, relative ?? '');
    return { kind: 'path', operation, asked, real, relative, folder: folder?.real, fileKind: kind, linked };
  }

  async function nameOf(real: string): Promise<string> {
    const roots = await folders();
    const [first, ...others] = roots;
    if (first !== undefined && isWithin(real, first.real, platform)) return slashed(path.relative(first.real, real)) || '.';
    const folder = innermost(others, real, platform);
    if (folder === undefined) return real;
    const named = slashed(path.join(path.basename(folder.given), path.relative(folder.real, real)));
    return (await locate(named, 'read')).real === real ? named : real;
  }

  return { locate, nameOf };
}

function unusable(asked: string, operation: PathOperation): PathResource {
  const real = path.resolve(path.parse(process.cwd()).root, asked.replaceAll('\0', '\ufffd'));
  return { kind: 'path', operation, asked, real, relative: undefined, folder: undefined, fileKind: 'other', linked: false };
}

async function absoluteOf(asked: string, roots: readonly Folder[], home: string): Promise<string | undefined> {
  if (asked === '' || CONTROL.test(asked)) return undefined;
  if (asked === '~') return path.resolve(home);
  if (asked.startsWith('~/')) return path.resolve(home, asked.slice(2));
  if (path.isAbsolute(asked)) return path.resolve(asked);
  const [first, ...others] = roots;
  if (first === undefined) return undefined;
  const [segment = '', ...rest] = asked.split(path.sep === '\\' ? /[/\\]/ : '/');
  const named = others.find((folder) => path.basename(folder.given) === segment);
  if (named !== undefined && !(await exists(path.join(first.given, segment)))) return path.resolve(named.given, ...rest);
  return path.resolve(first.given, asked);
}

async function exists(target: string): Promise<boolean> {
  return lstat(target).then(() => true, () => false);
}

/** Walks segment by segment, so that a link in the middle and a missing tail both end where the system would end. */
async function follow(absolute: string, platform: NodeJS.Platform): Promise<{ real: string; kind: FileKind }> {
  const found = await walk(absolute);
  return platform === 'linux' ? found : { ...found, real: await spelledAsStored(found.real) };
}

async function walk(absolute: string): Promise<{ real: string; kind: FileKind }> {
  let current = path.parse(absolute).root;
  let kind: FileKind = 'directory';
  let links = 0;
  const pending = segmentsOf(absolute);
  while (pending.length > 0) {
    const segment = pending.shift()!;
    const next = path.join(current, segment);
    const stat = await lstat(next).catch((error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown');
    if (typeof stat === 'string') return { real: path.join(next, ...pending), kind: stat === 'ENOENT' ? 'missing' : 'other' };
    if (stat.isSymbolicLink()) {
      links += 1;
      const target = links > MAX_LINKS ? undefined : await readlink(next).catch(() => undefined);
      if (target === undefined) return { real: path.join(next, ...pending), kind: 'other' };
      if (path.isAbsolute(target)) current = path.parse(target).root;
      pending.unshift(...segmentsOf(target));
      kind = 'directory';
      continue;
    }
    current = next;
    kind = stat.isDirectory() ? 'directory' : stat.isFile() ? 'file' : 'other';
  }
  return { real: current, kind };
}

/** `..` stays: behind a link it means the parent of the link's target. */
function segmentsOf(target: string): string[] {
  return target.slice(path.parse(target).root.length).split(path.sep).filter((segment) => segment !== '' && segment !== '.');
}

/** Where the file system folds case or normalises names, the stored spelling is the name that rules judge. */
async function spelledAsStored(real: string): Promise<string> {
  const tail: string[] = [];
  for (let at = real; at !== path.dirname(at); at = path.dirname(at)) {
    const stored = await realpath(at).catch(() => undefined);
    if (stored !== undefined) return path.join(stored, ...tail);
    tail.unshift(path.basename(at));
  }
  return real;
}

function innermost(roots: readonly Folder[], real: string, platform: NodeJS.Platform): Folder | undefined {
  return roots.filter((folder) => isWithin(real, folder.real, platform))
    .reduce<Folder | undefined>((best, folder) => best === undefined || folder.real.length > best.real.length ? folder : best, undefined);
}

/** Segment by segment: `/w/repo-old` is not within `/w/repo`. macOS and Windows compare without case, macOS also composed. */
export function isWithin(real: string, folder: string, platform: NodeJS.Platform): boolean {
  const tail = path.relative(folded(folder, platform), folded(real, platform));
  return tail === '' || (tail !== '..' && !tail.startsWith(`..${path.sep}`) && !path.isAbsolute(tail));
}

function folded(target: string, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return target.normalize('NFC').toLowerCase();
  return platform === 'win32' ? target.toLowerCase() : target;
}

/** Whether the path without links ends the same: a workspace that lies behind a link itself is not "linked". */
function sameTail(folder: Folder, absolute: string, relative: string): boolean {
  return absolute === path.join(folder.given, relative) || absolute === path.join(folder.real, relative);
}

function slashed(relative: string): string {
  return path.sep === '/' ? relative : relative.replaceAll(path.sep, '/');
}
