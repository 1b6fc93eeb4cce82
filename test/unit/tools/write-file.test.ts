import { describe, expect, it } from 'vitest';
import { countLines } from '../../../src/core/approval/line-counts.ts';
import { isRefusal } from '../../../src/core/refusal.ts';
import { encodeText, ENCODINGS } from '../../../src/host/encoding.ts';
import { writeFile } from '../../../src/tools/write-file/write-file.ts';
import { allow, createWorld, refusalOf, resolveWith } from '../../fakes/reading.ts';

describe('write_file', () => {
  it('creates a file with exactly the content', async () => {
    const world = createWorld();
    const result = await allow(writeFile, { path: 'new/a.txt', content: 'a\r\nb' }, world);
    expect(world.files.get('/w/new/a.txt')!.toString()).toBe('a\r\nb');
    expect(result).toMatchObject({ status: 'succeeded', text: 'Created new/a.txt (lines +2).' });
  });

  it('creates an empty file', async () => {
    const world = createWorld();
    await allow(writeFile, { path: 'empty', content: '' }, world);
    expect(world.files.get('/w/empty')!.length).toBe(0);
  });

  const rows: [name: string, before: string, content: string, after: string][] = [
    ['LF content over a CRLF file takes CRLF (ED-01)', 'a\r\nb\r\n', 'a\nx\n', 'a\r\nx\r\n'],
    ['content that has CRLF itself is literal over a CRLF file', 'a\r\nb\r\n', 'a\r\nx\n', 'a\r\nx\n'],
    ['CRLF content stays over an LF file', 'a\nb\n', 'a\r\nx\r\n', 'a\r\nx\r\n'],
    ['LF content over a mixed file stays LF', 'a\r\nb\n', 'a\nx\n', 'a\nx\n'],
    ['no final newline is literal (ED-16)', 'a\nb\n', 'a\nb', 'a\nb'],
  ];
  it.each(rows)('%s', async (_name, before, content, after) => {
    const world = createWorld({ files: { f: before } });
    await allow(writeFile, { path: 'f', content }, world);
    expect(world.files.get('/w/f')!.toString()).toBe(after);
  });

  it.each(ENCODINGS)('keeps %s and its mark, also when the content brings one (ED-02)', async (encoding) => {
    for (const mark of ['', '\ufeff']) {
      const world = createWorld({ files: { f: encodeText('é\r\n', encoding) } });
      await allow(writeFile, { path: 'f', content: `${mark}ü\n` }, world);
      expect(world.files.get('/w/f')).toEqual(encodeText('ü\r\n', encoding));
    }
  });

  it('makes the mark of a new file exactly one', async () => {
    const world = createWorld();
    await allow(writeFile, { path: 'f', content: '\ufeffx' }, world);
    expect(world.files.get('/w/f')).toEqual(encodeText('x', 'utf8bom'));
  });

  it('takes the line end of a document with unsaved text, which can hold only one', async () => {
    const world = createWorld({ files: { f: 'a\n' } });
    world.unsaved.set('/w/f', 'a\nb\n');
    await allow(writeFile, { path: 'f', content: 'x\r\ny\r\n' }, world);
    expect(world.files.get('/w/f')!.toString()).toBe('x\ny\n');
  });

  it('gives the card what it needs to say what is lost (ED-19)', async () => {
    const lines = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');
    const world = createWorld({ files: { 'keep.md': lines(400, 'old') } });
    const resolution = await resolveWith(writeFile, { path: 'keep.md', content: lines(20, 'new') }, world);
    if (isRefusal(resolution)) throw new Error(resolution.forModel);
    expect(resolution.subject).toEqual({ verb: 'Replace a file', target: 'keep.md', form: 'path' });
    expect(countLines(resolution.changes[0]!)).toEqual({ added: 20, removed: 400, of: 400 });
  });

  it('refuses what it cannot do before anyone is asked', async () => {
    const world = createWorld({ files: { 'd/x': 'x', bin: Buffer.from([0, 1]), old: Buffer.from([0x63, 0xe9]), same: 'a\n', 'nb.ipynb': '{"cells":[]}' } });
    expect(await refusalOf(writeFile, { path: 'd', content: 'x' }, world)).toContain('directory');
    expect(await refusalOf(writeFile, { path: 'new/', content: 'x' }, world)).toContain('names a directory');
    expect(await refusalOf(writeFile, { path: 'bin', content: 'x' }, world)).toContain('binary');
    expect(await refusalOf(writeFile, { path: 'old', content: 'x' }, world)).toContain('encoding');
    expect(await refusalOf(writeFile, { path: 'same', content: 'a\n' }, world)).toContain('nothing would change');
    expect(await refusalOf(writeFile, { path: 'nb.ipynb', content: '{}' }, world)).toContain('notebook');
  });
});
