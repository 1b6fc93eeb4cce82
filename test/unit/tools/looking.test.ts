import { describe, expect, it } from 'vitest';
import { findFiles } from '../../../src/tools/find-files/find-files.ts';
import { listDirectory } from '../../../src/tools/list-directory/list-directory.ts';
import { readDiagnostics } from '../../../src/tools/read-diagnostics/read-diagnostics.ts';
import { searchText } from '../../../src/tools/search-text/search-text.ts';
import { byteLength } from '../../../src/tools/limit.ts';
import { isRefusal } from '../../../src/core/refusal.ts';
import { allow, createWorld, refusalOf, resolveWith } from '../../fakes/reading.ts';

describe('list_directory', () => {
  it('names kinds and sizes and says when the list is cut', async () => {
    const world = createWorld({
      overrides: {
        listDirectory: (_path, limit) => Promise.resolve({
          truncated: limit === 4,
          items: [
            { name: 'src', kind: 'directory', bytes: undefined }, { name: 'a\nb', kind: 'file', bytes: 1 },
            { name: 'l', kind: 'link', bytes: undefined }, { name: 'p', kind: 'other', bytes: undefined },
          ],
        }),
      },
    });
    expect((await allow(listDirectory, {}, world)).text).toBe('[.: 4 entries]\nsrc/\na\u240ab (1 byte)\nl (link)\np (not a regular file)');
    expect((await allow(listDirectory, { limit: 4 }, world)).text).toContain('first 4 entries, there are more');
  });

  it('passes on why it cannot list', async () => {
    const world = createWorld({ overrides: { listDirectory: () => Promise.resolve({ problem: 'missing', message: 'x does not exist.' }) } });
    expect(await allow(listDirectory, { path: 'x' }, world)).toEqual({ status: 'failed', text: 'x does not exist.', summary: 'missing' });
  });
});

describe('find_files and search_text', () => {
  it('label a cut list as cut and a whole one as whole', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `src/${index}.ts`);
    const cut = createWorld({ files: { 'src/x': '' }, overrides: { findFiles: () => Promise.resolve({ items: many, truncated: true }) } });
    const whole = createWorld({ files: { 'src/x': '' }, overrides: { findFiles: () => Promise.resolve({ items: ['src/1.ts'], truncated: false }) } });
    expect((await allow(findFiles, { pattern: '*.ts', path: 'src' }, cut)).text.split('\n')[0])
      .toBe('[*.ts in src: first 200 files, there are more. Narrow the pattern or the path.]');
    expect((await allow(findFiles, { pattern: '*.ts', path: 'src' }, whole)).text).toBe('[*.ts in src: 1 file]\nsrc/1.ts');
  });

  it('say that nothing was found', async () => {
    expect((await allow(searchText, { pattern: 'x' }, createWorld())).text).toBe('[x in .: 0 matches]');
  });

  it('bound a list by bytes as well, and say so', async () => {
    const items = Array.from({ length: 200 }, (_, index) => ({ path: `${'d/'.repeat(200)}${index}`, line: 1, text: 'x'.repeat(5_000) }));
    const world = createWorld({ overrides: { searchText: () => Promise.resolve({ items, truncated: false }) } });
    const { text } = await allow(searchText, { pattern: 'x' }, world);
    expect(byteLength(text)).toBeLessThan(33_000);
    expect(text).toMatch(/first \d+ matches, there are more/);
    expect(text).toContain('x [cut]');
  });

  it('send the query as it was asked, with its defaults', async () => {
    const seen: unknown[] = [];
    const world = createWorld({ overrides: { searchText: (_root, query) => { seen.push(query); return Promise.resolve({ items: [], truncated: false }); } } });
    await allow(searchText, { pattern: 'a.b' }, world);
    await allow(searchText, { pattern: 'a.b', regex: true, case_sensitive: false, include: '*.ts' }, world);
    expect(seen).toEqual([
      { pattern: 'a.b', regex: false, caseSensitive: true, include: undefined },
      { pattern: 'a.b', regex: true, caseSensitive: false, include: '*.ts' },
    ]);
  });

  it('refuse a root that does not exist, and leave one outside to the guards', async () => {
    expect(await refusalOf(findFiles, { pattern: '*', path: 'none' }, createWorld())).toContain('not_found');
    expect(isRefusal(await resolveWith(searchText, { pattern: 'x', path: '/none' }, createWorld()))).toBe(false);
  });
});

describe('read_diagnostics', () => {
  it('shows place, severity and source', async () => {
    const world = createWorld({
      files: { 'a.ts': '' },
      overrides: {
        readProblems: () => Promise.resolve({ truncated: false, items: [{ path: 'a.ts', line: 3, column: 7, severity: 'error', message: 'first\nsecond', source: 'ts' }] }),
      },
    });
    expect((await allow(readDiagnostics, { path: 'a.ts' }, world)).text).toBe('[problems in a.ts: 1 problem]\na.ts:3:7: error: first\u240asecond (ts)');
    expect((await allow(readDiagnostics, {}, world)).text).toContain('problems in the workspace');
  });
});
