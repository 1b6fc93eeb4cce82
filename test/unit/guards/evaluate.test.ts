import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateToolCall, type Guard } from '../../../src/core/chain/04-guard.ts';
import { strictest, type Action, type Finding } from '../../../src/core/verdict.ts';
import { GUARDS } from '../../../src/guards/index.ts';
import { readFile } from '../../../src/tools/read-file/read-file.ts';
import { runShell } from '../../../src/tools/run-shell/run-shell.ts';
import { command, pathResource } from '../core/approval/card-samples.ts';
import { context, resolvedOver } from './judged.ts';
import { LINES } from './lines.ts';

const resolved = resolvedOver([pathResource({ operation: 'read' })], readFile);
const finding = (action: Action, rule = `test/${action}`): Finding => ({ rule, action, reason: `It says ${action}.`, patternKey: `key_${action}`, approvalAction: 'use_tool' });
const saying = (id: string, found: unknown): Guard => ({ id, check: () => found as Finding });
const evaluate = (guards: readonly Guard[]): ReturnType<typeof evaluateToolCall> => evaluateToolCall(resolved, guards, context());

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

describe('the strictest wins', () => {
  const guards: readonly (readonly [Action | 'none', Guard])[] = [
    ['allow', saying('test/allow', finding('allow'))], ['ask', saying('test/ask', finding('ask'))], ['deny', saying('test/deny', finding('deny'))], ['none', saying('test/none', undefined)],
  ];

  it('in every order of every choice of guards', () => {
    for (let mask = 0; mask < 16; mask += 1) {
      const chosen = guards.filter((_, at) => (mask >> at) % 2 === 1);
      const words = chosen.map(([word]) => word);
      const wanted = words.includes('deny') ? 'deny' : words.includes('ask') ? 'ask' : 'allow';
      for (const order of permutations(chosen)) {
        const decision = evaluate(order.map(([, guard]) => guard));
        expect(decision.action).toBe(wanted);
        expect(decision.findings).toHaveLength(words.filter((word) => word !== 'none').length);
        if (wanted !== 'allow') expect([decision.reason, decision.patternKey]).toEqual([`It says ${wanted}.`, `key_${wanted}`]);
      }
    }
  });

  it('among the findings of one guard as well', () => {
    for (const order of permutations([finding('allow'), finding('deny'), finding('ask')])) expect(evaluate([saying('test/all', order)]).action).toBe('deny');
  });

  it('of any list of words', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom<Action>('allow', 'ask', 'deny')), (words) => {
      const wanted = (['deny', 'ask'] as const).find((word) => words.includes(word)) ?? 'allow';
      return strictest(words) === wanted && strictest(words.toReversed()) === wanted;
    }));
  });

  it('with the real guards in any order', () => {
    const samples = LINES.filter((_, at) => at % 5 === 0).map(({ line }) => resolvedOver([command(line, { form: 'shell', argv: [] })], runShell));
    fc.assert(fc.property(fc.shuffledSubarray([...GUARDS], { minLength: GUARDS.length }), fc.constantFrom(...samples), (order, sample) => {
      const [usual, other] = [GUARDS, order].map((guards) => evaluateToolCall(sample, guards, context()));
      return usual?.action === other?.action && usual?.findings.length === other?.findings.length;
    }));
  });
});

describe('a guard that fails', () => {
  const thrown: readonly (readonly [string, unknown])[] = [['an error', new Error('boom')], ['a string', 'boom'], ['undefined', undefined], ['null', null], ['an object', { message: 'boom' }]];

  it.each(thrown)('by throwing %s denies, wherever it stands', (_, error) => {
    const broken: Guard = { id: 'test/broken', check: () => { throw error; } };
    for (const order of permutations([broken, saying('test/allow', finding('allow')), saying('test/ask', finding('ask'))])) {
      const decision = evaluate(order);
      expect([decision.action, decision.patternKey]).toEqual(['deny', 'guard_failed']);
      expect(decision.findings).toHaveLength(3);
      expect(decision.reason).toContain('test/broken');
    }
  });

  it.each<[string, unknown]>([
    ['a promise', Promise.resolve(finding('deny'))], ['a word', 'allow'], ['true', true], ['an empty object', {}], ['an unknown action', { ...finding('deny'), action: 'block' }],
    ['an inherited name', { ...finding('deny'), action: 'toString' }], ['a list with nothing in it', [undefined]], ['a list that is half right', [finding('allow'), { action: 1 }]],
  ])('by answering with %s denies', (_, answer) => {
    expect(evaluate([saying('test/odd', answer)])).toMatchObject({ action: 'deny', patternKey: 'guard_failed' });
  });

  it('does not keep the others from being heard', () => {
    const heard: string[] = [];
    const listening = (id: string): Guard => ({ id, check: () => { heard.push(id); return undefined; } });
    evaluate([listening('test/a'), { id: 'test/broken', check: () => { throw new Error('boom'); } }, listening('test/b')]);
    expect(heard).toEqual(['test/a', 'test/b']);
  });

  it('tells at most a line of its error', () => {
    const decision = evaluate([{ id: 'test/broken', check: () => { throw new Error('x'.repeat(10_000)); } }]);
    expect(decision.reason.length).toBeLessThan(300);
  });
});

describe('the list of guards', () => {
  it('has a name of its own for each, and a file at that place', () => {
    const ids = GUARDS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z-]+\/[a-z-]+$/);
  });

  it('never throws on any path or line', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (line, path) => {
      const real = `/${path}`;
      const decision = evaluateToolCall(resolvedOver([command(line, { form: 'shell', argv: [] }), pathResource({ real, asked: path, relative: undefined, folder: undefined })], runShell), GUARDS, context());
      return decision.findings.every(({ patternKey }) => patternKey !== 'guard_failed') && decision.action !== 'allow';
    }), { numRuns: 300 });
  });
});
