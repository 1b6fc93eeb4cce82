import { readlinkSync } from 'node:fs';
import type { PathOperation, PathResource } from '../core/call.ts';
import { isWithin, resolvePath, type Place } from '../core/command/place.ts';
import type { CommandAnalysis, Reading } from '../core/ports.ts';
import type { ShellEngine } from '../guards/shell/engine.ts';

export interface PlaceOptions {
  readonly workspace: string;
  readonly home: string;
  readonly platform: Place['platform'];
  /** Symbolic links of a made-up file system, by absolute path; undefined: the links of this machine. */
  readonly links: Readonly<Record<string, string>> | undefined;
}

/** Where decisions are made: nothing is opened, names are followed through links and else judged by their spelling. */
export function openPlace(options: PlaceOptions): Place {
  const { links, home, platform } = options;
  const link = links === undefined ? linkAt : (path: string): string | undefined => (Object.hasOwn(links, path) ? links[path] : undefined);
  const bare: Place = { cwd: options.workspace, roots: [options.workspace], home, platform, link };
  const root = resolvePath(options.workspace, '/', bare).real;
  return { ...bare, cwd: root, roots: [root] };
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

// Control characters are the subject.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** A file system in which every name exists as what the operation wants it to be, and is empty. */
export function spellingReading(place: Place): Reading {
  return {
    locate: (asked, operation) => Promise.resolve(locate(place, asked, operation)),
    readText: (path) => Promise.resolve({ problem: 'missing', message: `${path.asked} does not exist.` }),
    digestText: (text) => `text:${text.length}`,
  };
}

function locate(place: Place, asked: string, operation: PathOperation): PathResource {
  const text = /^~(?:\/|$)/.test(asked) ? `${place.home}${asked.slice(1)}` : asked;
  const { real, linked } = resolvePath(text, place.cwd, place);
  const folder = place.roots.find((root) => isWithin(real, root));
  const relative = folder === undefined ? undefined : real.slice(folder.length + 1);
  const fileKind = CONTROL.test(asked) ? 'other' : operation === 'list' ? 'directory' : 'file';
  return { kind: 'path', operation, asked, real, relative, folder, fileKind, linked };
}

/** The shell engine at this place. `run_shell` lines are bash unless `shell` says otherwise. */
export function analysisAt(place: Place, engine: ShellEngine): CommandAnalysis {
  return {
    analyse: async ({ form, argv, line, cwd }) => {
      await engine.ready();
      const at = { ...place, cwd: cwd.real };
      return form === 'argv' ? engine.analyseArgv(argv, at) : engine.analyseShell(line, at);
    },
  };
}
