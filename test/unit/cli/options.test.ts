import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/cli/lines.ts';
import { readDecideOptions, UsageError } from '../../../src/cli/options.ts';

const held = { folder: '' };
beforeAll(() => { held.folder = mkdtempSync(join(tmpdir(), 'sluice-options-')); });
afterAll(() => { rmSync(held.folder, { recursive: true, force: true }); });
function file(name: string, text: string): string {
  const path = join(held.folder, name);
  writeFileSync(path, text);
  return path;
}
const read = (...argv: readonly string[]) => readDecideOptions(argv, 'linux');

describe('the options of decide', () => {
  it('have defaults that look at this machine', () => {
    expect(read()).toMatchObject({ platform: 'linux', sandbox: 'available', trusted: true, settings: {}, links: undefined, hosts: {} });
  });

  it('make the file system up as soon as something is not there', () => {
    expect(read('--workspace', held.folder).links).toBeUndefined();
    expect(read('--workspace', '/no/such/folder').links).toEqual({});
    expect(read('--workspace', held.folder, '--platform', 'win32').links).toEqual({});
    expect(read('--workspace', held.folder, '--links', file('links.json', '{"/a": "/b"}')).links).toEqual({ '/a': '/b' });
  });

  it('take several folders, and spell them without an end', () => {
    expect(read('--workspace', '/w/a/', '--workspace', '/w/b').workspaces).toEqual(['/w/a', '/w/b']);
    expect(read('--workspace', 'C:\\w\\a\\', '--platform', 'win32').workspaces).toEqual(['C:/w/a']);
  });

  it('read a settings.json, comments and foreign keys included, or our keys alone', () => {
    expect(read('--settings', file('a.json', '{ // mine\n"sluice.approval.writes": "auto", "editor.fontSize": 3, }')).settings).toEqual({ 'approval.writes': 'auto' });
    expect(read('--settings', file('b.json', '{"approval.writes": "auto"}')).settings).toEqual({ 'approval.writes': 'auto' });
  });

  it.each<[string, () => readonly string[]]>([
    ['an unknown option', () => ['--wrkspace', '/w']], ['a word too much', () => ['x']], ['an unknown platform', () => ['--platform', 'beos']], ['an unknown state', () => ['--sandbox', 'yes']], ['a missing file', () => ['--settings', '/no/such/file']],
    ['half a file', () => ['--settings', file('half.json', '{"sluice.approval.writes": ')]], ['a list', () => ['--settings', file('list.json', '[]')]], ['a misspelt setting', () => ['--settings', file('miss.json', '{"sluice.tool.deny": ["*"]}')]],
    ['a misspelt setting without its name', () => ['--settings', file('miss2.json', '{"tool.deny": ["*"]}')]], ['links that are no paths', () => ['--links', file('links2.json', '{"a": 1}')]],
  ])('refuse %s', (_name, argv) => {
    expect(() => read(...argv())).toThrow(UsageError);
  });
});

describe('lines', () => {
  it('end at a line feed only, whatever the pieces they come in', async () => {
    const text = '{"a":"\u2028\u2029\u0085"}\n\né\r\nlast';
    for (const size of [1, 2, 3, 100]) {
      const bytes = Buffer.from(text);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
      const found: string[] = [];
      for await (const line of linesOf((async function* () { yield* pieces; })())) found.push(line);
      expect(found).toEqual(['{"a":"\u2028\u2029\u0085"}', '', 'é\r', 'last']);
    }
  });
});
