// @ts-check
/**
 * `npm run bench [-- PART...]`: measures and prints a table. Each number stands beside a baseline of the same run, because numbers of
 * different machines, or of a busy and an idle one, do not compare. A part is a program in test/bench; each has its own limit of
 * time, and one that cannot run is named with the reason. The whole is bounded by `limitMs`.
 *
 *   chain     a call through all stages without a person, with and without the audit on the disk
 *   decide    decisions about commands, beside a bare parse of the same lines
 *   tokens    the first request's size
 *   loop      a task against a scripted model over HTTP
 *   sandbox   a confined command
 *   shipped   sizes, loading, activation in the editor (packs a .vsix; `SLUICE_VSIX` names one that is there)
 *
 * Exit code 1 when a part failed, 2 for an unknown part; a part that only has nothing to run on is no failure.
 */
import { join } from 'node:path';
import { isMain, prepareRuntime, root } from './install.mjs';
import { end, endOnSignals, start } from './processes.mjs';
import { createSteps } from './steps.mjs';

/**
 * @typedef {{ value: number, unit: string }} Measure
 * @typedef {{ what: string, measured: Measure, baseline: Measure & { what: string } }} Row
 * @typedef {{ what: string, why: string }} Missing
 * @typedef {{ rows: Row[], missing: Missing[], failed: boolean }} Outcome
 */

/** Part -> milliseconds it may take. Together with the start of Node less than `limitMs`. */
const parts = Object.freeze({ chain: 20_000, decide: 20_000, tokens: 10_000, loop: 15_000, sandbox: 25_000, shipped: 80_000 });
const limitMs = 175_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();

/** Runs one part; its last line of output is the result. @param {string} name @param {number} allowedMs @returns {Promise<Outcome>} */
async function measure(name, allowedMs) {
  const child = start(process.execPath, [join(root, 'test', 'bench', `${name}.ts`)], { cwd: root });
  children.add(child);
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk) => { out += chunk; });
  child.stderr?.on('data', (chunk) => { err = (err + chunk).slice(-2_000); });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void end(child);
  }, allowedMs);
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (status) => resolve(status ?? 1));
  });
  clearTimeout(timer);
  children.delete(child);
  if (late) return failure(name, `Not done after ${Math.round(allowedMs / 1_000)} s. A first run on a machine also installs the browser host; "npm test -- e2e smoke" does that alone.`);
  if (code !== 0) return failure(name, err.trim() || `exit code ${code}`);
  return { ...JSON.parse(out.trimEnd().split('\n').at(-1) ?? ''), failed: false };
}

/** @param {string} what @param {string} why @returns {Outcome} */
function failure(what, why) {
  return { rows: [], missing: [{ what, why }], failed: true };
}

/** Three significant digits. @param {Measure} measure */
function show({ value, unit }) {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number.isInteger(value) ? value : value.toFixed(digits)} ${unit}`;
}

/** @param {readonly Row[]} rows */
function table(rows) {
  const lines = [['what', 'measured', 'baseline', 'baseline is'], ...rows.map((row) => [row.what, show(row.measured), show(row.baseline), row.baseline.what])];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map(([what = '', measured = '', baseline = '', beside = '']) => [
    what.padEnd(widths[0] ?? 0), measured.padStart(widths[1] ?? 0), baseline.padStart(widths[2] ?? 0), beside,
  ].join('  ')).join('\n');
}

/** @param {readonly string[]} asked */
async function bench(asked) {
  const unknown = asked.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) {
    console.error(`No part "${unknown}". There are: ${Object.keys(parts).join(', ')}.`);
    return 2;
  }
  const say = createSteps();
  await prepareRuntime(say);
  endOnSignals(children, async () => {});
  const until = performance.now() + limitMs;
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const [name, allowedMs] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    say(`Measuring ${name}`);
    const left = Math.max(1_000, until - performance.now());
    outcomes.push(await measure(name, Math.min(allowedMs, left)).catch((error) => failure(name, String(error))));
  }
  console.log(`\n${table(outcomes.flatMap(({ rows }) => rows))}`);
  for (const { what, why } of outcomes.flatMap(({ missing }) => missing)) console.log(`\nNot measured: ${what}. ${why}`);
  console.log(`\nNode ${process.versions.node}, ${process.platform}-${process.arch}`);
  return outcomes.some(({ failed }) => failed) ? 1 : 0;
}

if (isMain(import.meta.url)) process.exitCode = await bench(process.argv.slice(2));
