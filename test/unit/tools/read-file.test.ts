import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeText, ENCODINGS } from '../../../src/host/encoding.ts';
import { editFile } from '../../../src/tools/edit-file/edit-file.ts';
import { byteLength, RESULT_LIMIT_BYTES } from '../../../src/tools/limit.ts';
import { readFile } from '../../../src/tools/read-file/read-file.ts';
import { allow, createWorld } from '../../fakes/reading.ts';

const read = async (content: string | Uint8Array, range: { start_line?: number; end_line?: number } = {}) =>
  allow(readFile, { path: 'f.txt', ...range }, createWorld({ files: { 'f.txt': content } }));

describe('read_file', () => {
  it('shows a header and exact lines behind number and bar', async () => {
    expect((await read('a\n\tb | c\r\n')).text).toBe('[f.txt: all 2 lines]\n1|a\n2|\tb | c');
  });

  it.each([
    ['a\nb', {}, '[f.txt: all 2 lines; no newline at the end]'],
    ['', {}, '[f.txt: empty file]'],
    ['\n', {}, '[f.txt: all 1 line]'],
    ['a\nb\nc\n', { start_line: 2, end_line: 2 }, '[f.txt: lines 2-2 of 3; more follows from line 3]'],
    ['a\nb\nc\n', { start_line: 2, end_line: 99 }, '[f.txt: lines 2-3 of 3]'],
    ['a\u001b[1m\u0007\n', {}, '[f.txt: all 1 line; control characters drawn as pictures]'],
  ])('%j %j has the header %s', async (content, range, header) => {
    expect((await read(content, range)).text.split('\n')[0]).toBe(header);
  });

  it('names the version when the editor has unsaved text', async () => {
    const world = createWorld({ files: { 'f.txt': 'disk\n' } });
    world.unsaved.set('/w/f.txt', 'typed\n');
    expect((await allow(readFile, { path: 'f.txt' }, world)).text).toBe('[f.txt: all 1 line; unsaved editor text]\n1|typed');
  });

  it.each([[{ start_line: 4 }, 'has 3 lines'], [{ start_line: 3, end_line: 2 }, 'lies before']])('refuses the range %j', async (range, text) => {
    expect(await read('a\nb\nc\n', range)).toMatchObject({ status: 'failed', text: expect.stringContaining(text) as string });
  });

  it.each([['d', 'directory'], ['none', 'missing']])('explains %s', async (path, summary) => {
    const world = createWorld({ files: { 'd/x': 'x' } });
    expect(await allow(readFile, { path }, world)).toMatchObject({ status: 'failed', summary });
  });

  it('hides the byte order mark (ED-02)', async () => {
    for (const encoding of ENCODINGS) expect((await read(encodeText('é\r\n', encoding))).text).toBe('[f.txt: all 1 line]\n1|é');
  });

  it('carries no control character but tab and newline (CM-07)', async () => {
    const all = String.fromCharCode(...Array.from({ length: 0xa0 }, (_, code) => code).filter((code) => code !== 0));
    expect((await read(`${all}\n`)).text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it('stays within the limit, in whole lines, and says how to go on', async () => {
    const { text } = await read(Array.from({ length: 20_000 }, (_, index) => `line ${index} é`).join('\n'));
    expect(byteLength(text)).toBeLessThanOrEqual(RESULT_LIMIT_BYTES);
    const [, last] = /lines 1-(\d+) of 20000; cut at the size limit, go on with start_line \d+/.exec(text) ?? [];
    expect(text.endsWith(`\n${last}|line ${Number(last) - 1} é`)).toBe(true);
    expect(text).toContain(`start_line ${Number(last) + 1}]`);
  });

  it('names what it leaves out of a very long line', async () => {
    const { text } = await read(`${'\ud83d\ude00'.repeat(30_000)}\nb\n`);
    expect(text).toContain('[line 1 is cut: 10000 of 60000 characters shown]\n2|b');
    expect(text.isWellFormed()).toBe(true);
    const odd = await read(`x${'\ud83d\ude00'.repeat(30_000)}`);
    expect(odd.text).toContain('[line 1 is cut: 9999 of 60001 characters shown]');
    expect(odd.text.isWellFormed()).toBe(true);
  });
});

describe('property: what is read, without its prefix, is found by edit_file (ED-12)', () => {
  const line = fc.string({ unit: fc.constantFrom('a', '\t', ' ', '\u00a0', '\f', '|', '1', 'é', '\u001b', '\ud83d\ude00', '\u2028'), maxLength: 8 });
  const file = fc.record({ lines: fc.array(line, { minLength: 1, maxLength: 12 }), end: fc.constantFrom('\n', '\r\n'), final: fc.boolean(), at: fc.nat(), encoding: fc.constantFrom(...ENCODINGS) });

  it('holds for tabs, blanks, form feeds, CRLF and every encoding', async () => {
    await fc.assert(fc.asyncProperty(file, async ({ lines, end, final, at, encoding }) => {
      const target = at % lines.length;
      const marked = lines.map((text, index) => index === target ? `${text}#target#` : text);
      const stored = marked.join(end) + (final ? end : '');
      const world = createWorld({ files: { 'f.txt': encodeText(stored, encoding) } });
      const shown = (await allow(readFile, { path: 'f.txt' }, world)).text.split('\n').slice(1).map((text) => text.replace(/^\d+\|/, ''));
      const cut = shown[target]!;
      await allow(editFile, { path: 'f.txt', edits: [{ old_text: cut, new_text: `${cut}!` }] }, world);
      const wanted = marked.with(target, `${marked[target]!}!`).join(end) + (final ? end : '');
      expect(world.files.get('/w/f.txt')!.equals(encodeText(wanted, encoding))).toBe(true);
    }), { numRuns: 300 });
  });
});
