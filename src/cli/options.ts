import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { z } from 'zod';
import type { Platform } from '../core/command/place.ts';
import { SETTINGS } from '../core/policy/schema.ts';

export interface DecideOptions {
  readonly workspaces: readonly string[];
  readonly home: string;
  readonly platform: Platform;
  readonly sandbox: 'available' | 'missing';
  readonly trusted: boolean;
  /** Values by setting key without the `sluice.` prefix. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Set when the file system is made up: then the real one is never looked at. */
  readonly links: Readonly<Record<string, string>> | undefined;
  /** What names resolve to, as far as it was said. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
}

/** What was asked cannot be done; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const DECIDE_USAGE = `Usage: sluice decide [options] < CALLS

Reads one call a line from the standard input, {"id"?, "tool", "args"?, "channel"?, "shell"?}, and prints the decision of each
as a line of JSON: what would happen to it, without running anything.

  --workspace DIR     workspace folder; repeat it for several (default: the current folder)
  --home DIR          home folder (default: yours)
  --settings FILE     settings, as in settings.json (default: none, so every setting has its default)
  --platform NAME     linux, darwin or win32 (default: this machine)
  --sandbox STATE     available or missing (default: available)
  --links FILE        symbolic links of a made-up file system: {"path of the link": "target"}
  --hosts FILE        what names resolve to: {"name": ["address"]}
  --untrusted         the workspace is not trusted

With --links, with another platform, or with a workspace that does not exist, no path is looked up: paths resolve by
their spelling. "shell" names the shell that reads a run_shell line (default: bash; on win32 pwsh).`;

const NAMES = {
  workspace: { type: 'string', multiple: true }, home: { type: 'string' }, settings: { type: 'string' }, platform: { type: 'string' }, sandbox: { type: 'string' },
  links: { type: 'string' }, hosts: { type: 'string' }, untrusted: { type: 'boolean' },
} as const;

export function readDecideOptions(argv: readonly string[], own: NodeJS.Platform): DecideOptions {
  const values = parsed(argv);
  const machine = own === 'darwin' || own === 'win32' ? own : 'linux';
  const platform = choice('--platform', values.platform ?? machine, ['linux', 'darwin', 'win32'] as const);
  const spelled = (path: string): string => (platform === machine && !isAbsolute(path) ? resolve(path) : path).replaceAll(platform === 'win32' ? '\\' : '\0', '/').replace(/(?<=.)\/+$/, '');
  const workspaces = (values.workspace ?? ['.']).map(spelled);
  const links = values.links === undefined ? undefined : readJson('--links', values.links, z.record(z.string(), z.string()));
  const madeUp = links !== undefined || platform !== machine || !workspaces.every((folder) => existsSync(folder));
  return {
    workspaces, platform, home: spelled(values.home ?? homedir()), links: madeUp ? links ?? {} : undefined,
    sandbox: choice('--sandbox', values.sandbox ?? 'available', ['available', 'missing'] as const), trusted: values.untrusted !== true,
    settings: values.settings === undefined ? {} : settingsOf(values.settings),
    hosts: values.hosts === undefined ? {} : readJson('--hosts', values.hosts, z.record(z.string(), z.array(z.string()))),
  };
}

function parsed(argv: readonly string[]): ReturnType<typeof parseArgs<{ options: typeof NAMES }>>['values'] {
  try {
    return parseArgs({ args: [...argv], options: NAMES, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'These options cannot be read.');
  }
}

function choice<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new UsageError(`${name} is ${allowed.join(' or ')}, not "${value.slice(0, 100)}".`);
  return found;
}

function readJson<T>(option: string, path: string, schema: z.ZodType<T>): T {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`${option}: ${path} cannot be read.`);
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) throw new UsageError(`${option}: ${path}, line ${text.slice(0, first.offset).split('\n').length}: ${printParseErrorCode(first.error)}.`);
  const result = schema.safeParse(value);
  if (!result.success) throw new UsageError(`${option}: ${path}: ${z.prettifyError(result.error)}`);
  return result.data;
}

/**
 * A settings.json, in which only what starts with `sluice.` is ours, or an object with our keys alone. A key that nobody
 * knows is an error: it could be a misspelt denial.
 */
function settingsOf(path: string): Readonly<Record<string, unknown>> {
  const known = new Set(Object.values(SETTINGS).map(({ key }) => key));
  const given = Object.entries(readJson('--settings', path, z.record(z.string(), z.unknown())));
  const ours = given.filter(([key]) => key.startsWith('sluice.'));
  const entries = (ours.length > 0 ? ours : given).map(([key, value]) => [key.replace(/^sluice\./, ''), value] as const);
  const unknown = entries.find(([key]) => !known.has(key));
  if (unknown !== undefined) throw new UsageError(`--settings: ${path}: there is no setting ${unknown[0].slice(0, 100)}.`);
  return Object.fromEntries(entries);
}
