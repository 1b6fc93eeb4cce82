import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAssembler } from '../../../../src/core/agent/assemble.ts';
import type { CallFragment } from '../../../../src/core/agent/assemble.ts';
import { isModelError } from '../../../../src/core/agent/model.ts';
import type { ModelReply } from '../../../../src/core/agent/model.ts';

interface Planned {
  readonly id: string | undefined;
  readonly name: string;
  readonly text: string;
  readonly fragments: readonly CallFragment[];
}

/** Cuts a text at the given shares of its length; empty pieces are kept. */
function cutAt(text: string, shares: readonly number[]): string[] {
  const at = [...shares].map((share) => Math.floor(share * (text.length + 1))).sort((a, b) => a - b);
  return [0, ...at].map((start, index) => text.slice(start, at[index] ?? text.length));
}

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

/** One call of one index: the id first, late or never; the name whole or in two pieces; a cut anywhere. */
const planned = (index: number): fc.Arbitrary<Planned> =>
  fc.record({
    args: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), fc.array(fc.jsonValue(), { maxLength: 3 })),
    cutOff: fc.boolean(), shares: fc.array(share, { maxLength: 5 }), when: fc.constantFrom('first', 'last', 'never'), split: fc.boolean(), nulls: fc.boolean(),
  }).map(({ args, cutOff, shares, when, split, nulls }) => {
    const whole = JSON.stringify(args);
    const text = cutOff ? whole.slice(0, -1) : whole;
    const name = `tool_of_${index}`;
    const gap = nulls ? null : undefined;
    const names = split ? ['tool_', `of_${index}`] : [name];
    const pieces = cutAt(text, shares);
    const fragments: CallFragment[] = [
      ...names.map((piece) => ({ index, id: gap, name: piece, arguments: gap })),
      ...pieces.map((piece) => ({ index, id: gap, name: gap, arguments: piece })),
    ];
    const id = when === 'never' ? undefined : `id_${index}`;
    if (id === undefined) return { id, name, text, fragments };
    // A late id stands with the last piece that has text, or alone.
    const first = fragments[0];
    const placed = when === 'first' && first !== undefined ? [{ ...first, id }, ...fragments.slice(1)] : [...fragments, { index, id }];
    return { id, name, text, fragments: placed };
  });

const plan = fc.integer({ min: 1, max: 4 }).chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => planned(index))));

/** A merge that keeps the order within each list; `picks` says whose turn it is. */
function merge(lists: readonly (readonly CallFragment[])[], picks: readonly number[]): CallFragment[] {
  const rest = lists.map((list) => [...list]);
  const out: CallFragment[] = [];
  for (let turn = 0; ; turn += 1) {
    const open = rest.filter((list) => list.length > 0);
    const next = open[(picks[turn % Math.max(1, picks.length)] ?? 0) % Math.max(1, open.length)]?.shift();
    if (next === undefined) return out;
    out.push(next);
  }
}

function assemble(fragments: readonly CallFragment[]): ModelReply {
  const assembler = createAssembler((n) => `made_${n}`);
  for (const fragment of fragments) assembler.push({ type: 'call', fragment });
  return assembler.finish('in_order');
}

const isWhole = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('assembler properties', () => {
  it('TC-07: any interleaving that keeps the order within an index gives the same calls', () => {
    fc.assert(
      fc.property(plan, fc.array(fc.nat(7), { minLength: 1, maxLength: 30 }), (calls, picks) => {
        const reply = assemble(merge(calls.map((call) => call.fragments), picks));
        const byName = new Map(reply.calls.map((call) => [call.tool, call]));
        expect(reply.calls).toHaveLength(calls.length);
        expect(new Set(reply.calls.map((call) => call.id)).size).toBe(calls.length);
        for (const { id, name, text } of calls) {
          expect(byName.get(name)).toMatchObject({ argumentsText: text, complete: isWhole(text) });
          expect(byName.get(name)?.id).toMatch(id === undefined ? /^made_\d$/ : new RegExp(`^${id}$`));
        }
      }),
      { numRuns: 10_000 },
    );
  }, 60_000);

  it('garbage throws nothing but ModelError and gives no complete call whose JSON is not whole, no id twice', () => {
    const piece = fc.oneof(fc.constantFrom('{', '}', '{}', '"', '[', ']', '1', ' ', '{"a":1}', '\\', 'null', '{"a":"', '"}'), fc.string({ maxLength: 6 }));
    const garbage = fc.record<CallFragment>({
      index: fc.constantFrom(undefined, null, 0, 1, -1, 1.5, Number.NaN), id: fc.constantFrom(undefined, null, '', 'a', 'b', 'made_0'),
      name: fc.constantFrom(undefined, null, '', 'x', 'y', 'x'.repeat(200)), arguments: fc.option(piece, { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(garbage, { maxLength: 20 }), (fragments) => {
        let reply: ModelReply;
        try {
          reply = assemble(fragments);
        } catch (error) {
          expect(isModelError(error)).toBe(true);
          return;
        }
        for (const call of reply.calls) if (call.complete) expect([isWhole(call.argumentsText), call.tool]).toEqual([true, expect.stringMatching(/./)]);
        expect(new Set(reply.calls.map((call) => call.id)).size).toBe(reply.calls.length);
        expect(reply.calls.every((call) => call.id !== '')).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  }, 60_000);

  it('TC-05: two calls in one index, however mixed: a complete one has exactly its own arguments, never a melt', () => {
    const two = fc.tuple(fc.constantFrom('{"p":"a"}', '{"p":"b"}', '{"p":{"q":[1]}}'), fc.constantFrom('{"p":"c"}', '{"r":2}'), fc.array(share, { maxLength: 3 }), fc.array(share, { maxLength: 3 }), fc.boolean(), fc.array(fc.nat(1), { minLength: 1, maxLength: 12 }));
    fc.assert(
      fc.property(two, ([first, second, cutsA, cutsB, sameIndex, picks]) => {
        const lists = [cutAt(first, cutsA), cutAt(second, cutsB)].map((pieces, n) => pieces.map((piece, at): CallFragment => ({ index: sameIndex ? 0 : n, ...(at === 0 ? { id: `c${n}`, name: 't' } : {}), arguments: piece })));
        const reply = assemble(merge(lists, picks));
        for (const call of reply.calls) if (call.complete) expect(call.argumentsText.trim()).toBe(call.id === 'c0' ? first : second);
      }),
      { numRuns: 10_000 },
    );
  }, 60_000);
});
