import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, MASK } from '../../../../src/core/audit/redact.ts';

const KEY = ['sk', 'test', 'A1b2/C3+d4=?'].join('-');
const redact = (...secrets: string[]): ((text: string) => string) => createRedactor(() => secrets);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the forms of one secret', () => {
  it.each<[string, string]>([
    ['as it is', KEY],
    ['URL-encoded', encodeURIComponent(KEY)],
    ['base64', base64(KEY).replace(/=+$/, '')],
    ['base64 for URLs', Buffer.from(KEY).toString('base64url')],
  ])('%s', (_, form) => {
    expect(redact(KEY)(`a ${form} b ${form}`)).toBe(`a ${MASK} b ${MASK}`);
  });

  it('with quotes and line breaks, in JSON', () => {
    const lines = ['-----BEGIN', '"x"\\y', 'END-----'].join('\n');
    const text = redact(lines)(JSON.stringify({ key: lines }));
    expect(text).toBe(`{"key":"${MASK}"}`);
  });

  it.each([0, 1, 2, 3, 4, 5])('in base64 behind %i other bytes, as basic authentication has it', (offset) => {
    const text = redact(KEY)(base64(`${'u'.repeat(offset)}${KEY}:more`));
    expect(text).toContain(MASK);
    const left = text.split(MASK).map((part) => Buffer.from(part, 'base64').toString('latin1')).join(' ');
    expect(left).not.toContain(KEY.slice(0, 4));
    expect(left).not.toContain(KEY.slice(-4));
  });

  it('with half a surrogate pair in it', () => {
    const odd = `${KEY}\ud83d`;
    expect(redact(odd)(`x ${odd} y`)).toBe(`x ${MASK} y`);
  });
});

describe('several secrets', () => {
  it('one inside another leaves nothing of either, whatever their order', () => {
    const outer = `${KEY}-and-more`;
    for (const secrets of [[KEY, outer], [outer, KEY]]) expect(redact(...secrets)(`<${outer}>`)).toBe(`<${MASK}>`);
  });

  it('two that overlap leave nothing of either', () => {
    const [first, second] = ['alpha-bravo-', 'bravo-charlie'];
    for (const secrets of [[first, second], [second, first]]) expect(redact(...secrets)('<alpha-bravo-charlie>')).toBe(`<${MASK}>`);
  });

  it('one that overlaps itself leaves nothing', () => {
    expect(redact('ababab')('<abababab>')).toBe(`<${MASK}>`);
  });

  it('one that looks like the mask does not mask the mask', () => {
    expect(redact('secret', KEY)(`${KEY} secret`)).toBe(`${MASK} [secret]`);
  });

  it('leaves no value in any text', () => {
    const secret = fc.string({ minLength: 6, maxLength: 12, unit: fc.constantFrom('a', 'b', '1', '/', '"') });
    fc.assert(fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '1', '/', '"', ' ') }), { maxLength: 5 }), (secrets, words) => {
      const text = redact(...secrets)([...words, ...secrets, ...words].join(''));
      const left = text.split(MASK);
      return secrets.every((value) => left.every((part) => !part.includes(value)));
    }), { numRuns: 500 });
  });
});

describe('what stays', () => {
  it.each(['', 'abc', 'token', '12345'])('a value as short as %j hides nothing', (value) => {
    const text = `abc token 12345 ${value}`;
    expect(redact(value)(text)).toBe(text);
  });

  it('a text without a secret is the same, also with a pattern\'s signs in the secret', () => {
    fc.assert(fc.property(fc.string(), (text) => redact('$&(.*)[x]\\1')(text) === text));
    expect(redact('$&(.*)[x]')('a $&(.*)[x] b')).toBe(`a ${MASK} b`);
  });

  it('asks for the secrets at each text, so that a new key counts at once', () => {
    const known: string[] = [];
    const later = createRedactor(() => known);
    expect(later(KEY)).toBe(KEY);
    known.push(KEY);
    expect(later(KEY)).toBe(MASK);
  });
});
