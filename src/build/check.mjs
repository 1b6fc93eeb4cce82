// @ts-check
/**
 * `npm run check`: types, lint, generated files, architecture. All four always run, side by side; each is named and
 * counted once.
 */
import { join } from 'node:path';
import { isMain, prepareRuntime, root } from './install.mjs';
import { run } from './processes.mjs';
import { createSteps } from './steps.mjs';

/** @typedef {import('./results.mjs').TestResult} TestResult */

/** @param {...string} parts */
const bin = (...parts) => join(root, 'node_modules', ...parts);

/** Name -> arguments for the pinned Node. */
const steps = Object.freeze({
  types: [bin('typescript', 'bin', 'tsc'), '--noEmit'],
  lint: [bin('eslint', 'bin', 'eslint.js'), '.', '--max-warnings=0'],
  generated: [join(root, 'src', 'build', 'gen.mjs'), '--check'],
  architecture: [bin('vitest', 'vitest.mjs'), 'run', 'test/unit/architecture'],
});

/** @param {import('./steps.mjs').Say} say @param {Set<import('node:child_process').ChildProcess>} [track] @returns {Promise<TestResult[]>} */
export async function runChecks(say, track = new Set()) {
  say(`Checking ${Object.keys(steps).join(', ')}`);
  const { SLUICE_SUITE_RESULTS: _, ...env } = process.env;
  return Promise.all(Object.entries(steps).map(async ([name, args]) => {
    const result = await run(process.execPath, args, { cwd: root, track, env });
    say(`${result.code === 0 ? '✓' : '✗'} ${name}`);
    if (result.code === 0) return { title: `check > ${name}`, state: /** @type {const} */ ('passed') };
    process.stderr.write(`${result.output.trimEnd()}\n`);
    return { title: `check > ${name}`, state: /** @type {const} */ ('failed'), reason: `exit code ${result.code}` };
  }));
}

if (isMain(import.meta.url)) {
  const say = createSteps();
  await prepareRuntime(say);
  const failed = (await runChecks(say)).filter((test) => test.state === 'failed');
  console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.map((test) => test.title.replace('check > ', '')).join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
