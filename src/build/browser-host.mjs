// @ts-check
/**
 * VS Code as a server for a browser: the `lib/vscode` part of the npm package code-server, kept in the cache folder.
 * `ensureBrowserHost` brings it, `installExtension` puts a .vsix into an extensions folder, `startServer` runs it on
 * 127.0.0.1 behind a connection token, so that no other page of the same browser can reach it, and ends it with us.
 */
import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { cached } from './cache.mjs';
import { end, npm, run, start } from './processes.mjs';

/**
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {import('./steps.mjs').Say} Say
 * @typedef {{ child: ChildProcess, port: number, origin: string, token: string, dataDir: string, log: () => string,
 *   url: (folder: string, extra?: Record<string, string>) => string, stop: () => Promise<void> }} Server
 */

export const hostVersion = '4.139.1';
/** To be raised when `makeHost` makes something else of the same version. */
const installRevision = 2;
/** Of the package file, so that what runs is what was looked at. */
const packageSha256 = '75b76d3870dbcb7a4c08627f586a03344ca017be182171020c7405bdb6f2fb33';

/** No extension gallery: nothing here needs one, and no test asks the internet. */
const noGallery = Object.freeze({ EXTENSIONS_GALLERY: '{}' });

const tether = new URL('tether.mjs', import.meta.url).href;

/** @param {string} what @param {{ code: number, output: string }} result */
function must(what, result) {
  if (result.code !== 0) throw new Error(`${what} failed (exit code ${result.code}):\n${result.output.slice(-4000)}`);
}

/** @param {string} folder @param {Set<ChildProcess>} track */
async function makeHost(folder, track) {
  must('Downloading the browser host', await npm(['pack', `code-server@${hostVersion}`, '--silent'], { cwd: folder, track }));
  const file = join(folder, `code-server-${hostVersion}.tgz`);
  const found = createHash('sha256').update(await readFile(file)).digest('hex');
  if (found !== packageSha256) throw new Error(`code-server-${hostVersion}.tgz is not the file that was reviewed: sha256 ${found}`);
  must('Unpacking the browser host', await run('tar', ['-xzf', `code-server-${hostVersion}.tgz`, 'package/lib/vscode'], { cwd: folder, track }));
  await rm(file);
  const code = join(folder, 'package', 'lib', 'vscode');
  // No install scripts: what the host needs here (terminal, file watcher) comes prebuilt, and no compiler is asked for.
  const args = ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  const results = await Promise.all([code, join(code, 'extensions')].map((cwd) => npm(args, { cwd, track })));
  for (const result of results) must('Installing the parts of the browser host', result);
  await copyFile(new URL('host-log.cjs', import.meta.url), join(code, 'node_modules', '@vscode', 'spdlog', 'index.js'));
}

/**
 * The folder of `server-main.js`'s product, installed when it is missing.
 * @param {Say} say @param {Set<ChildProcess>} [track]
 */
export async function ensureBrowserHost(say, track = new Set()) {
  const key = `code-server-${hostVersion}-r${installRevision}-${process.platform}-${process.arch}`;
  const folder = await cached(key, async (partial) => {
    say(`Installing the browser host (code-server ${hostVersion}, about 600 MB, once for this machine)`);
    await makeHost(partial, track);
  });
  return join(folder, 'package', 'lib', 'vscode');
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}

/** Settings that keep everything quiet that is not ours. */
export const quietSettings = Object.freeze({
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.startupPrompt': 'never',
  'git.openRepositoryInParentFolders': 'never',
  'typescript.disableAutomaticTypeAcquisition': true,
  'npm.fetchOnlinePackageInfo': false,
});

/** @param {string} dataDir @param {Record<string, unknown>} settings */
export async function writeUserSettings(dataDir, settings) {
  const folder = join(dataDir, 'data', 'User');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'settings.json'), `${JSON.stringify({ ...quietSettings, ...settings }, null, 2)}\n`);
}

/**
 * @param {{ host: string, vsix: string, dataDir: string, extensionsDir: string, node?: string, track?: Set<ChildProcess> }} options
 */
export async function installExtension({ host, vsix, dataDir, extensionsDir, node = process.execPath, track }) {
  const args = [join('out', 'server-main.js'), '--install-extension', vsix, '--force', '--accept-server-license-terms',
    '--server-data-dir', dataDir, '--extensions-dir', extensionsDir];
  must(`Installing ${vsix}`, await run(node, args, { cwd: host, ...(track ? { track } : {}) }));
}

/** @param {ChildProcess} child @param {string} origin @param {() => string} log */
async function untilListening(child, origin, log) {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const answer = await fetch(`${origin}/version`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The browser host did not start:\n${log().slice(-4000)}`);
}

/**
 * Starts the server and resolves once it listens. `stop` ends its whole process group.
 * @param {{ host: string, dataDir: string, extensionsDir?: string, port?: number, env?: Record<string, string | undefined>,
 *   trusted?: boolean, driver?: boolean, node?: string, track?: Set<ChildProcess> }} options
 * @returns {Promise<Server>}
 */
export async function startServer(options) {
  const { host, dataDir, extensionsDir = join(dataDir, 'extensions'), trusted = true, driver = false, track } = options;
  const port = options.port ?? (await freePort());
  const token = randomBytes(16).toString('hex');
  await mkdir(dataDir, { recursive: true });
  const tokenFile = join(dataDir, 'token');
  await writeFile(tokenFile, token, { mode: 0o600 });
  const args = [`--import=${tether}`, join('out', 'server-main.js'), '--host', '127.0.0.1', '--port', String(port), '--connection-token-file', tokenFile,
    '--accept-server-license-terms', '--telemetry-level', 'off', '--force-disable-user-env', '--server-data-dir', dataDir,
    '--extensions-dir', extensionsDir,
    ...(trusted ? ['--disable-workspace-trust'] : []), ...(driver ? ['--enable-smoke-test-driver'] : [])];
  const child = start(options.node ?? process.execPath, args, {
    cwd: host, env: { ...process.env, ...noGallery, ...options.env }, stdio: ['pipe', 'pipe', 'pipe'],
  });
  track?.add(child);
  let output = '';
  child.stdout?.on('data', (chunk) => { output = (output + chunk).slice(-200_000); });
  child.stderr?.on('data', (chunk) => { output = (output + chunk).slice(-200_000); });
  child.once('error', (error) => { output += error.message; });
  const origin = `http://127.0.0.1:${port}`;
  const stop = async () => {
    await end(child);
    track?.delete(child);
  };
  await untilListening(child, origin, () => output).catch(async (error) => {
    await stop();
    throw error;
  });
  /** @param {string} folder @param {Record<string, string>} [extra] */
  const url = (folder, extra = {}) => `${origin}/?${new URLSearchParams({ tkn: token, folder, ...extra })}`;
  return { child, port, origin, token, dataDir, log: () => output, url, stop };
}
