import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { CommandEnd, CommandResult } from '../core/ports.ts';
import { createOutput } from './output.ts';
import { endTree, pause, survivors } from './process-tree.ts';

/** What is started, with nothing left to decide. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** What the program sees as its own name, when not `file`. */
  readonly argv0: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The private folder of the run; also what its stray processes are known by. */
  readonly temp: string;
  readonly confined: boolean;
}

export interface Limits {
  readonly timeoutMs: number;
  /** Between the polite and the hard signal. */
  readonly graceMs: number;
  readonly outputLimitBytes: number;
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal;
  readonly platform: NodeJS.Platform;
}

/** How long output may still arrive after the last process went. */
const DRAIN_MS = 300;
const LEFT_NOTE = 'Processes it left running in the background were ended with it.';

/**
 * Starts, watches and ends one command. Never rejects. Settles at the latest `timeoutMs` + `graceMs` (and the
 * fraction of a second that looking at the process table takes) after the start.
 */
export async function runProcess(launch: Launch, limits: Limits): Promise<CommandResult> {
  const started = performance.now();
  const output = createOutput(limits.outputLimitBytes, limits.onOutput);
  const result = (end: CommandEnd, more: Partial<CommandResult>): CommandResult => {
    const { text, droppedBytes } = output.end();
    return {
      end, exitCode: undefined, signal: undefined, note: undefined, confined: launch.confined,
      output: text, droppedBytes, durationMs: Math.round(performance.now() - started), ...more,
    };
  };
  if (limits.signal.aborted) return result('cancelled', { note: 'It was cancelled before it started.' });
  const child = start(launch);
  const stop = stopper(limits);
  try {
    if (child.pid === undefined) return result('not_started', { note: `It could not be started: ${(await failed(child)).message}` });
    const reports = collect(child, output.push);
    const exited = exitOf(child);
    const first = await Promise.race([exited, stop.reason]);
    const ending = { root: child.pid, mark: launch.temp, platform: limits.platform, graceMs: limits.graceMs };
    if (typeof first === 'string') {
      const stuck = await endTree(ending);
      await Promise.race([closed(child), pause(DRAIN_MS)]);
      return result(first, { note: stuck > 0 ? stuckNote(stuck) : undefined });
    }
    const leftovers = !launch.confined && limits.platform !== 'win32' ? (await survivors(child.pid, launch.temp, limits.platform)).length : 0;
    const stuck = leftovers > 0 ? await endTree(ending) : 0;
    await Promise.race([closed(child), pause(DRAIN_MS)]);
    const notes = [stuck > 0 ? stuckNote(stuck) : leftovers > 0 || reports.left() ? LEFT_NOTE : undefined, codeNote(first.code, launch.confined)];
    const note = notes.filter((text) => text !== undefined).join(' ') || undefined;
    return first.signal === null ? result('exited', { exitCode: first.code ?? undefined, note }) : result('signalled', { signal: first.signal, note });
  } finally {
    stop.off();
    for (const stream of child.stdio) stream?.destroy();
    child.unref();
  }
}

function stuckNote(count: number): string {
  return `${String(count)} of its processes could not be ended and may still run.`;
}

/** A shell passes on an end by a signal as 128 + its number; the two cannot be told apart from outside the sandbox. */
function codeNote(code: number | null, confined: boolean): string | undefined {
  const names: Readonly<Record<number, string>> = { 134: 'SIGABRT', 137: 'SIGKILL', 139: 'SIGSEGV', 143: 'SIGTERM' };
  const name = confined && code !== null ? names[code] : undefined;
  return name === undefined ? undefined : `Exit code ${String(code)} usually means that it was ended by ${name}.`;
}

/** No input, no terminal (a session of its own), output on pipes; in the sandbox also the watcher's report. */
function start(launch: Launch): ChildProcess {
  return spawn(launch.file, [...launch.args], {
    cwd: launch.cwd, env: { ...launch.env }, shell: false, detached: true, windowsHide: true,
    stdio: launch.confined ? ['ignore', 'pipe', 'pipe', 'pipe'] : ['ignore', 'pipe', 'pipe'],
    ...(launch.argv0 === undefined ? {} : { argv0: launch.argv0 }),
  });
}

function failed(child: ChildProcess): Promise<Error> {
  return new Promise((resolve) => child.once('error', resolve));
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => { resolve({ code, signal }); });
    // A child that could not be signalled reports an error as well; its exit is still what counts.
    child.on('error', () => undefined);
  });
}

function closed(child: ChildProcess): Promise<void> {
  const open = child.stdio.flatMap((stream) => (stream && !stream.closed ? [stream] : []));
  return Promise.all(open.map((stream) => new Promise((resolve) => stream.once('close', resolve)))).then(() => undefined);
}

function collect(child: ChildProcess, push: (stream: 'out' | 'err', chunk: Buffer) => void): { left(): boolean } {
  let left = false;
  child.stdout?.on('data', (chunk: Buffer) => { push('out', chunk); });
  child.stderr?.on('data', (chunk: Buffer) => { push('err', chunk); });
  const report = child.stdio[3] as Readable | null | undefined;
  report?.on('data', () => { left = true; });
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  return { left: () => left };
}

/** Settles with why the command has to stop, if it has to. */
function stopper(limits: Limits): { readonly reason: Promise<'timed_out' | 'cancelled'>; off(): void } {
  let off = (): void => undefined;
  const reason = new Promise<'timed_out' | 'cancelled'>((resolve) => {
    const timer = setTimeout(() => { resolve('timed_out'); }, Math.min(limits.timeoutMs, 2 ** 31 - 1));
    const cancel = (): void => { resolve('cancelled'); };
    limits.signal.addEventListener('abort', cancel, { once: true });
    off = () => {
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', cancel);
    };
  });
  return { reason, off: () => { off(); } };
}
