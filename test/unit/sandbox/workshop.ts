import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { CommandResource, PathResource } from '../../../src/core/call.ts';
import type { CommandResult, RunOptions } from '../../../src/core/ports.ts';
import type { SandboxLibrary } from '../../../src/sandbox/confiner.ts';
import { createCommandRunner } from '../../../src/sandbox/runner.ts';
import type { RunnerOptions } from '../../../src/sandbox/runner.ts';

/** Looks for the sandbox's programs itself, so that a broken status cannot turn a failure into a skip. */
export function missingParts(): string | undefined {
  if (process.platform !== 'linux') return `confined runs are tested on Linux, this is ${process.platform}`;
  const missing = ['bwrap', 'socat', 'rg', 'bash'].filter((program) => spawnSync('which', [program]).status !== 0);
  return missing.length === 0 ? undefined : `not installed: ${missing.join(', ')}`;
}

/** Asked once by each suite that needs the sandbox; the reason is printed, never swallowed. */
export function reportMissing(): string | undefined {
  const reason = missingParts();
  if (reason !== undefined) console.warn(`SKIPPED: sandbox suites (${reason})`);
  return reason;
}

export const realLibrary = async (): Promise<SandboxLibrary> => import('@anthropic-ai/sandbox-runtime');

/** What to undo after the file's tests, last first; also for what was made inside a test. */
const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** A throw-away folder, removed after the file's tests. */
export function throwAway(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-sandbox-test-')));
  undo.push(() => { rmSync(folder, { recursive: true, force: true }); });
  return folder;
}

export interface Workshop {
  readonly folder: string;
  readonly temp: string;
  readonly log: string[];
  readonly runner: ReturnType<typeof createCommandRunner>;
  shell(line: string, more?: Partial<RunOptions> & { timeoutMs?: number }): Promise<CommandResult>;
  argv(argv: readonly string[], more?: Partial<RunOptions> & { timeoutMs?: number }): Promise<CommandResult>;
}

/** A workspace folder with a runner; confined unless a run says otherwise. */
export function workshop(options: Partial<RunnerOptions> = {}): Workshop {
  const folder = throwAway();
  const temp = throwAway();
  const log: string[] = [];
  const runner = createCommandRunner({ env: process.env, log: (line) => log.push(line), loadLibrary: realLibrary, tempRoot: temp, ...options });
  undo.push(() => runner.dispose());
  const cwd: PathResource = { kind: 'path', operation: 'read', asked: '.', real: folder, relative: '', folder, fileKind: 'directory', linked: false };
  const run = (command: Pick<CommandResource, 'form' | 'argv' | 'line'>, { timeoutMs = 10_000, ...more }: Partial<RunOptions> & { timeoutMs?: number }) =>
    runner.run(
      { kind: 'command', cwd, timeoutMs, ...command },
      { confined: true, writable: [folder], onOutput: () => undefined, signal: new AbortController().signal, outputLimitBytes: 64 * 1024, ...more },
    );
  return {
    folder, temp, log, runner,
    shell: (line, more = {}) => run({ form: 'shell', argv: [], line }, more),
    argv: (argv, more = {}) => run({ form: 'argv', argv, line: argv.join(' ') }, more),
  };
}

/** Command lines of all processes that hold `text`; this machine's, so the text must be unique. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return line.includes(text) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ') ? [line] : [];
    } catch {
      return [];
    }
  });
}

/** A duration no other run uses, to find a `sleep` by. */
export function uniqueSeconds(): string {
  return `${String(300 + Math.floor(Math.random() * 600))}.${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`;
}
