// @ts-check
/**
 * What must be there before anything else runs: the npm packages of the lock file, and Node 24 from among them.
 * Runs on Node 20 with nothing installed.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOnSignals, npm } from './processes.mjs';
import { earlierVariable } from './steps.mjs';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** @param {string} moduleUrl */
export function isMain(moduleUrl) {
  return process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(moduleUrl);
}

/** npm writes `.package-lock.json` last, so it tells a finished installation from an interrupted one. */
async function packagesAreFresh() {
  const [lock, installed] = await Promise.all([join(root, 'package-lock.json'), join(root, 'node_modules', '.package-lock.json')]
    .map((path) => stat(path).catch(() => undefined)));
  return lock !== undefined && installed !== undefined && installed.mtimeMs >= lock.mtimeMs && existsSync(nodeProgram());
}

/** @param {import('./steps.mjs').Say} say */
async function ensurePackages(say) {
  if (await packagesAreFresh()) return;
  say('Installing the npm packages of the lock file');
  const track = new Set();
  const { stopListening } = endOnSignals(track);
  const result = await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, track });
  stopListening();
  if (result.code !== 0) throw new Error(`npm ci failed (exit code ${result.code}):\n${result.output}`);
}

/** The pinned Node, as the package `node` installs it. */
export function nodeProgram() {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Runs this same program again under the pinned Node when the present one is older, and leaves with its exit code.
 * Signals are passed on, so that ending this process ends the other in its own way.
 */
async function continueOnPinnedNode() {
  if (Number(process.versions.node.split('.')[0]) >= 24 || !existsSync(nodeProgram())) return;
  const child = spawn(nodeProgram(), process.argv.slice(1), {
    stdio: 'inherit', env: { ...process.env, [earlierVariable]: String(Math.round(performance.now())) },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal));
  const code = await new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
  process.exit(code);
}

/** What every program of ours that needs packages does first. @param {import('./steps.mjs').Say} say */
export async function prepareRuntime(say) {
  await ensurePackages(say);
  await continueOnPinnedNode();
}
