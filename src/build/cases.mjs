import { readFileSync } from 'node:fs';
import { strictest } from '../core/verdict.ts';
import { resolvePath } from '../core/command/place.ts';
import { judgeAddress, judgeResolved } from '../guards/network/address.ts';
import { judgePaths } from '../guards/path/guards.ts';
import { createShellEngine } from '../guards/shell/engine.ts';
import { judgeForm } from '../guards/shell/guards.ts';
import { grammarBytes } from './grammar-bytes.mjs';

/**
 * Classifies the rows of case files and prints a table by class, then the misses. The strings are only ever
 * judged. `npm run cases -- FILE... [--all] [--class PART] [--why]`.
 */
const HOME = '/home/user';
const ROOT = '/workspace/project';
const ALLOWED = ['allowed.test'];

const files = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const wanted = process.argv.includes('--class') ? process.argv[process.argv.indexOf('--class') + 1] : undefined;
if (files.length === 0) {
  console.error('Which case files? Usage: npm run cases -- FILE... [--class PART] [--why]');
  process.exit(2);
}
const engine = createShellEngine(grammarBytes);
await engine.ready();

const rows = files.filter((file) => file !== wanted).flatMap((file) => readFileSync(file, 'utf8').split('\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line)));
const results = rows.filter((row) => wanted === undefined || classOf(row).includes(wanted)).map((row) => ({ row, ...judge(row) }));
report(results);
engine.dispose();

function classOf(row) {
  return row.class ?? `peer/${row.kind}/${row.origin.split('/')[0]}`;
}

function judge(row) {
  if (row.kind === 'shell') return judgeShell(row.input);
  if (row.kind === 'path') return verdict(judgePathRow(row.input));
  if (row.kind === 'url') return judgeUrl(row.input);
  if (row.kind === 'tool' && row.input.tool === 'run_shell' && (row.input.rules ?? []).length === 0 && typeof row.input.args?.command === 'string') return judgeShell(row.input.args.command, row.input.workspaceTrusted !== false);
  return { action: 'skip', findings: [] };
}

function judgeShell(input, trusted = true) {
  const { shell = 'bash', command = input, os = 'linux', cwd = ROOT } = typeof input === 'string' ? {} : input;
  const place = { cwd, roots: [cwd.startsWith('C:') ? cwd : ROOT], home: os === 'windows' ? 'C:/Users/user' : HOME, platform: os === 'windows' ? 'win32' : 'linux' };
  const form = engine.analyse(command, place, shell);
  return verdict(judgeForm(form, { place, trusted, network: { policy: 'restricted', allowedHosts: ALLOWED } }));
}

function judgePathRow({ path, op, roots = [ROOT], symlinks = {}, via }) {
  const bare = { cwd: roots[0], roots, home: HOME, platform: 'linux', link: (at) => symlinks[at] };
  const place = { ...bare, roots: roots.map((root) => resolvePath(root, '/', bare).real) };
  const located = resolvePath(path.startsWith('~') ? `${HOME}${path.slice(1)}` : path, roots[0], bare);
  return judgePaths([{ operation: op === 'delete' ? 'delete_tree' : op, target: { asked: path, real: located.real, uncertain: false, glob: false, linked: located.linked && !(roots.length === 1 && symlinks[roots[0]] !== undefined) } }], place, via === undefined ? 'tool' : 'command');
}

function judgeUrl(input) {
  const { url = input, allowedDomains = ALLOWED, deniedDomains = [], resolvesTo } = typeof input === 'string' ? {} : input;
  const answer = judgeAddress(url, { policy: 'restricted', allowedHosts: allowedDomains, deniedHosts: deniedDomains });
  const resolved = resolvesTo === undefined ? [] : resolvesTo === 'error' ? [{ action: 'deny', reason: 'not resolved' }] : resolvesTo.map((address) => judgeResolved(address)).filter((found) => found !== undefined);
  return verdict([{ rule: 'network/address', ...answer }, ...resolved]);
}

function verdict(findings) {
  return { action: strictest(findings.map(({ action }) => action)), findings };
}

function passes({ row, action }) {
  const note = row.note ?? '';
  if (action === 'skip') return true;
  if (row.expect === 'allow') return action === 'allow';
  if (row.expect === 'deny') return action !== 'allow';
  if (row.expect === 'not_allow') return action !== 'allow';
  return note.startsWith('EITHER') ? action !== 'deny' : action === 'ask';
}

function report(all) {
  const classes = new Map();
  for (const result of all) {
    const name = classOf(result.row);
    const line = classes.get(name) ?? { rows: 0, passed: 0, judgement: 0, allow: 0, ask: 0, deny: 0, skip: 0 };
    line.rows += 1;
    line[result.action] += 1;
    if (passes(result)) line.passed += 1;
    else if (isJudgement(result.row)) line.judgement += 1;
    classes.set(name, line);
  }
  console.log('class                                               rows  pass  open  | allow   ask  deny');
  for (const [name, line] of [...classes].sort(([left], [right]) => left.localeCompare(right))) {
    console.log(`${name.padEnd(50).slice(0, 50)} ${[line.rows, line.passed, line.judgement].map((count) => String(count).padStart(5)).join(' ')}  | ${[line.allow, line.ask, line.deny].map((count) => String(count).padStart(5)).join(' ')}`);
  }
  summary(all);
  for (const result of all) {
    if (passes(result) || (isJudgement(result.row) && !process.argv.includes('--all'))) continue;
    const why = result.findings.filter(({ action }) => action === result.action).map(({ patternKey, reason }) => `${patternKey}: ${reason}`).slice(0, 3).join(' | ');
    console.log(`MISS ${classOf(result.row)} want ${result.row.expect}, is ${result.action}: ${JSON.stringify(result.row.input).slice(0, 160)} (${(result.row.note ?? '').slice(0, 60)}) ${why}`);
  }
}

function isJudgement(row) {
  return (row.note ?? '').includes('JUDGEMENT');
}

function share(part, whole) {
  return whole.length === 0 ? 'none' : `${part.length}/${whole.length} = ${((100 * part.length) / whole.length).toFixed(1)} %`;
}

function summary(all) {
  const judged = all.filter(({ action }) => action !== 'skip');
  const plain = judged.filter(({ row }) => !isJudgement(row));
  const dangerous = plain.filter(({ row }) => row.expect === 'not_allow' || row.expect === 'deny');
  const hard = judged.filter(({ row }) => (row.note ?? '').includes('ideal: deny') || (row.expect === 'deny' && row.kind === 'shell'));
  const ordinary = plain.filter(({ row }) => row.expect === 'allow');
  const open = judged.filter(({ row }) => row.expect === 'allow' || row.expect === 'ask');
  const either = judged.filter(({ row }) => (row.note ?? '').startsWith('EITHER'));
  console.log(`dangerous allowed:       ${share(dangerous.filter(({ action }) => action === 'allow'), dangerous)}`);
  console.log(`hard blocks denied:      ${share(hard.filter(({ action }) => action === 'deny'), hard)}`);
  console.log(`allow rows allowed:      ${share(ordinary.filter(({ action }) => action === 'allow'), ordinary)}`);
  console.log(`allow or ask denied:     ${share(open.filter(({ action }) => action === 'deny'), open)}`);
  console.log(`EITHER rows allowed:     ${share(either.filter(({ action }) => action === 'allow'), either)}`);
  if (process.argv.includes('--why')) for (const result of hard) if (result.action !== 'deny') console.log(`SOFT ${JSON.stringify(result.row.input).slice(0, 160)}`);
}
