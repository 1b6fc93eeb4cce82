import { access, constants, stat } from 'node:fs/promises';
import type { CommandResource } from '../core/call.ts';
import type { RunOptions } from '../core/ports.ts';
import type { Confiner } from './confiner.ts';
import { commandEnvironment, resolveProgram } from './environment.ts';
import type { Launch } from './run-process.ts';

/** Nothing was started, for a reason a person can read. */
export class NotStarted extends Error {}

export interface LaunchRequest {
  readonly command: CommandResource;
  readonly run: Pick<RunOptions, 'confined' | 'writable'>;
  readonly temp: string;
  readonly signal: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly confiner: Confiner;
}

/** No start-up file runs before the line. */
const SHELL_OPTIONS = ['--noprofile', '--norc', '-c'] as const;

/** From a judged command to what is started. `release` is to be called when nothing of it runs any more. */
export async function prepareLaunch(request: LaunchRequest): Promise<{ readonly launch: Launch; readonly release: () => void }> {
  const { command, run, temp, platform } = request;
  const cwd = command.cwd.real;
  if (!(await stat(cwd).then((found) => found.isDirectory(), () => false))) throw new NotStarted(`The folder ${command.cwd.asked} does not exist.`);
  const folders = [...run.writable, ...(command.cwd.folder === undefined ? [] : [command.cwd.folder])];
  const { env, path } = commandEnvironment(request.env, temp, folders);
  const words = await wordsOf(command, cwd, path, platform);
  const [file = '', ...args] = words;
  const argv0 = command.form === 'argv' ? command.argv[0] : undefined;
  if (!run.confined) return { launch: { cwd, env, temp, file, args, argv0, confined: false }, release: () => undefined };
  const { line, release } = await request.confiner.wrap(words, run.writable, temp, request.signal).catch((error: unknown) => {
    throw new NotStarted(`The command could not be confined: ${error instanceof Error ? error.message : String(error)}`);
  });
  return { launch: { cwd, env, temp, file: '/bin/sh', args: ['-c', `exec ${line}`], argv0: undefined, confined: true }, release };
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
