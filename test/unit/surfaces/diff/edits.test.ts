import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editedText } from '../../../../src/surfaces/diff/edits.ts';

/** What the editor makes of mixed line ends: one kind everywhere. */
const normalised = (text: string, end: string): string => text.replace(/\r\n|\r|\n/g, end);

describe('editedText', () => {
  it('is undefined for an untouched proposal, whatever the editor does to its line ends', () => {
    expect(editedText('a\nb\n', 'a\nb\n')).toBeUndefined();
    expect(editedText('a\r\nb\n', 'a\r\nb\r\n')).toBeUndefined();
    expect(editedText('a\rb', 'a\nb')).toBeUndefined();
    expect(editedText('a\uD800', 'a\uFFFD')).toBeUndefined();
  });

  it('is the editor text when the ends are of one kind, also when the person changed the kind', () => {
    expect(editedText('x=2\n', 'x=3\n')).toBe('x=3\n');
    expect(editedText('a\nb\n', 'a\r\nb\r\n')).toBe('a\r\nb\r\n');
    expect(editedText('', 'new')).toBe('new');
  });

  it('keeps the ends of lines nobody touched in a file with mixed ends (invariant 5)', () => {
    expect(editedText('a\r\nb\nc\r\nd\n', 'a\r\nB\r\nc\r\nd\r\n')).toBe('a\r\nB\r\nc\r\nd\n');
    expect(editedText('a\r\nb\nc\n', 'a\nc\n')).toBe('a\r\nc\n');
    expect(editedText('a\r\nb\n', 'a\nb\nlast')).toBe('a\r\nb\nlast');
    expect(editedText('a\nb\r\nlast', 'a\nb\nlast\n')).toBe('a\nb\r\nlast\n');
  });

  it('has exactly the lines the editor shows', () => {
    const text = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', ''), fc.constantFrom('\n', '\r\n')), { maxLength: 12 }).map((lines) => lines.flat().join(''));
    fc.assert(fc.property(text, text, fc.constantFrom('\n', '\r\n'), (proposal, wanted, end) => {
      const inEditor = normalised(wanted, end);
      const result = editedText(proposal, inEditor) ?? proposal;
      expect(result.split(/\r\n|\n/)).toEqual(inEditor.split(/\r\n|\n/));
    }));
  });
});
