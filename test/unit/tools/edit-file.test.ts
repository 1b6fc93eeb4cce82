import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countLines } from '../../../src/core/approval/line-counts.ts';
import { isRefusal } from '../../../src/core/refusal.ts';
import { encodeText, ENCODINGS } from '../../../src/host/encoding.ts';
import { applyEdits } from '../../../src/tools/edit-file/replace.ts';
import { editFile } from '../../../src/tools/edit-file/edit-file.ts';
import { allow, createWorld, refusalOf, resolveWith } from '../../fakes/reading.ts';

const edit = (path: string, ...pairs: [string, string][]) => ({ path, edits: pairs.map(([old_text, new_text]) => ({ old_text, new_text })) });

async function bytesAfter(before: string | Uint8Array, ...pairs: [string, string][]): Promise<string> {
  const world = createWorld({ files: { 'f.txt': before } });
  await allow(editFile, edit('f.txt', ...pairs), world);
  return world.files.get('/w/f.txt')!.toString('latin1');
}

describe('line ends (ED-01)', () => {
  const rows: [name: string, before: string, old: string, next: string, after: string][] = [
    ['CRLF file, LF edit', 'a\r\nb\r\nc\r\n', 'b', 'b1\nb2', 'a\r\nb1\r\nb2\r\nc\r\n'],
    ['CRLF file, old text over lines', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'a\nx\nb\n', 'a\r\nx\r\nb\r\nc\r\n'],
    ['LF file, CRLF edit', 'a\nb\nc\n', 'b', 'b1\r\nb2', 'a\nb1\nb2\nc\n'],
    ['LF file, CRLF old text', 'a\nb\nc\n', 'a\r\nb', 'A\r\nb', 'A\nb\nc\n'],
    ['mixed file, CRLF line', 'a\r\nb\r\nc\nd\r\n', 'b', 'b1\nb2', 'a\r\nb1\r\nb2\r\nc\nd\r\n'],
    ['mixed file, LF line', 'a\r\nb\r\nc\nd\r\n', 'c', 'c1\nc2', 'a\r\nb\r\nc1\nc2\nd\r\n'],
    ['mixed file, kept lines inside the old text', 'a\r\nb\nc\r\nd\ne\r\n', 'a\nb\nc\nd\ne', 'A\nb\nc\nx\nd\nE', 'A\r\nb\nc\r\nx\nd\nE\r\n'],
    ['mixed file, last line without end', 'a\nb\r\nc', 'c', 'c\nd', 'a\nb\r\nc\r\nd'],
    ['a lone carriage return is an ordinary character', 'a\rb\nc\n', 'a\rb', 'a\rB', 'a\rB\nc\n'],
    ['no line end at all', 'one', 'one', 'one\ntwo', 'one\ntwo'],
  ];
  it.each(rows)('%s', async (_name, before, old, next, after) => {
    expect(await bytesAfter(before, [old, next])).toBe(after);
  });

  it('changes only the real lines in the preview, and the way back gives the original bytes', async () => {
    const world = createWorld({ files: { 'w.cs': 'a\r\nb\r\nc\r\n' } });
    const resolution = await resolveWith(editFile, edit('w.cs', ['b', 'b1\nb2']), world);
    if (isRefusal(resolution)) throw new Error(resolution.forModel);
    const [change] = resolution.changes;
    expect(countLines(change!)).toMatchObject({ added: 2, removed: 1 });
    await allow(editFile, edit('w.cs', ['b', 'b1\nb2']), world);
    await allow(editFile, edit('w.cs', ['b1\nb2', 'b']), world);
    expect(world.files.get('/w/w.cs')!.toString()).toBe('a\r\nb\r\nc\r\n');
  });
});

describe('encodings (ED-02)', () => {
  it.each(ENCODINGS)('%s: the first visible character matches and the mark stays one', async (encoding) => {
    const world = createWorld({ files: { 'p.aspx': encodeText('é\r\nz\r\n', encoding) } });
    await allow(editFile, edit('p.aspx', ['é', 'è\nü']), world);
    expect(world.files.get('/w/p.aspx')).toEqual(encodeText('è\r\nü\r\nz\r\n', encoding));
  });

  it('refuses to add a second mark', async () => {
    const world = createWorld({ files: { 'p.txt': encodeText('x', 'utf8bom') } });
    expect(await refusalOf(editFile, edit('p.txt', ['x', '\ufeffx']), world)).toContain('byte order mark');
  });
});

describe('ambiguity (ED-10)', () => {
  it('names the number and the lines of the hits, before anyone is asked', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
    lines[2] = lines[29] = 'if ready:';
    lines[3] = lines[30] = '    go()';
    const world = createWorld({ files: { 't.py': `${lines.join('\n')}\n` } });
    const text = await refusalOf(editFile, edit('t.py', ['if ready:\n    go()', 'x']), world);
    expect(text).toContain('not_applicable');
    expect(text).toContain('2 times');
    expect(text).toMatch(/lines 3 and 30\b/);
  });

  it('counts overlapping hits', async () => {
    const world = createWorld({ files: { 'a.txt': 'aaaa\n' } });
    expect(await refusalOf(editFile, edit('a.txt', ['aa', 'b']), world)).toContain('3 times');
  });

  it('refuses empty old text by the schema, naming the parameter', () => {
    const parsed = editFile.schema.safeParse(edit('a.txt', ['', 'x']));
    expect(parsed.error?.issues[0]?.path).toEqual(['edits', 0, 'old_text']);
  });
});

describe('hints for text that is not there', () => {
  const rows: [name: string, before: string, old: string, hint: RegExp][] = [
    ['blanks and tabs', 'a\n\tif (x)  {\n\t\ty\n', 'if (x) {\n  y', /Lines 2 to 3 differ only in blanks/],
    ['case', 'Hello World\n', 'hello world', /Line 1 differs only in upper and lower case/],
    ['line-number prefixes', 'a\nb\n', '1|a\n2|b', /line-number prefixes/],
    ['already done', 'new\n', 'old', /new_text is already there, at line 1/],
    ['a shared line', 'function one() {\n  return 1;\n}\n', 'function one() {\n  return 2;\n}', /Line 1 is the same as one of its lines/],
    ['nothing alike', 'abc\n', 'xyz', /No line of the file is like it/],
  ];
  it.each(rows)('%s', async (_name, before, old, hint) => {
    const world = createWorld({ files: { 'f.txt': before } });
    expect(await refusalOf(editFile, edit('f.txt', [old, 'new']), world)).toMatch(hint);
  });

  it('never quotes the file', async () => {
    const world = createWorld({ files: { 'f.txt': 'token = canary-7\n' } });
    expect(await refusalOf(editFile, edit('f.txt', ['token  =', 'x']), world)).not.toContain('canary');
  });

  it.each(['.env', '.aws/config', 'config/secrets.yml', 'id_ed25519', '/outside/x.txt'])('tells nothing about %s until the call was allowed', async (path) => {
    const world = createWorld({ files: { [path]: 'K=canary\n' } });
    const guesses = await Promise.all(['K=canary', 'K=wrong'].map((old) => resolveWith(editFile, edit(path, [old, 'x']), world)));
    expect(guesses.map(isRefusal)).toEqual([false, false]);
    const result = await allow(editFile, edit(path, ['K=wrong', 'x']), world);
    expect(result).toMatchObject({ status: 'failed', text: expect.stringContaining('not found') as string });
  });
});

describe('several edits', () => {
  it('applies them in order to the growing text', async () => {
    expect(await bytesAfter('a\nb\n', ['a', 'b2'], ['b2\nb', 'c'])).toBe('c\n');
  });

  it('names the edit that fails and changes nothing', async () => {
    const world = createWorld({ files: { 'f.txt': 'a\n' } });
    expect(await refusalOf(editFile, edit('f.txt', ['a', 'b'], ['a', 'c']), world)).toContain('edit 2 of 2');
    expect(world.files.get('/w/f.txt')!.toString()).toBe('a\n');
  });

  it('plans calls one after the other on what the earlier ones left (ED-13)', async () => {
    const world = createWorld({ files: { 'n.txt': Array.from({ length: 100 }, (_, index) => `${index + 1}.\n`).join('') } });
    await allow(editFile, edit('n.txt', ['\n50.', '\nFIFTY']), world);
    await allow(editFile, edit('n.txt', ['\n75.', '\nSEVENTYFIVE']), world);
    expect(await refusalOf(editFile, edit('n.txt', ['\n50.', '\nX']), world)).toContain('not found');
    const lines = world.files.get('/w/n.txt')!.toString().split('\n');
    expect([lines[49], lines[74], lines[99], lines.length]).toEqual(['FIFTY', 'SEVENTYFIVE', '100.', 101]);
  });

  it('rejects as stale when the file moved between the plan and the write (ED-13)', async () => {
    const world = createWorld({ files: { 'n.txt': '50\n75\n' } });
    const first = await resolveWith(editFile, edit('n.txt', ['50', 'FIFTY']), world);
    await allow(editFile, edit('n.txt', ['75', 'SEVENTYFIVE']), world);
    if (isRefusal(first)) throw new Error(first.forModel);
    await expect(editFile.run({}, first, world.effects)).rejects.toThrow('changed since it was shown');
    expect(world.files.get('/w/n.txt')!.toString()).toBe('50\nSEVENTYFIVE\n');
  });
});

describe('final newline (ED-16)', () => {
  const rows: [before: string, old: string, next: string, after: string][] = [
    ['a\nb', 'b', 'b\nc', 'a\nb\nc'],
    ['a\nb\n', 'b\n', 'c\n', 'a\nc\n'],
    ['a\nb\n', 'b\n', 'c', 'a\nc'],
    ['a\nb', 'a\nb', 'a\nb\n', 'a\nb\n'],
  ];
  it.each(rows)('%j: %j becomes %j', async (before, old, next, after) => {
    expect(await bytesAfter(before, [old, next])).toBe(after);
  });
});

describe('what cannot be edited', () => {
  it('a missing file, a directory, a binary file', async () => {
    const world = createWorld({ files: { 'd/x': 'x', bin: Buffer.from([1, 0, 2]) } });
    expect(await refusalOf(editFile, edit('none', ['a', 'b']), world)).toContain('not_found');
    expect(await refusalOf(editFile, edit('d', ['a', 'b']), world)).toContain('directory');
    expect(await refusalOf(editFile, edit('bin', ['a', 'b']), world)).toContain('binary');
  });

  it('an edit that changes nothing', async () => {
    const world = createWorld({ files: { 'f.txt': 'a\r\nb\r\n' } });
    expect(await refusalOf(editFile, edit('f.txt', ['a\nb', 'a\r\nb']), world)).toContain('nothing would change');
  });

  it('a notebook that would not be one any more (ED-20)', async () => {
    const world = createWorld({ files: { 'nb.ipynb': '{"cells": []}\n' } });
    expect(await refusalOf(editFile, edit('nb.ipynb', ['[]', '[']), world)).toContain('notebook');
    await allow(editFile, edit('nb.ipynb', ['[]', '[ ]']), world);
    expect(world.files.get('/w/nb.ipynb')!.toString()).toBe('{"cells": [ ]}\n');
  });
});

describe('unsaved editor text (ED-08)', () => {
  it('is the base, survives, and the result says that it is saved', async () => {
    const world = createWorld({ files: { 'a.ts': 'one\n' } });
    world.unsaved.set('/w/a.ts', 'one\ntwo\n');
    const result = await allow(editFile, edit('a.ts', ['one', 'ONE']), world);
    expect(world.files.get('/w/a.ts')!.toString()).toBe('ONE\ntwo\n');
    expect(result.text).toContain('unsaved text');
  });
});

describe('success is what the disk says', () => {
  it('tells when the file changed again right after the write', async () => {
    const world = createWorld({ files: { 'a.ts': 'one\n' } });
    const changing = { ...world.effects, applyChanges: async () => { world.files.set('/w/a.ts', Buffer.from('ONE;\n')); } };
    const resolution = await resolveWith(editFile, edit('a.ts', ['one', 'ONE']), world);
    if (isRefusal(resolution)) throw new Error(resolution.forModel);
    expect((await editFile.run({}, resolution, changing)).text).toContain('changed again');
  });
});

describe('property: bytes that an edit does not touch are identical', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', '\t', ' ', 'é', '\u00a0', '\f', '\ud83d\ude00', '\u2028', '\r'), maxLength: 6 });
  const file = fc.record({
    lines: fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { minLength: 1, maxLength: 30 }),
    last: line,
    encoding: fc.constantFrom(...ENCODINGS),
    at: fc.nat(),
    added: fc.array(fc.constantFrom('x', 'y', ''), { minLength: 1, maxLength: 4 }),
  });

  it('for every encoding, line end mix and final newline', async () => {
    await fc.assert(fc.asyncProperty(file, async ({ lines, last, encoding, at, added }) => {
      const index = at % lines.length;
      // A lone carriage return before a line end would be part of it.
      const before = lines.slice(0, index).map(([text, end]) => text.replaceAll('\r', '-') + end).join('');
      const end = lines[index]![1];
      const after = lines.slice(index + 1).map(([text, ending]) => text.replaceAll('\r', '-') + ending).join('') + last;
      const world = createWorld({ files: { 'f.txt': encodeText(`${before}MARK${end}${after}`, encoding) } });
      await allow(editFile, edit('f.txt', ['MARK', added.map((part) => `<${part}>`).join('\n')]), world);
      const written = `${before}${added.map((part) => `<${part}>`).join(end)}${end}${after}`;
      expect(world.files.get('/w/f.txt')!.equals(encodeText(written, encoding))).toBe(true);
    }), { numRuns: 300 });
  });

  it('for replacements that keep lines in the middle of a mixed file', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 3, maxLength: 20 }), fc.nat(), (ends, seed) => {
      const changed = seed % ends.length;
      const text = ends.map((end, index) => `line ${index}${end}`).join('');
      const old = ends.map((_, index) => `line ${index}\n`).join('');
      const next = old.replace(`line ${changed}\n`, `LINE\n`);
      expect(applyEdits(text, [{ old_text: old, new_text: next }])).toBe(text.replace(`line ${changed}${ends[changed]}`, `LINE${ends[changed]}`));
    }));
  });
});
