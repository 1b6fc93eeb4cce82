// @ts-check
/**
 * `npm test`: installs what is missing, builds and packs, then runs the suites and adds them up. The last line is
 * `N passed, N failed, N skipped`; the exit code is 1 when anything failed or a suite did not run.
 *
 *   npm test                            check, unit, host, e2e
 *   npm test -- unit [file or -t name]  one suite; what follows goes to it
 *   npm test -- host [title]
 *   npm test -- e2e [file or -t name]
 *
 * `SLUICE_HOST=browser|desktop` chooses where the in-host tests run; by itself a desktop VS Code serves where one is
 * installed. `SLUICE_MISSING` tells the tests which Linux packages could not be installed.
 */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowserHost } from './browser-host.mjs';
import { prepareRuntime, root } from './install.mjs';
import { endOnSignals, start } from './processes.mjs';
import { findChromium, findDesktopEditor, onPath } from './programs.mjs';
import { count, readResults } from './results.mjs';
import { createSteps } from './steps.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { titlesOf } from './test-titles.mjs';

/**
 * @typedef {import('./results.mjs').TestResult} TestResult
 * @typedef {{ command: string[], folder: string, ending: string, needsChromium: boolean }} Suite
 */

const say = createSteps();
/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

/** @param {'browser' | 'desktop'} host @returns {Record<string, Suite>} */
function suites(host) {
  const needsXvfb = host === 'desktop' && process.platform === 'linux' && !hasScreen();
  return {
    unit: {
      command: [process.execPath, vitest, 'run', '--exclude', 'test/unit/architecture*.test.ts'],
      folder: 'test/unit', ending: '.test.ts', needsChromium: false,
    },
    host: {
      command: [...(needsXvfb ? ['xvfb-run', '-a'] : []), process.execPath, join(root, 'test', 'host', 'harness', 'run.ts')],
      folder: 'test/host', ending: '.test.ts', needsChromium: host === 'browser',
    },
    e2e: {
      command: [process.execPath, vitest, 'run', '--config', 'test/e2e/vitest.config.ts'],
      folder: 'test/e2e', ending: '.test.ts', needsChromium: true,
    },
  };
}

function hasScreen() {
  return Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

/** @returns {'browser' | 'desktop'} */
function chooseHost() {
  const asked = process.env['SLUICE_HOST'];
  if (asked === 'browser' || asked === 'desktop') return asked;
  const canShow = process.platform !== 'linux' || hasScreen() || onPath('xvfb-run') !== undefined;
  return findDesktopEditor() !== undefined && canShow ? 'desktop' : 'browser';
}

/** @param {string} name @param {Suite} suite @param {readonly string[]} args @param {NodeJS.ProcessEnv} env @param {string} home @returns {Promise<TestResult[]>} */
async function runSuite(name, suite, args, env, home) {
  if (suite.needsChromium && findChromium() === undefined) {
    const titles = await titlesOf(join(root, suite.folder), suite.ending);
    return titles.map((title) => ({ title: `${name} > ${title}`, state: 'skipped', reason: 'no Chromium on this machine (CHROMIUM_PATH)' }));
  }
  say(`Running ${name} tests`);
  const file = join(home, `${name}.json`);
  const [command = '', ...rest] = suite.command;
  // Temporary files of the suites lie in our own folder, so that they also go when a suite is cut short.
  const child = start(command, [...rest, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env, TMPDIR: home, SLUICE_SUITE_RESULTS: file } });
  children.add(child);
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (status) => resolve(status ?? 1));
  });
  children.delete(child);
  const tests = (await readResults(file)) ?? [];
  const { passed, failed, skipped } = count(tests);
  say(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  const named = tests.map((test) => ({ ...test, title: `${name} > ${test.title}` }));
  if (tests.length === 0) named.push({ title: name, state: 'failed', reason: `the suite did not run (exit code ${code})` });
  else if (code !== 0 && failed === 0) named.push({ title: name, state: 'failed', reason: `the suite ended with exit code ${code}` });
  return named;
}

/** Installs and builds what the chosen suites need; independent parts side by side. @param {readonly string[]} names @returns {Promise<NodeJS.ProcessEnv>} */
async function prepare(names) {
  const needsEditor = names.some((name) => name === 'host' || name === 'e2e');
  const pack = async () => {
    if (!needsEditor) return undefined;
    const { makePackage } = await import('./package.mjs');
    return makePackage(say);
  };
  const [missing, vsix] = await Promise.all([
    ensureSystemPackages(say, children), pack(), needsEditor ? ensureBrowserHost(say, children) : undefined,
  ]);
  return { SLUICE_MISSING: missing.join(','), ...(vsix ? { SLUICE_VSIX: vsix } : {}) };
}

/** @param {readonly TestResult[]} tests */
function report(tests) {
  for (const state of /** @type {const} */ (['skipped', 'failed'])) {
    const those = tests.filter((test) => test.state === state);
    if (those.length > 0) console.log(`\n${state === 'failed' ? 'Failed' : 'Skipped'}:`);
    for (const { title, reason } of those) console.log(`  ${title}${reason ? `: ${reason.split('\n')[0]}` : ''}`);
  }
  const { passed, failed, skipped } = count(tests);
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 && passed + skipped > 0;
}

/** @param {string} home */
async function main(home) {
  const [only, ...args] = process.argv.slice(2);
  const host = chooseHost();
  const known = suites(host);
  const names = only === undefined ? ['check', ...Object.keys(known)] : [only];
  for (const name of names) {
    if (name !== 'check' && !(name in known)) throw new Error(`No suite "${name}". There are: check, ${Object.keys(known).join(', ')}.`);
  }
  const env = { ...(await prepare(names)), SLUICE_HOST: host };
  /** @type {TestResult[]} */
  const tests = [];
  for (const name of names) {
    const suite = known[name];
    tests.push(...(suite === undefined ? await runChecks() : await runSuite(name, suite, args, env, home)));
  }
  process.exitCode = report(tests) ? 0 : 1;
}

async function runChecks() {
  const checks = await import('./check.mjs');
  return checks.runChecks(say, children);
}

async function runAll() {
  const home = mkdtempSync(join(tmpdir(), 'sluice-run-'));
  const leave = () => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  endOnSignals(children, leave);
  try {
    await main(home);
  } finally {
    await leave();
  }
}

try {
  await prepareRuntime(say);
  await runAll();
} catch (error) {
  console.error(error instanceof Error ? error.stack : error);
  console.log('\n0 passed, 1 failed, 0 skipped');
  process.exitCode = 1;
}
