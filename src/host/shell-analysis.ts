import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandAnalysis } from '../core/ports.ts';
import type { Place } from '../core/command/place.ts';
import { createShellEngine, type ShellEngine } from '../guards/shell/engine.ts';

export interface ShellAnalysisOptions {
  /** Folder that holds the grammar's files. */
  readonly dist: string;
  /** Real paths of the workspace folders. */
  readonly roots: () => Promise<readonly string[]>;
  readonly home: string;
  readonly platform: Place['platform'];
  /** Said once when the grammar could not be loaded: from then on every shell line asks. */
  readonly failed: () => void;
}

/** The shell engine over the real file system's links. Nothing is loaded before the first command. */
export function createShellAnalysis(options: ShellAnalysisOptions): CommandAnalysis & { dispose(): void } {
  const held: { engine?: ShellEngine; warned?: boolean } = {};
  const open = (): ShellEngine => held.engine ??= createShellEngine(async () => {
    const [runtime, grammar] = await Promise.all(['web-tree-sitter.wasm', 'tree-sitter-bash.wasm'].map((name) => readFile(join(options.dist, name))));
    if (runtime === undefined || grammar === undefined) throw new Error('the grammar is missing');
    return { runtime, grammar };
  });
  return {
    async analyse({ form, argv, line, cwd }) {
      const engine = open();
      if (form === 'shell' && !(await engine.ready())) {
        if (held.warned !== true) options.failed();
        held.warned = true;
        return undefined;
      }
      const place: Place = { cwd: cwd.real, roots: await options.roots(), home: options.home, platform: options.platform, link: linkAt };
      return form === 'argv' ? engine.analyseArgv(argv, place) : engine.analyseShell(line, place, 'bash');
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
