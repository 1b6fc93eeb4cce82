import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TextQuery } from '../../../src/core/ports.ts';
import { createSearch } from '../../../src/sandbox/search.ts';
import type { SearchScope } from '../../../src/sandbox/search.ts';
import { throwAway } from './workshop.ts';

const missing = spawnSync('which', ['rg']).status === 0 ? undefined : 'ripgrep is not installed';
if (missing !== undefined) console.warn(`SKIPPED: search (${missing})`);

describe.skipIf(missing)(`searching${missing === undefined ? '' : ` (${missing})`}`, () => {
  const folder = throwAway();
  const outside = throwAway();
  const files: Readonly<Record<string, string | Buffer>> = {
    'src/a.ts': 'const needle = 1;\n// Needle\r\n', 'src/deep/b.ts': 'x\nneedle(\n', 'src/[odd] name.ts': 'needle\n', '-e.ts': 'needle dash\n', '.hidden/c.ts': 'needle hidden\n',
    'ignored/d.ts': 'needle ignored\n', 'secret.ts': 'needle ignored file\n', '.git/config.ts': 'needle git\n', 'latin.txt': Buffer.from([0x6e, 0xe9, 0x65, 0x64, 0x6c, 0x65, 0x0a]),
    'binary.bin': Buffer.from('needle\0\0binary\n'), '.gitignore': 'ignored/\nsecret.ts\n', 'long.txt': `needle${'x'.repeat(5000)}\n`,
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  writeFileSync(join(outside, 'out.ts'), 'needle outside\n');
  symlinkSync(outside, join(folder, 'linked'));
  const search = createSearch({ candidates: ['/no/such/rg', 'rg'], env: process.env });
  const scope = (more: Partial<SearchScope> = {}): SearchScope => ({ folder, root: folder, limit: 100, signal: new AbortController().signal, ...more });
  const query = (pattern: string, more: Partial<TextQuery> = {}): TextQuery => ({ pattern, regex: false, caseSensitive: true, include: undefined, ...more });

  it('lists files by glob: hidden ones too, ignored ones, .git and links not', async () => {
    expect(await search.findFiles('*.ts', scope())).toEqual({ items: ['-e.ts', '.hidden/c.ts', 'src/[odd] name.ts', 'src/a.ts', 'src/deep/b.ts'], truncated: false });
    expect((await search.findFiles('src/*.ts', scope())).items).toEqual(['src/[odd] name.ts', 'src/a.ts']);
    expect((await search.findFiles('**/*.ts', scope({ root: join(folder, 'src') }))).items).toEqual(['src/[odd] name.ts', 'src/a.ts', 'src/deep/b.ts']);
    expect(await search.findFiles('*.ts', scope({ limit: 2 }))).toEqual({ items: ['-e.ts', '.hidden/c.ts'], truncated: true });
    expect(await search.findFiles('*.ts', scope({ limit: 5 }))).toMatchObject({ truncated: false });
  });

  it('finds text, as it is or as an expression', async () => {
    expect((await search.searchText(query('needle('), scope())).items).toEqual([{ path: 'src/deep/b.ts', line: 2, text: 'needle(' }]);
    expect((await search.searchText(query('needle', { caseSensitive: false, include: 'src/a.ts' }), scope())).items.map((hit) => [hit.line, hit.text])).toEqual([[1, 'const needle = 1;'], [2, '// Needle']]);
    expect((await search.searchText(query('^const \\w+', { regex: true }), scope())).items).toHaveLength(1);
    expect((await search.searchText(query('needle'), scope({ root: join(folder, 'src/deep/b.ts') }))).items).toEqual([{ path: 'src/deep/b.ts', line: 2, text: 'needle(' }]);
    expect((await search.searchText(query('edle', { include: '*.txt' }), scope())).items.map((hit) => hit.text.length)).toEqual([6, 503]);
  });

  it('does not let an include or a pattern reach what is ignored, or be read as an option', async () => {
    expect((await search.searchText(query('needle', { include: 'secret.ts' }), scope())).items).toEqual([]);
    const paths = (await search.searchText(query('needle'), scope())).items.map((hit) => hit.path);
    expect(paths).not.toContain('.git/config.ts');
    expect(paths.filter((path) => /ignored|secret|linked/.test(path))).toEqual([]);
    for (const pattern of ['--files', '-e', '--pre=id', '-']) expect((await search.searchText(query(pattern), scope())).items).toEqual([]);
    await expect(search.findFiles('!*.ts', scope())).rejects.toThrow(/glob/);
    await expect(search.findFiles('*', scope({ root: outside }))).rejects.toThrow(/outside/);
  });

  it('asks for each path, and counts only what may be shown', async () => {
    const accept = (path: string): boolean => path !== '-e.ts';
    expect(await search.findFiles('*.ts', scope({ accept, limit: 1 }))).toEqual({ items: ['.hidden/c.ts'], truncated: true });
    expect((await search.searchText(query('dash'), scope({ accept }))).items).toEqual([]);
  });

  it('says what is wrong: the expression, no ripgrep, stopped', async () => {
    await expect(search.searchText(query('(', { regex: true }), scope())).rejects.toThrow(/search failed.*\(/s);
    await expect(createSearch({ candidates: ['/no/rg'], env: {} }).findFiles('*', scope())).rejects.toThrow(/ripgrep/);
    await expect(search.findFiles('*', scope({ signal: AbortSignal.abort(new Error('stopped')) }))).rejects.toThrow('stopped');
  });
});
