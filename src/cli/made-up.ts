import { isWithin, isAbsolute, resolvePath, type Place, type Platform } from '../core/command/place.ts';
import type { FileKind, PathOperation, PathResource } from '../core/call.ts';
import type { Reading } from '../core/ports.ts';
import { digestBytes, encodeText } from '../host/encoding.ts';

export interface MadeUpOptions {
  /** Absolute paths, `/` separated. */
  readonly workspaces: readonly string[];
  readonly home: string;
  readonly platform: Platform;
  /** Targets of symbolic links by the absolute path they stand at. */
  readonly links: Readonly<Record<string, string>>;
  /** Text that every file has, for calls that change a part of one. */
  readonly text: () => string | undefined;
}

interface Folder {
  readonly given: string;
  readonly real: string;
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * A file system of which only the links are known: paths resolve by their spelling, whatever is read is there,
 * whatever is written is new. The real one is never looked at.
 */
export function createMadeUpReading(options: MadeUpOptions): Reading {
  const { home, platform, text } = options;
  const link = linkOf(options);
  const bare: Place = { cwd: '/', roots: [], home, platform, link };
  const folders = options.workspaces.map((given): Folder => ({ given: resolvePath(given, '/', { ...bare, link: undefined }).real, real: resolvePath(given, '/', bare).real }));

  function locate(asked: string, operation: PathOperation): PathResource {
    if (asked === '' || CONTROL.test(asked)) {
      return { kind: 'path', operation, asked, real: '/', relative: undefined, folder: undefined, fileKind: 'other', linked: false };
    }
    const absolute = absoluteOf(asked, folders, bare);
    const { real } = resolvePath(absolute, '/', bare);
    const folder = innermost(folders, real, platform);
    const relative = folder === undefined ? undefined : real.slice(folder.real.length + 1);
    const spelled = resolvePath(absolute, '/', { ...bare, link: undefined }).real;
    const linked = folder === undefined ? real !== spelled : ![folder.given, folder.real].some((root) => spelled === (relative === '' ? root : `${root}/${relative ?? ''}`));
    return { kind: 'path', operation, asked, real, relative, folder: folder?.real, fileKind: kindOf(real, operation, folders), linked };
  }

  return {
    locate: (asked, operation) => Promise.resolve(locate(asked, operation)),
    readText: ({ asked }) => {
      const found = text();
      if (found === undefined) return Promise.resolve({ problem: 'missing' as const, message: `${asked} does not exist.` });
      const bytes = encodeText(found, 'utf8');
      return Promise.resolve({ text: found, encoding: 'utf8' as const, digest: digestBytes(bytes), bytes: bytes.length, source: 'disk' as const });
    },
    digestText: (content, encoding) => digestBytes(encodeText(content, encoding)),
  };
}

/** The link that stands at exactly this path. */
export function linkOf({ links }: Pick<MadeUpOptions, 'links'>): NonNullable<Place['link']> {
  const known = new Map(Object.entries(links));
  return (path) => known.get(path);
}

function absoluteOf(asked: string, folders: readonly Folder[], place: Place): string {
  if (asked === '~') return place.home;
  if (asked.startsWith('~/')) return `${place.home}${asked.slice(1)}`;
  if (isAbsolute(asked, place.platform)) return asked;
  const [first, ...others] = folders;
  const [segment = '', ...rest] = asked.split(place.platform === 'win32' ? /[/\\]/ : '/');
  const named = others.find(({ given }) => given.slice(given.lastIndexOf('/') + 1) === segment);
  return named === undefined ? `${first?.given ?? ''}/${asked}` : [named.given, ...rest].join('/');
}

function innermost(folders: readonly Folder[], real: string, platform: Platform): Folder | undefined {
  const fold = (path: string): string => (platform === 'linux' ? path : path.normalize('NFC').toLowerCase());
  return folders.filter((folder) => isWithin(fold(real), fold(folder.real))).toSorted((left, right) => right.real.length - left.real.length)[0];
}

function kindOf(real: string, operation: PathOperation, folders: readonly Folder[]): FileKind {
  if (/^\/dev\/./.test(real)) return 'other';
  if (operation === 'list' || folders.some((folder) => isWithin(folder.real, real))) return 'directory';
  return operation === 'write' ? 'missing' : 'file';
}
