import type { CommandResource, PathResource } from '../core/call.ts';
import type { CommandResult, Effects } from '../core/ports.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import type { Resolution, ResolveContext, ToolDefaults, ToolResult } from '../core/tool.ts';
import { drawControls, limitText, RESULT_LIMIT_BYTES } from './limit.ts';
import { failed, refuseResolve } from './subject.ts';

const WANTS_INPUT = /\bEOF\b|\bstdin\b|not a tty|no tty|terminal is required|inappropriate ioctl|read from terminal|password:\s*$/i;

export interface CommandParts {
  readonly form: CommandResource['form'];
  readonly argv: readonly string[];
  readonly line: string;
  readonly cwd: string | undefined;
  readonly timeoutSeconds: number | undefined;
}

/** The working directory is a resource of its own: where a command starts is judged like any other path. */
export async function resolveCommand(parts: CommandParts, verb: string, { reading, defaults, commands }: ResolveContext): Promise<Resolution | Refusal> {
  const cwd = await reading.locate(parts.cwd ?? '.', 'list');
  const unusable = whyNotDirectory(cwd);
  if (isRefusal(unusable)) return unusable;
  const { form, argv, line, timeoutSeconds } = parts;
  const analysis = await commands?.analyse({ form, argv, line, cwd });
  const command: CommandResource = { kind: 'command', form, argv, line, cwd, timeoutMs: timeoutFor(timeoutSeconds, defaults), analysis };
  return { subject: { verb, target: line, form: 'command' }, resources: [command, cwd], changes: [] };
}

function whyNotDirectory(cwd: PathResource): Refusal | undefined {
  if (cwd.folder === undefined || cwd.fileKind === 'directory') return undefined;
  const what = cwd.fileKind === 'missing' ? 'does not exist' : 'is not a directory';
  return refuseResolve(cwd.fileKind === 'missing' ? 'not_found' : 'not_applicable', `the working directory ${cwd.asked} ${what}.`);
}

function timeoutFor(seconds: number | undefined, { commandTimeoutMs, maxCommandTimeoutMs }: ToolDefaults): number {
  return Math.min(seconds === undefined ? commandTimeoutMs : Math.ceil(seconds * 1_000), maxCommandTimeoutMs);
}

export async function runResolved({ resources }: Resolution, effects: Effects): Promise<ToolResult> {
  const command = resources.find((resource) => resource.kind === 'command');
  if (command === undefined) return failed('Nothing to run.', 'nothing to run');
  return reportCommand(command, await effects.runCommand(command));
}

/** The first line is the truth about how it ended; the output follows as it came. */
export function reportCommand(command: CommandResource, result: CommandResult): ToolResult {
  const { status, headline, summary } = ending(command, result);
  const where = result.end === 'not_started' ? '' : `, ${result.confined ? 'confined' : 'not confined'}`;
  const notes = [
    result.note,
    result.droppedBytes > 0 ? `${result.droppedBytes} bytes of output were dropped from the middle` : undefined,
    mayWantInput(result) ? 'Input is not possible: commands run without a terminal and with stdin closed' : undefined,
  ].filter((note) => note !== undefined && note !== '').map((note) => `\n[${drawControls(note!)}]`);
  const output = result.output === '' ? (result.end === 'not_started' ? '' : '\n[no output]') : `\n${drawControls(result.output)}`;
  const text = limitText(`[${headline}${where}]${notes.join('')}${output}`, 'output cut here; print less, or write it to a file and read parts of it', RESULT_LIMIT_BYTES);
  return { status, text, summary, ...(result.end === 'exited' ? { exitCode: result.exitCode } : {}) };
}

function mayWantInput({ end, exitCode, output }: CommandResult): boolean {
  if (end === 'timed_out') return true;
  return end === 'exited' && exitCode !== 0 && WANTS_INPUT.test(output.slice(-2_000));
}

function ending(command: CommandResource, result: CommandResult): { status: ToolResult['status']; headline: string; summary: string } {
  const took = seconds(result.durationMs);
  switch (result.end) {
    case 'exited': {
      const code = result.exitCode ?? 'unknown';
      return { status: result.exitCode === 0 ? 'succeeded' : 'failed', headline: `exit code ${code} after ${took}`, summary: `exit ${code}` };
    }
    case 'signalled': {
      const signal = result.signal ?? 'a signal';
      return { status: 'failed', headline: `ended by ${signal} after ${took}; there is no exit code`, summary: `ended by ${signal}` };
    }
    case 'timed_out':
      return { status: 'timed_out', headline: `ended at the time limit of ${seconds(command.timeoutMs)}; it did not finish`, summary: `timed out after ${seconds(command.timeoutMs)}` };
    case 'cancelled':
      return { status: 'cancelled', headline: `cancelled after ${took}; it did not finish`, summary: 'cancelled' };
    case 'not_started':
      return { status: 'failed', headline: 'it was not started', summary: 'not started' };
  }
}

function seconds(ms: number): string {
  return `${ms < 10_000 ? (ms / 1_000).toFixed(1) : Math.round(ms / 1_000)} s`;
}
