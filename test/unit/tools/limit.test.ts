import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteLength, cutToBytes, drawControls, limitText, undrawControls } from '../../../src/tools/limit.ts';

const anyText = fc.string({ unit: fc.oneof(fc.constantFrom('\ud83d\ude00', 'é', '\u20ac', '\n', '\u001b', '\ud800', '\udc00'), fc.string({ minLength: 1, maxLength: 1 })), maxLength: 60 });

describe('the shared limiter', () => {
  it('counts as UTF-8 does', () => {
    fc.assert(fc.property(anyText, (text) => { expect(byteLength(text)).toBe(Buffer.byteLength(text)); }));
  });

  it('cuts to the longest whole-character start that fits', () => {
    fc.assert(fc.property(anyText, fc.nat(80), (text, limit) => {
      const cut = cutToBytes(text, limit);
      expect(text.startsWith(cut)).toBe(true);
      expect(byteLength(cut)).toBeLessThanOrEqual(limit);
      if (text.isWellFormed()) expect(cut.isWellFormed()).toBe(true);
      const next = [...text.slice(cut.length)][0];
      if (next !== undefined) expect(byteLength(cut + next)).toBeGreaterThan(limit);
    }));
  });

  it('counts the notice in', () => {
    expect(limitText('abc', 'more', 3)).toBe('abc');
    expect(limitText('a'.repeat(50), 'more', 20)).toBe(`${'a'.repeat(13)}\n[more]`);
  });

  it('draws control characters so that the drawing can be read back', () => {
    const controls = String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code), 0x7f);
    expect(drawControls(controls)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
    expect(undrawControls(drawControls(controls))).toBe(controls);
  });
});
