// @ts-check
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './install.mjs';
import { start } from './processes.mjs';

/** @typedef {import('./case-calls.mjs').World} World @typedef {import('./case-calls.mjs').Call} Call */
/** @typedef {{ id: number | null, action: 'allow' | 'ask' | 'deny', confined: boolean, risk: string, reason: string, patternKey: string, stage: string, findings: readonly { action: string, patternKey: string, reason: string }[] }} Decision */

const program = join(root, 'dist', 'cli.js');

/** Pipes calls through the built `sluice decide`, one process for each world. Answers in the order of the calls. @param {readonly { world: World, call: Call }[]} calls @returns {Promise<Decision[]>} */
export async function decideAll(calls) {
  if (!existsSync(program)) throw new Error('dist/cli.js is missing: run "npm run build" first.');
  const folder = await mkdtemp(join(tmpdir(), 'sluice-cases-'));
  try {
    /** @type {Map<string, number[]>} */
    const groups = new Map();
    calls.forEach(({ world }, index) => {
      const key = JSON.stringify(world);
      groups.set(key, [...groups.get(key) ?? [], index]);
    });
    /** @type {Decision[]} */
    const answers = [];
    for (const [key, indexes] of groups) {
      const lines = await decideGroup(/** @type {World} */ (JSON.parse(key)), indexes.map((index) => calls[index]?.call), folder);
      indexes.forEach((index, at) => { answers[index] = /** @type {Decision} */ (lines[at]); });
    }
    return answers;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {World} world @param {readonly (Call | undefined)[]} calls @param {string} folder @returns {Promise<Decision[]>} */
async function decideGroup(world, calls, folder) {
  const files = { settings: join(folder, 'settings.json'), links: join(folder, 'links.json'), hosts: join(folder, 'hosts.json') };
  await Promise.all([writeFile(files.settings, JSON.stringify(world.settings)), writeFile(files.links, JSON.stringify(world.links)), writeFile(files.hosts, JSON.stringify(world.hosts))]);
  const options = [
    ...world.workspaces.flatMap((workspace) => ['--workspace', workspace]), '--home', world.home, '--platform', world.platform, '--settings', files.settings,
    '--links', files.links, '--hosts', files.hosts, '--sandbox', 'available', ...(world.trusted ? [] : ['--untrusted']),
  ];
  const child = start(process.execPath, [program, 'decide', ...options], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  let out = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => { out += chunk; });
  const closed = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  child.stdin?.end(calls.map((call, id) => JSON.stringify({ id, ...call })).join('\n'));
  const code = await closed;
  const lines = out.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
  if (code !== 0 || lines.length !== calls.length) throw new Error(`sluice decide ended with ${code} and ${lines.length} answers to ${calls.length} calls.`);
  return lines;
}
