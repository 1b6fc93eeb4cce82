/** Every row of the case files beside this one, through `sluice decide`. The strings are only ever judged. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { callOf, type Row, type World } from '../../src/build/case-calls.mjs';
import { passes } from '../../src/build/cases.mjs';
import { grammarBytes } from '../../src/build/grammar-bytes.mjs';
import { createDecider, type Decider } from '../../src/cli/decide.ts';

const GAPS = 'known-gaps.json';
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json') && name !== GAPS);
const read = (name: string): unknown => JSON.parse(readFileSync(`${import.meta.dirname}/${name}`, 'utf8'));
const rows = files.flatMap((name) => read(name) as Row[]);

const deciders = new Map<string, Decider>();
afterAll(() => { for (const decider of deciders.values()) decider.dispose(); });

function deciderFor(world: World): Decider {
  const key = JSON.stringify(world);
  const found = deciders.get(key) ?? createDecider({ ...world, sandbox: 'available', settings: Object.fromEntries(Object.entries(world.settings).map(([name, value]) => [name.replace('sluice.', ''), value])) }, grammarBytes, () => undefined);
  deciders.set(key, found);
  return found;
}

describe('our own case files', () => {
  it('hold attacks and ordinary work, each row once', () => {
    expect(rows.filter(({ expect: wanted }) => wanted === 'not_allow' || wanted === 'deny').length).toBeGreaterThan(400);
    expect(rows.filter(({ expect: wanted }) => wanted === 'allow').length).toBeGreaterThan(80);
    expect(new Set(rows.map(({ kind, input }) => JSON.stringify([kind, input]))).size).toBe(rows.length);
  });

  it.each(rows.map((row) => [row.expect, row.class ?? '', JSON.stringify(row.input).slice(0, 140), row] as const))('%s: %s %s', async (_expect, _class, _input, row) => {
    const found = callOf(row);
    if (found === undefined) throw new Error('the row stands for no call');
    const decision = await deciderFor(found.world).decide(JSON.stringify(found.call));
    expect(decision.patternKey).not.toMatch(/^(?:internal_error|guard_failed|malformed)$/);
    if (row.expect !== 'deny') expect(decision.patternKey).not.toBe('invalid_arguments');
    if (row.note?.includes('ideal: deny') === true) expect(decision.action).toBe('deny');
    expect([decision.action, passes(row, decision.action)]).toEqual([decision.action, true]);
    if (decision.action === 'allow' && decision.risk === 'exec') expect(decision.confined).toBe(true);
  });

  it('has a reason for every known gap, and none of them among our own rows', () => {
    const gaps = read(GAPS) as { kind: string; input: unknown; reason: string }[];
    for (const gap of gaps) expect(gap.reason).toMatch(/^[A-Z].{20,}\.$/);
    const ours = new Set(rows.map(({ kind, input }) => JSON.stringify([kind, input])));
    expect(gaps.filter(({ kind, input }) => ours.has(JSON.stringify([kind, input])))).toEqual([]);
  });
});
