// @ts-check
/**
 * What every suite hands to `npm test`: a JSON file `{ tests: TestResult[] }` at the path in `SLUICE_SUITE_RESULTS`.
 * @typedef {{ title: string, state: 'passed' | 'failed' | 'skipped', reason?: string }} TestResult
 */
import { readFile } from 'node:fs/promises';

/** @param {string} file @returns {Promise<TestResult[] | undefined>} */
export async function readResults(file) {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text).tests;
}

/** @param {readonly TestResult[]} tests */
export function count(tests) {
  const of = (/** @type {TestResult['state']} */ state) => tests.filter((test) => test.state === state).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}
