// @ts-check
/** A Vitest reporter that writes the results file of results.mjs, with the reasons of skipped tests. */
import { writeFileSync } from 'node:fs';

/**
 * @typedef {import('./results.mjs').TestResult} TestResult
 * @typedef {import('vitest/node').TestModule} TestModule
 */

/** @param {import('vitest/node').TestCase} test @returns {TestResult} */
function describeTest(test) {
  const result = test.result();
  const title = `${test.module.relativeModuleId} > ${test.fullName}`;
  if (result.state === 'passed') return { title, state: 'passed' };
  if (result.state === 'skipped') return { title, state: 'skipped', reason: result.note ?? 'no reason given' };
  return { title, state: 'failed', reason: result.errors?.[0]?.message ?? 'did not finish' };
}

/** A file that did not load, or a suite whose setup failed, has failed even though no test in it ran. @param {TestModule} module @returns {TestResult[]} */
function describeModule(module) {
  const tests = [...module.children.allTests()].map(describeTest);
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  const broken = errors.map((error) => ({ title: module.relativeModuleId, state: /** @type {const} */ ('failed'), reason: error.message }));
  return [...tests, ...broken];
}

/** @param {string} file @returns {import('vitest/node').Reporter} */
export function vitestResults(file) {
  return {
    onTestRunEnd(modules, errors) {
      const loose = errors.map((error) => ({ title: 'outside of any test', state: /** @type {const} */ ('failed'), reason: error.message }));
      writeFileSync(file, JSON.stringify({ tests: [...modules.flatMap(describeModule), ...loose] }));
    },
  };
}

/** The reporters of a run: Vitest's own, and the results file where `npm test` asks for it. */
export function reporters() {
  const file = process.env['SLUICE_SUITE_RESULTS'];
  return file ? ['default', vitestResults(file)] : ['default'];
}
