import { realpathSync } from 'node:fs';
import { access, constants, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandResource } from '../core/call.ts';
import type { CommandResult, CommandRunner, RunOptions, SandboxStatus } from '../core/ports.ts';
import { createConfiner } from './confiner.ts';
import type { SandboxLibrary } from './confiner.ts';
import { commandEnvironment, fixedPath, resolveProgram } from './environment.ts';
import { runProcess } from './run-process.ts';
import type { Launch } from './run-process.ts';
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

const SHELL_OPTIONS = ['--noprofile', '--norc', '-c'] as const;

/** Thrown inside a run for a reason a person can read. */
class NotStarted extends Error {}

/** Starts commands, confined or not, and ends them. See `CommandRunner` for the contract. */
export function createCommandRunner(options: RunnerOptions): CommandRunner {
  const platform = options.platform ?? process.platform;
  const tempRoot = realpathSync(options.tempRoot ?? tmpdir());
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const confiner = createConfiner({
    loadLibrary: options.loadLibrary, home: options.env['HOME'], hidden: options.hidden ?? [],
    path: fixedPath(options.env['PATH'], []), log: options.log,
  });
  const status = createStatus({ confiner, env: options.env, tempRoot, platform, signal: closing.signal, log: options.log });

  async function prepare(command: CommandResource, run: RunOptions, temp: string, signal: AbortSignal): Promise<{ launch: Launch; release: () => void }> {
    const cwd = command.cwd.real;
    if (!(await stat(cwd).then((found) => found.isDirectory(), () => false))) throw new NotStarted(`The folder ${command.cwd.asked} does not exist.`);
    const folders = [...run.writable, ...(command.cwd.folder === undefined ? [] : [command.cwd.folder])];
    const { env, path } = commandEnvironment(options.env, temp, folders);
    const words = await wordsOf(command, cwd, path, platform);
    const common = { cwd, env, temp };
    const [file = '', ...args] = words;
    const argv0 = command.form === 'argv' ? command.argv[0] : undefined;
    if (!run.confined) return { launch: { ...common, file, args, argv0, confined: false }, release: () => undefined };
    const wrapped = await confiner.wrap(words, run.writable, temp, signal).catch((error: unknown) => {
      throw new NotStarted(`The command could not be confined: ${error instanceof Error ? error.message : String(error)}`);
    });
    return { launch: { ...common, file: '/bin/sh', args: ['-c', `exec ${wrapped.line}`], argv0: undefined, confined: true }, release: wrapped.release };
  }

  async function start(command: CommandResource, run: RunOptions, signal: AbortSignal): Promise<CommandResult> {
    if (run.confined) {
      const { available, detail } = await status();
      if (!available) throw new NotStarted(detail);
    }
    const temp = await mkdtemp(join(tempRoot, 'sluice-run-'));
    try {
      const { launch, release } = await prepare(command, run, temp, signal);
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

/** Program and arguments with the program as an absolute path. No shell reads an `argv` command. */
async function wordsOf(command: CommandResource, cwd: string, path: readonly string[], platform: NodeJS.Platform): Promise<string[]> {
  if (command.form === 'shell') return shellWords(command.line, platform);
  const [program = '', ...args] = command.argv;
  if (command.argv.some((word) => word.includes('\0'))) throw new NotStarted('An argument holds a NUL character, which no program can receive.');
  const file = resolveProgram(program, cwd, path, platform);
  if (file !== undefined) return [file, ...args];
  throw new NotStarted(program.includes('/')
    ? `There is no program ${program} in the folder of the command, or it is not executable.`
    : `There is no program named ${program === '' ? '""' : program} on the search path (workspace folders are left out of it; use a path such as ./${program} for one of yours).`);
}

async function shellWords(line: string, platform: NodeJS.Platform): Promise<string[]> {
  if (platform === 'win32') throw new NotStarted('Shell lines need a POSIX shell, which Windows does not have; start the program directly instead.');
  if (line.includes('\0')) throw new NotStarted('The line holds a NUL character, which no shell can receive.');
  const bash = await access('/bin/bash', constants.X_OK).then(() => true, () => false);
  return bash ? ['/bin/bash', ...SHELL_OPTIONS, line] : ['/bin/sh', '-c', line];
}
