import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeText, digestBytes, encodeText, ENCODINGS } from '../../../src/host/encoding.ts';
import { createReading, READ_LIMIT_BYTES, type OpenDocument } from '../../../src/host/reading.ts';

let base = '';
const at = (...parts: string[]) => path.join(base, ...parts);
const open = new Map<string, OpenDocument>();
const reading = () => createReading({
  folders: () => [base], home: '/nowhere', platform: 'linux', documents: { find: (real) => Promise.resolve(open.get(real)) },
});
const read = async (asked: string, operation: 'read' | 'write' = 'read') => reading().readText(await reading().locate(asked, operation));

beforeAll(async () => { base = await realpath(await mkdtemp(path.join(tmpdir(), 'sluice-reading-'))); });
afterAll(() => rm(base, { recursive: true, force: true }));

describe('what is on disk', () => {
  it.each(ENCODINGS)('reads %s without its mark', async (encoding) => {
    const bytes = encodeText('é\r\n\u{1f600}', encoding);
    await writeFile(at('f'), bytes);
    expect(await read('f')).toEqual({ text: 'é\r\n\u{1f600}', encoding, digest: digestBytes(bytes), bytes: bytes.length, source: 'disk' });
  });

  it('never blocks and never guesses', async () => {
    await mkdir(at('d'));
    await writeFile(at('bin'), Buffer.from([0x61, 0, 0x62]));
    await writeFile(at('latin1'), Buffer.from([0x63, 0xe9]));
    await writeFile(at('odd16'), Buffer.from([0xff, 0xfe, 0x61]));
    await writeFile(at('half16'), Buffer.from([0xff, 0xfe, 0x00, 0xd8]));
    await writeFile(at('utf32'), Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]));
    execFileSync('mkfifo', [at('pipe')]);
    await symlink('round', at('round'));
    await writeFile(at('big'), 'x');
    await truncate(at('big'), READ_LIMIT_BYTES + 1);
    const rows = [['d', 'directory'], ['none', 'missing'], ['bin', 'binary'], ['latin1', 'encoding'], ['odd16', 'encoding'], ['half16', 'encoding'],
      ['utf32', 'binary'], ['pipe', 'not_regular'], ['/dev/zero', 'not_regular'], ['round', 'unreadable'], ['bin/x', 'unreadable'], ['big', 'too_large']] as const;
    for (const [asked, problem] of rows) expect([asked, await read(asked)]).toEqual([asked, { problem, message: expect.stringContaining(asked) as string }]);
  });

  it('refuses a path that leads somewhere else by now', async () => {
    await mkdir(at('real'));
    await writeFile(at('real/x'), 'inside');
    const located = await reading().locate('real/x', 'read');
    await rename(at('real'), at('moved'));
    await symlink('moved', at('real'));
    expect(await reading().readText(located)).toMatchObject({ problem: 'unreadable', message: expect.stringContaining('somewhere else') as string });
  });
});

describe('what the editor has open', () => {
  const document: OpenDocument = { text: 'typed\n', encoding: 'utf8', dirty: true, notebook: false };

  it('wins while it has unsaved text, with the digest of the bytes it stands for', async () => {
    await writeFile(at('a'), 'disk\n');
    open.set(at('a'), { ...document, encoding: 'utf16le' });
    expect(await read('a')).toMatchObject({ text: 'typed\n', source: 'editor', encoding: 'utf16le', digest: digestBytes(encodeText('typed\n', 'utf16le')) });
    open.set(at('a'), { ...document, dirty: false });
    expect(await read('a')).toMatchObject({ text: 'disk\n', source: 'disk' });
  });

  it('is refused in an encoding that could not be kept', async () => {
    open.set(at('a'), { ...document, encoding: 'windows1252', dirty: false });
    expect(await read('a')).toMatchObject({ problem: 'encoding', message: expect.stringContaining('windows1252') as string });
  });

  it('is never changed as text while it is a notebook (ED-20)', async () => {
    await writeFile(at('nb.ipynb'), '{}');
    open.set(at('nb.ipynb'), { text: '', encoding: 'utf8', dirty: false, notebook: true });
    expect(await read('nb.ipynb')).toMatchObject({ text: '{}' });
    expect(await read('nb.ipynb', 'write')).toMatchObject({ problem: 'not_regular' });
    open.set(at('nb.ipynb'), { text: '', encoding: 'utf8', dirty: true, notebook: true });
    expect(await read('nb.ipynb')).toMatchObject({ problem: 'not_regular' });
  });
});

describe('encodings', () => {
  it('give back the very bytes they were read from', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]), (body, mark) => {
      const bytes = Buffer.from([...mark, ...body]);
      const decoded = decodeText(bytes);
      if (typeof decoded !== 'string') expect(encodeText(decoded.text, decoded.encoding)).toEqual(bytes);
      else expect(['binary', 'encoding']).toContain(decoded);
    }), { numRuns: 1_000 });
  });
});
