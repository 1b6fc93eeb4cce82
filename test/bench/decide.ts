/**
 * Decisions over mixed commands: four ordinary ones for each attack, all from test/attacks. Beside them what a bare
 * tree-sitter needs to parse the same lines and to look at every node. The lines are only judged.
 */
import { readFileSync } from 'node:fs';
import { Language, Parser } from 'web-tree-sitter';
import { grammarBytes } from '../../src/build/grammar-bytes.mjs';
import { createDecider } from '../../src/cli/decide.ts';
import { createGrammar } from '../../src/core/command/grammar.ts';
import { median, percentile, report, sample, type Row } from './rows.ts';

const COUNT = 1_000;
const WARM_UP = 2_000;
/** Decisions between the two looks at the memory. */
const MANY = 40_000;

interface CaseRow {
  readonly kind: string;
  readonly input: unknown;
}

function linesOf(...names: readonly string[]): readonly string[] {
  const rows = names.flatMap((name) => JSON.parse(readFileSync(new URL(`../attacks/${name}.json`, import.meta.url), 'utf8')) as CaseRow[]);
  return rows.flatMap(({ kind, input }) => (kind === 'shell' && typeof input === 'string' ? [input] : []));
}

const ordinary = linesOf('ordinary');
const attacks = linesOf('readers', 'runners', 'shell');
const mixed = Array.from({ length: COUNT }, (_, n) => (n % 5 === 4 ? attacks[(n * 7) % attacks.length] : ordinary[n % ordinary.length]) ?? 'ls');
const calls = mixed.map((command, id) => JSON.stringify({ id, tool: 'run_shell', args: { command } }));

const decider = createDecider(
  { workspaces: ['/workspace/project'], home: '/home/user', platform: 'linux', sandbox: 'available', trusted: true, settings: {}, links: {}, hosts: {} },
  grammarBytes, (text) => { throw new Error(text); },
);
const decide = (n: number): Promise<unknown> => decider.decide(calls[n % COUNT] ?? '');

async function bareParser(): Promise<(text: string) => number> {
  const { runtime, grammar } = await grammarBytes();
  await Parser.init({ wasmBinary: runtime });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return (text) => {
    const tree = parser.parse(text);
    if (tree === null) throw new Error('not parsed');
    const cursor = tree.walk();
    let nodes = 0;
    for (let inside = true; inside;) {
      nodes += 1;
      if (cursor.gotoFirstChild() || cursor.gotoNextSibling()) continue;
      do inside = cursor.gotoParent(); while (inside && !cursor.gotoNextSibling());
    }
    cursor.delete();
    tree.delete();
    return nodes;
  };
}

function memoryKilobytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1_024;
}

const loading = await sample(1, 0, async () => (await createGrammar(grammarBytes)).dispose());
const bytes = await sample(1, 0, () => grammarBytes());
const bare = await bareParser();
const decisions = await sample(COUNT, WARM_UP, decide);
const parses = await sample(COUNT, WARM_UP, (n) => Promise.resolve(bare(mixed[n % COUNT] ?? '')));
const before = memoryKilobytes();
const from = performance.now();
for (let n = 0; n < MANY; n += 1) await decide(n);
const perSecond = (MANY * 1_000) / (performance.now() - from);
const grown = Math.max(0, memoryKilobytes() - before);
const bareFrom = performance.now();
for (let n = 0; n < MANY; n += 1) bare(mixed[n % COUNT] ?? '');
const barePerSecond = (MANY * 1_000) / (performance.now() - bareFrom);
decider.dispose();

const micro = (ms: number): Row['measured'] => ({ value: ms * 1_000, unit: 'µs' });
const parse = 'a bare parse and walk of the same lines';
report([
  { what: 'A decision about a command, p50', measured: micro(median(decisions)), baseline: { ...micro(median(parses)), what: parse } },
  { what: 'A decision about a command, p99', measured: micro(percentile(decisions, 0.99)), baseline: { ...micro(percentile(parses, 0.99)), what: parse } },
  { what: 'Decisions about commands', measured: { value: Math.round(perSecond), unit: 'per s' }, baseline: { value: Math.round(barePerSecond), unit: 'per s', what: parse } },
  { what: 'The shell grammar loaded, once', measured: { value: median(loading), unit: 'ms' }, baseline: { value: median(bytes), unit: 'ms', what: 'its files read' } },
  { what: `Memory after ${MANY} more decisions`, measured: { value: Math.round(grown), unit: 'KB' }, baseline: { value: Math.round(before), unit: 'KB', what: 'before them' } },
]);
