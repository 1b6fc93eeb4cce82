import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mergeLayers, type Policy } from '../core/policy/layers.ts';
import { createShellEngine } from '../guards/shell/engine.ts';
import { sha256 } from '../host/system.ts';
import { decideLine, type DecideOptions } from './decide.ts';
import { analysisAt, openPlace, spellingReading } from './places.ts';

export const DECIDE_HELP = `sluice decide: judges calls without running them. One JSON object a line on stdin, one answer a line on stdout, in the same order.

  input    {"id"?, "tool", "args", "channel"?}
  output   {"id", "action": "allow" | "ask" | "deny" | "error", "confined", "risk", "reason", "patternKey", "stage", "findings"}

  --workspace DIR   the workspace folder and current directory (default: this one)
  --home DIR        the home directory (default: yours)
  --settings FILE   settings as JSON, for example {"sluice.approval.writes": "auto"}
  --platform NAME   linux, darwin or win32 (default: this one)
  --sandbox STATE   available or missing (default: available)
  --links FILE      symbolic links of a made-up file system, as JSON: {"/link": "target"}; without it, links of this machine are followed
  --untrusted       judge as in Restricted Mode
`;

const PLATFORMS = ['linux', 'darwin', 'win32'] as const;

/** Exit code: 0, or 2 when the options or files cannot be used. */
export async function runDecide(args: readonly string[]): Promise<number> {
  const options = await readOptions(args).catch((error: unknown) => (error instanceof Error ? error.message : 'unusable options'));
  if (typeof options === 'string') {
    process.stderr.write(`sluice decide: ${options}\n\n${DECIDE_HELP}`);
    return 2;
  }
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() === '') continue;
    if (!process.stdout.write(`${JSON.stringify(await decideLine(line, options))}\n`)) await new Promise((done) => process.stdout.once('drain', done));
  }
  return 0;
}

async function readOptions(args: readonly string[]): Promise<DecideOptions> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { workspace: text, home: text, settings: text, platform: text, sandbox: text, links: text, untrusted: { type: 'boolean' } } });
  const platform = PLATFORMS.find((name) => name === (values.platform ?? (process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux')));
  if (platform === undefined) throw new Error(`--platform must be one of ${PLATFORMS.join(', ')}`);
  if (values.sandbox !== undefined && values.sandbox !== 'available' && values.sandbox !== 'missing') throw new Error('--sandbox must be available or missing');
  const home = values.home ?? homedir();
  const links = values.links === undefined ? undefined : await readJson(values.links, '--links');
  const place = openPlace({ workspace: values.workspace ?? resolve('.'), home, platform, links: links as Record<string, string> | undefined });
  const engine = createShellEngine(async () => {
    const here = dirname(fileURLToPath(import.meta.url));
    const [runtime, grammar] = await Promise.all([readFile(join(here, 'web-tree-sitter.wasm')), readFile(join(here, 'tree-sitter-bash.wasm'))]);
    return { runtime, grammar };
  });
  return {
    policy: await readPolicy(values.settings, values.untrusted !== true), home, platform, sandbox: values.sandbox !== 'missing',
    context: { reading: spellingReading(place), commands: analysisAt(place, engine), defaults: { commandTimeoutMs: 120_000, maxCommandTimeoutMs: 3_600_000 } },
  };
}

/** Settings with or without the `sluice.` in front; a value that does not fit is an error, never skipped. */
async function readPolicy(file: string | undefined, trusted: boolean): Promise<Policy> {
  const given = file === undefined ? {} : await readJson(file, '--settings');
  const values = Object.fromEntries(Object.entries(given).map(([key, value]) => [key.replace(/^sluice\./, ''), value]));
  const policy = mergeLayers([{ name: 'user', values }], trusted, sha256);
  const [problem] = policy.problems;
  if (problem !== undefined) throw new Error(problem.message);
  return policy;
}

async function readJson(file: string, option: string): Promise<Record<string, unknown>> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8').catch(() => { throw new Error(`${option}: ${file} cannot be read`); }));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${option}: ${file} must hold a JSON object`);
  return value as Record<string, unknown>;
}
