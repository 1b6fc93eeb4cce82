import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countLines, plusMinus } from '../../../../src/core/approval/line-counts.ts';
import { drawParagraph, drawVisible, drawVisiblePath } from '../../../../src/core/approval/visible.ts';

describe('drawVisible', () => {
  it.each([
    ['right-to-left override', 'a\u202Eb', 'a⟨U+202E⟩b'],
    ['isolates', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
    ['zero width space', 'a\u200Bb', 'a⟨U+200B⟩b'],
    ['no-break space', 'a\u00A0b', 'a⟨U+00A0⟩b'],
    ['ideographic space', 'a\u3000b', 'a⟨U+3000⟩b'],
    ['line separator', 'a\u2028b', 'a⟨U+2028⟩b'],
    ['tag character', 'a\u{E0061}b', 'a⟨U+E0061⟩b'],
    ['variation selector', 'a\uFE0Fb', 'a⟨U+FE0F⟩b'],
    ['Hangul filler', 'a\u3164b', 'a⟨U+3164⟩b'],
    ['blank Braille pattern', 'a\u2800b', 'a⟨U+2800⟩b'],
    ['escape', '\u001B[2K', '⟨U+001B⟩[2K'],
    ['carriage return', 'rm x\rls', 'rm x⟨U+000D⟩ls'],
    ['delete and C1', '\u007F\u009B', '⟨U+007F⟩⟨U+009B⟩'],
    ['lone surrogate', 'a\uD800', 'a⟨U+D800⟩'],
    ['private use', '\uE000', '⟨U+E000⟩'],
    ['a faked mark', '⟨U+202E⟩', '⟨U+27E8⟩U+202E⟨U+27E9⟩'],
    ['many of one', '\u200B'.repeat(5000), '⟨U+200B ×5000⟩'],
    ['newlines', `a${'\n'.repeat(3)}b`, 'a\n⟨3 newlines⟩\nb'],
    ['newlines with blanks and returns between', `a${'\r\n  '.repeat(9)}\nb`, 'a⟨U+000D⟩\n⟨10 newlines⟩\nb'],
    ['blanks inside a line', `a${' '.repeat(17)}b`, 'a ⟨17 spaces⟩ b'],
    ['tabs', `a${'\t'.repeat(9)}b`, 'a ⟨9 tabs⟩ b'],
  ])('marks %s', (_, text, drawn) => {
    expect(drawVisible(text)).toEqual({ text: drawn, hidden: true });
  });

  it.each(['npm test', 'a\nb\n\nc', 'if x\n    y\n\tz', 'größe 日本語 ملف', `x\n${' '.repeat(40)}y`, 'e\u0301'])('leaves %j alone', (text) => {
    expect(drawVisible(text)).toEqual({ text, hidden: false });
  });

  it('draws nothing that would have to be drawn again, and says so exactly when it drew', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const drawn = drawVisible(text);
      expect(drawn.text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{DI}]/u);
      expect(drawn.hidden).toBe(drawn.text !== text);
    }));
  });

  it('is quick on long input', () => {
    const started = performance.now();
    drawVisible(`${' '.repeat(200_000)}${'\n '.repeat(100_000)}${'\u200B\u200C'.repeat(50_000)}`);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('drawVisiblePath', () => {
  it.each([['a b', 'a b', false], [' a', '⟨space⟩a', true], ['a  ', 'a⟨2 spaces⟩', true], ['a\nb', 'a⟨U+000A⟩b', true], ['   ', '⟨3 spaces⟩', true], ['', '', false]])(
    '%j', (path, text, hidden) => { expect(drawVisiblePath(path)).toEqual({ text, hidden }); },
  );
});

describe('drawParagraph', () => {
  it('never ends inside a mark', () => {
    expect(drawParagraph(`abc${'\u202E\u202D'.repeat(20)}`, 14)).toBe('abc⟨U+202E⟩…');
  });
});

describe('countLines', () => {
  it.each([
    ['', 'a\nb\n', '+2'], ['a\n', '', '-1'], ['a\nb\n', 'a\nB\n', '+1 -1'], ['a', 'a\n', '+1 -1'], ['a\r\n', 'a\n', '+1 -1'], ['a', 'a', 'no line changes'],
  ])('%j to %j is %s', (before, after, text) => {
    expect(plusMinus(countLines({ before, after }))).toBe(text);
  });

  it('is bounded: a rewrite of a large file counts whole', () => {
    const text = (word: string): string => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join('');
    const started = performance.now();
    expect(countLines({ before: text('a'), after: text('b') })).toEqual({ added: 20_000, removed: 20_000, of: 20_000 });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
