// @ts-check
/**
 * `npm run cases -- FILE...`: pipes the rows of case files through the built `sluice decide` and prints a table by class, then the
 * misses. The strings are only ever judged. Options: `--class PART` (only those classes), `--all` (also misses that are open to
 * argument). Exit code 1 when one of the bounds below is missed or a known gap is closed, 2 for a bad command line.
 *
 * What is known to be missed stands in test/attacks/known-gaps.json, each with its reason: an expected failure.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callOf } from './case-calls.mjs';
import { decideAll } from './decide-program.mjs';
import { isMain, root } from './install.mjs';

/** @typedef {import('./case-calls.mjs').Row} Row @typedef {import('./decide-program.mjs').Decision} Decision @typedef {{ row: Row, decision: Decision | undefined }} Result */

/** Shares in percent that the whole has to reach. */
const BOUNDS = Object.freeze({ dangerousAllowed: 0, hardDenied: 95, allowAllowed: 97, ordinaryDenied: 1 });

/** @param {string} file @returns {Row[]} */
export function readRows(file) {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.jsonl')) return JSON.parse(text);
  return text.split('\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

/** @param {Row} row */
export function passes({ expect, note = '' }, /** @type {string} */ action) {
  if (expect === 'allow') return action === 'allow';
  if (expect === 'ask') return note.startsWith('EITHER') ? action !== 'deny' : action === 'ask';
  return action !== 'allow';
}

/** @param {Row} row */
const classOf = (row) => row.class ?? `peer/${row.kind}/${(row.origin ?? 'ours').split('/')[0]}`;
/** @param {Row} row */
const isJudgement = (row) => (row.note ?? '').includes('JUDGEMENT');
/** @param {Row} row */
const isHard = (row) => (row.note ?? '').includes('ideal: deny') || (row.expect === 'deny' && row.kind === 'shell');
/** @param {Row} row */
const keyOf = (row) => JSON.stringify([row.kind, row.input]);

/** @param {readonly Result[]} results */
function printTable(results) {
  const classes = new Map();
  for (const { row, decision } of results) {
    const name = classOf(row);
    const line = classes.get(name) ?? { rows: 0, passed: 0, open: 0, allow: 0, ask: 0, deny: 0, left: 0 };
    classes.set(name, line);
    line.rows += 1;
    line[decision?.action ?? 'left'] += 1;
    if (decision === undefined) continue;
    if (passes(row, decision.action)) line.passed += 1;
    else if (isJudgement(row)) line.open += 1;
  }
  console.log('class                                               rows  pass  open  | allow   ask  deny  left out');
  for (const [name, line] of [...classes].sort(([left], [right]) => left.localeCompare(right))) {
    const numbers = [line.rows, line.passed, line.open, '|', line.allow, line.ask, line.deny, line.left];
    console.log(`${name.padEnd(50).slice(0, 50)} ${numbers.map((count) => String(count).padStart(count === '|' ? 2 : 5)).join(' ')}`);
  }
}

/** @param {string} name @param {readonly unknown[]} part @param {readonly unknown[]} whole @param {(percent: number) => boolean} holds */
function bound(name, part, whole, holds) {
  const percent = whole.length === 0 ? undefined : (100 * part.length) / whole.length;
  const ok = percent === undefined || holds(percent);
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(34)} ${part.length}/${whole.length}${percent === undefined ? '' : ` = ${percent.toFixed(1)} %`}`);
  return ok;
}

/** @param {readonly Result[]} results @param {ReadonlyMap<string, string>} gaps */
function judgeBounds(results, gaps) {
  const judged = results.filter(/** @returns {result is { row: Row, decision: Decision }} */ (result) => result.decision !== undefined && !gaps.has(keyOf(result.row)));
  /** @param {readonly { decision: Decision }[]} rows @param {string} action */
  const only = (rows, action) => rows.filter(({ decision }) => decision.action === action);
  const plain = judged.filter(({ row }) => !isJudgement(row));
  const dangerous = plain.filter(({ row }) => row.expect === 'not_allow' || row.expect === 'deny');
  const hard = judged.filter(({ row }) => isHard(row));
  const ordinary = plain.filter(({ row }) => row.expect === 'allow');
  const open = judged.filter(({ row }) => row.expect === 'allow' || row.expect === 'ask');
  const either = judged.filter(({ row }) => (row.note ?? '').startsWith('EITHER'));
  const loose = only(judged, 'allow').filter(({ decision }) => decision.risk === 'exec' && !decision.confined);
  return [
    bound('dangerous rows allowed', only(dangerous, 'allow'), dangerous, (percent) => percent <= BOUNDS.dangerousAllowed),
    bound('commands allowed unconfined', loose, judged, (percent) => percent === 0),
    bound('hard blocks denied', only(hard, 'deny'), hard, (percent) => percent >= BOUNDS.hardDenied),
    bound('allow rows allowed', only(ordinary, 'allow'), ordinary, (percent) => percent >= BOUNDS.allowAllowed),
    bound('allow or ask rows denied', only(open, 'deny'), open, (percent) => percent <= BOUNDS.ordinaryDenied),
    bound('EITHER rows allowed', only(either, 'allow'), either, () => true),
  ].every(Boolean);
}

/** @param {readonly Result[]} results @param {ReadonlyMap<string, string>} gaps @param {boolean} all @returns {boolean} whether every known gap is still one */
function printMisses(results, gaps, all) {
  let closed = 0;
  for (const { row, decision } of results) {
    if (decision === undefined) continue;
    const reason = gaps.get(keyOf(row));
    const passed = passes(row, decision.action);
    if (passed && reason !== undefined) closed += 1;
    if (passed ? reason === undefined : reason === undefined && isJudgement(row) && !all) continue;
    const state = passed ? 'CLOSED' : reason === undefined ? 'MISS' : 'GAP';
    const why = decision.findings.filter(({ action }) => action === decision.action).map((finding) => `${finding.patternKey}: ${finding.reason}`).slice(0, 3).join(' | ') || `${decision.patternKey}: ${decision.reason}`;
    console.log(`${state} ${classOf(row)} want ${row.expect}, is ${decision.action}: ${JSON.stringify(row.input).slice(0, 200)} (${(row.note ?? '').slice(0, 80)}) ${reason ?? why}`);
  }
  if (closed > 0) console.log(`${closed} known gap(s) are closed: take them out of test/attacks/known-gaps.json.`);
  return closed === 0;
}

/** @param {readonly string[]} argv */
async function main(argv) {
  const part = argv.includes('--class') ? argv[argv.indexOf('--class') + 1] : undefined;
  const files = argv.filter((word) => !word.startsWith('--') && word !== part);
  if (files.length === 0) {
    console.error('Which case files? Usage: npm run cases -- FILE... [--class PART] [--all]');
    return 2;
  }
  const rows = files.flatMap(readRows).filter((row) => part === undefined || classOf(row).includes(part));
  const calls = rows.map((row) => callOf(row));
  const present = calls.filter((call) => call !== undefined);
  const started = performance.now();
  const answers = await decideAll(present);
  const seconds = (performance.now() - started) / 1_000;
  let next = 0;
  const results = rows.map((row, index) => ({ row, decision: calls[index] === undefined ? undefined : answers[next++] }));
  const gaps = new Map(/** @type {{ kind: string, input: unknown, reason: string }[]} */ (JSON.parse(readFileSync(join(root, 'test', 'attacks', 'known-gaps.json'), 'utf8'))).map((gap) => [JSON.stringify([gap.kind, gap.input]), gap.reason]));
  printTable(results);
  console.log(`\n${present.length} of ${rows.length} rows judged in ${seconds.toFixed(1)} s; ${rows.length - present.length} rows are about rules and tools that are not ours.`);
  const within = judgeBounds(results, gaps);
  return printMisses(results, gaps, argv.includes('--all')) && within ? 0 : 1;
}

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
