import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandResource } from '../core/call.ts';
import type { CommandResult, CommandRunner, RunOptions, SandboxStatus } from '../core/ports.ts';
import { createConfiner } from './confiner.ts';
import type { SandboxLibrary } from './confiner.ts';
import { fixedPath, realOrSame } from './environment.ts';
import { NotStarted, prepareLaunch } from './launch.ts';
import { runProcess } from './run-process.ts';
import { createStatus } from './status.ts';

export interface RunnerOptions {
  /** The editor's environment; commands see an allow-list of it. */
  readonly env: NodeJS.ProcessEnv;
  /** One line for the log; no secrets, no command text. */
  readonly log: (line: string) => void;
  /** Called when the sandbox is first asked about. */
  readonly loadLibrary: () => Promise<SandboxLibrary>;
  /** Where private folders are made; the system's own by default. */
  readonly tempRoot?: string | undefined;
  /** Absolute paths that confined commands must not read, besides the built-in list: the editor's data, key stores. */
  readonly hidden?: readonly string[] | undefined;
  readonly platform?: NodeJS.Platform | undefined;
  /** Milliseconds between the polite and the hard signal; 1000 by default. */
  readonly graceMs?: number | undefined;
}

/** Starts commands, confined or not, and ends them. See `CommandRunner` for the contract. */
export function createCommandRunner(options: RunnerOptions): CommandRunner {
  const platform = options.platform ?? process.platform;
  const tempRoot = realOrSame(options.tempRoot ?? tmpdir());
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const confiner = createConfiner({
    loadLibrary: options.loadLibrary, home: options.env['HOME'], hidden: options.hidden ?? [],
    path: fixedPath(options.env['PATH'], []), platform, log: options.log,
  });
  const status = createStatus({ confiner, env: options.env, tempRoot, platform, signal: closing.signal, log: options.log });

  async function start(command: CommandResource, run: RunOptions, signal: AbortSignal): Promise<CommandResult> {
    if (run.confined) {
      const { available, detail } = await status();
      if (!available) throw new NotStarted(detail);
    }
    const temp = await mkdtemp(join(tempRoot, 'sluice-run-'));
    try {
      const { launch, release } = await prepareLaunch({ command, run, temp, signal, env: options.env, platform, confiner });
      const { timeoutMs } = command;
      return await runProcess(launch, { ...run, signal, timeoutMs, platform, graceMs: options.graceMs ?? 1000 }).finally(release);
    } finally {
      await rm(temp, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
        options.log(`A temporary folder could not be removed: ${String(error)}`);
      });
    }
  }

  async function run(command: CommandResource, runOptions: RunOptions): Promise<CommandResult> {
    const signal = AbortSignal.any([runOptions.signal, closing.signal]);
    if (closing.signal.aborted) return notStarted('Sluice is closing.', runOptions.confined);
    if (signal.aborted) return { ...notStarted('It was cancelled before it started.', runOptions.confined), end: 'cancelled' };
    try {
      return await start(command, runOptions, signal);
    } catch (error) {
      if (signal.aborted) return { ...notStarted('It was cancelled before it started.', runOptions.confined), end: 'cancelled' };
      return notStarted(error instanceof NotStarted ? error.message : `It could not be started: ${String(error)}`, runOptions.confined);
    }
  }

  function tracked<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    void work.finally(() => running.delete(work)).catch(() => undefined);
    return work;
  }

  return {
    status: () => tracked<SandboxStatus>(status()),
    run: (command, runOptions) => tracked(run(command, runOptions)),
    async dispose() {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}

function notStarted(note: string, confined: boolean): CommandResult {
  return { end: 'not_started', exitCode: undefined, signal: undefined, output: '', droppedBytes: 0, durationMs: 0, confined, note };
}
