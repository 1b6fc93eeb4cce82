// @ts-check
/**
 * `npm start`: installs what is missing, builds, and opens VS Code on a copy of the sample workspace with Sluice
 * running. Ctrl-C ends all it started.
 *
 *   --browser       the browser host, even when a desktop VS Code is installed
 *   --no-open       only print the address (browser host)
 *   --port N        port of the browser host
 *   --folder PATH   open this folder itself instead of a copy of the sample
 *   --untrusted     open it in Restricted Mode
 *   --print-json    one line of JSON on stdout once it is usable: {"host", "url", "folder", "pid"}
 */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowserHost, quietSettings, startServer, writeUserSettings } from './browser-host.mjs';
import { placeExtension } from './extension-folder.mjs';
import { prepareRuntime, root } from './install.mjs';
import { endOnSignals, start } from './processes.mjs';
import { findDesktopEditor, onPath } from './programs.mjs';
import { createSteps } from './steps.mjs';

/** @typedef {{ folder: string, home: string, untrusted: boolean, port: number | undefined, open: boolean, json: boolean }} Plan */

function readOptions() {
  try {
    return parseArgs({
      options: {
        browser: { type: 'boolean', default: false }, 'no-open': { type: 'boolean', default: false }, port: { type: 'string' },
        folder: { type: 'string' }, untrusted: { type: 'boolean', default: false }, 'print-json': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(2);
  }
}

const values = readOptions();
const say = createSteps();
/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();

/** @param {Record<string, unknown>} facts @param {Plan} plan */
function announce(facts, plan) {
  if (plan.json) process.stdout.write(`${JSON.stringify({ ...facts, folder: plan.folder, pid: process.pid })}\n`);
}

/** @param {string} url */
function openInBrowser(url) {
  const [command, args] = process.platform === 'darwin' ? ['open', [url]]
    : process.platform === 'win32' ? ['explorer.exe', [url]] : ['xdg-open', [url]];
  const hasScreen = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  if (!hasScreen || !onPath(command)) return;
  // The person's own browser: not ours to end.
  start(command, args, { stdio: 'ignore' }).on('error', () => {}).unref();
}

/** @param {Plan} plan */
async function startInBrowser(plan) {
  const [host] = await Promise.all([ensureBrowserHost(say, children), build()]);
  const dataDir = join(plan.home, 'server');
  const extensionsDir = join(dataDir, 'extensions');
  await placeExtension(extensionsDir);
  await writeUserSettings(dataDir, {});
  say('Starting VS Code for the browser');
  const server = await startServer({
    host, dataDir, extensionsDir, trusted: !plan.untrusted, track: children, ...(plan.port === undefined ? {} : { port: plan.port }),
  });
  const url = server.url(plan.folder);
  say(`Ready: ${url}`);
  say('Press Ctrl-C to end it.');
  announce({ host: 'browser', url }, plan);
  if (plan.open) openInBrowser(url);
  await new Promise((done) => server.child.once('exit', done));
  throw new Error(`The browser host ended by itself:\n${server.log().slice(-4000)}`);
}

/** @param {string} editor @param {Plan} plan */
async function startOnDesktop(editor, plan) {
  await build();
  const userFolder = join(plan.home, 'desktop', 'User');
  await mkdir(userFolder, { recursive: true });
  await writeFile(join(userFolder, 'settings.json'), `${JSON.stringify(quietSettings, null, 2)}\n`);
  say(`Opening ${editor}`);
  const child = start(editor, [plan.folder, '--new-window', '--wait', '--skip-welcome', `--extensionDevelopmentPath=${root}`,
    '--user-data-dir', join(plan.home, 'desktop'), '--extensions-dir', join(plan.home, 'desktop-extensions'),
    ...(plan.untrusted ? [] : ['--disable-workspace-trust']), ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])], { stdio: 'ignore' });
  children.add(child);
  say('Close the window, or press Ctrl-C, to end it.');
  announce({ host: 'desktop', url: null }, plan);
  const code = await new Promise((done) => {
    child.once('error', () => done(1));
    child.once('exit', (status) => done(status ?? 0));
  });
  if (code !== 0) throw new Error(`${editor} ended with exit code ${code}. Try: npm start -- --browser`);
}

async function build() {
  say('Building Sluice');
  const { buildAll } = await import('../../esbuild.config.mjs');
  await buildAll();
}

/** Everything of this run lives in one temporary folder, which goes when the run ends. @param {string} home @returns {Promise<Plan>} */
async function makePlan(home) {
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536)) throw new Error(`--port ${values.port} is not a port.`);
  const folder = values.folder === undefined ? join(home, 'sample') : realpathSync(resolve(values.folder));
  if (values.folder === undefined) await cp(join(root, 'test', 'fixtures', 'sample'), folder, { recursive: true });
  return { folder, home, untrusted: values.untrusted, port, open: !values['no-open'], json: values['print-json'] };
}

async function main() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-start-')));
  const leave = () => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  const signals = endOnSignals(children, leave);
  try {
    const plan = await makePlan(home);
    const editor = values.browser || process.env['SLUICE_HOST'] === 'browser' ? undefined : findDesktopEditor();
    if (editor === undefined) await startInBrowser(plan);
    else await startOnDesktop(editor, plan);
  } catch (error) {
    // What broke because we are ending needs no report; the signal's own way out is on its way.
    if (!signals.isEnding()) throw error;
    await new Promise(() => {});
  } finally {
    await leave();
  }
}

try {
  await prepareRuntime(say);
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
