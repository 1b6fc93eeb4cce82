import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimalEdits } from '../../../src/host/minimal-edits.ts';

function applied(before: string, after: string): string {
  return minimalEdits(before, after).reduceRight((text, { start, end, text: replacement }) => text.slice(0, start) + replacement + text.slice(end), before);
}

describe('minimalEdits', () => {
  it('touches only what differs', () => {
    expect(minimalEdits('one\ntwo\nthree\n', 'ONE\ntwo\nthree!\n')).toEqual([{ start: 0, end: 3, text: 'ONE' }, { start: 13, end: 13, text: '!' }]);
    expect(minimalEdits('same', 'same')).toEqual([]);
    expect(minimalEdits('', 'x')).toEqual([{ start: 0, end: 0, text: 'x' }]);
  });

  it('never parts a CRLF or a surrogate pair', () => {
    expect(minimalEdits('a\r\n', 'a\n')).toEqual([{ start: 1, end: 3, text: '\n' }]);
    expect(minimalEdits('\ud83d\ude00', '\ud83d\ude01')).toEqual([{ start: 0, end: 2, text: '\ud83d\ude01' }]);
  });

  it('gives the wanted text, in order and without overlap', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', '\ud83d\ude00', '\ud83d\ude01', ''), { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(fc.property(text, text, (before, after) => {
      expect(applied(before, after)).toBe(after);
      const edits = minimalEdits(before, after);
      for (const [index, edit] of edits.entries()) expect(edit.start).toBeGreaterThanOrEqual(edits[index - 1]?.end ?? 0);
    }), { numRuns: 500 });
  });
});
