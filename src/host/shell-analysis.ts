import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandAnalysis } from '../core/ports.ts';
import type { GrammarBytes } from '../core/command/grammar.ts';
import type { Place } from '../core/command/place.ts';
import { createShellEngine, type ShellEngine } from '../guards/shell/engine.ts';

export interface ShellAnalysisOptions {
  /** Brings the bytes of the grammar, the first time they are needed. */
  readonly load: () => Promise<GrammarBytes>;
  /** The workspace folders as they were opened, and where they really are. */
  readonly folders: () => Promise<readonly { readonly given: string; readonly real: string }[]>;
  readonly home: string;
  readonly platform: Place['platform'];
  /** The shell that would read a line; bash unless said otherwise. */
  readonly shell?: (() => string) | undefined;
  /** Targets of symbolic links; those of the real file system unless said otherwise. */
  readonly link?: Place['link'];
  /** Said once when the grammar could not be loaded: from then on every shell line asks. */
  readonly failed: () => void;
}

/** The grammar's files in the folder of our bundles. */
export async function grammarFrom(dist: string): Promise<GrammarBytes> {
  const [runtime, grammar] = await Promise.all([readFile(join(dist, 'web-tree-sitter.wasm')), readFile(join(dist, 'tree-sitter-bash.wasm'))]);
  return { runtime, grammar };
}

/** The shell engine over the real file system's links. Nothing is loaded before the first command. */
export function createShellAnalysis(options: ShellAnalysisOptions): CommandAnalysis & { dispose(): void } {
  const held: { engine?: ShellEngine; warned?: boolean } = {};
  const open = (): ShellEngine => held.engine ??= createShellEngine(options.load);
  return {
    async analyse({ form, argv, line, cwd }) {
      const engine = open();
      if (form === 'shell' && !(await engine.ready())) {
        if (held.warned !== true) options.failed();
        held.warned = true;
        return undefined;
      }
      const opened = await options.folders();
      const place: Place = { cwd: cwd.real, opened, roots: opened.map(({ real }) => real), home: options.home, platform: options.platform, link: options.link ?? linkAt };
      return form === 'argv' ? engine.analyseArgv(argv, place) : engine.analyse(line, place, options.shell?.() ?? 'bash');
    },
    dispose: () => held.engine?.dispose(),
  };
}

/** Microseconds a call; asked once a path component. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
