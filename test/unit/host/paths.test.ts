import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocator, isWithin } from '../../../src/host/paths.ts';

let base = '';
const at = (...parts: string[]) => path.join(base, ...parts);
const locator = (...folders: string[]) => createLocator({ folders: () => folders, home: at('home'), platform: 'linux' });

beforeAll(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'sluice-paths-')));
  for (const folder of ['repo/src', 'repo-old', 'lib', 'home', 'outside/inner']) await mkdir(at(folder), { recursive: true });
  await writeFile(at('repo/src/a.ts'), '');
  await writeFile(at('lib/a.ts'), '');
  await symlink('src/a.ts', at('repo/inside.ts'));
  await symlink(at('outside'), at('repo/out'));
  await symlink('../outside/not-there/yet.json', at('repo/dangling.json'));
  await symlink('loop-b', at('repo/loop-a'));
  await symlink('loop-a', at('repo/loop-b'));
  await symlink(at('repo'), at('repo-link'));
  execFileSync('mkfifo', [at('repo/pipe')]);
});
afterAll(() => rm(base, { recursive: true, force: true }));

describe('where a path leads', () => {
  it('starts relative paths at the first folder', async () => {
    expect(await locator(at('repo'), at('lib')).locate('src/a.ts', 'read')).toEqual({
      kind: 'path', operation: 'read', asked: 'src/a.ts', real: at('repo/src/a.ts'), relative: 'src/a.ts', folder: at('repo'), fileKind: 'file', linked: false,
    });
  });

  it('follows links, also to what does not exist yet', async () => {
    const { locate } = locator(at('repo'));
    expect(await locate('inside.ts', 'read')).toMatchObject({ real: at('repo/src/a.ts'), relative: 'src/a.ts', linked: true });
    expect(await locate('out/inner/new/x.txt', 'write')).toMatchObject({ real: at('outside/inner/new/x.txt'), folder: undefined, relative: undefined, fileKind: 'missing', linked: true });
    expect(await locate('dangling.json', 'write')).toMatchObject({ real: at('outside/not-there/yet.json'), folder: undefined, fileKind: 'missing', linked: true });
  });

  it('resolves .. behind a link as the system would not see it: by the text, then by the links', async () => {
    const { locate } = locator(at('repo'));
    expect((await locate('out/../src/a.ts', 'read')).real).toBe(at('repo/src/a.ts'));
    expect((await locate('../repo-old/x', 'write')).folder).toBeUndefined();
  });

  it('gives up on circles, files used as directories and control characters, without throwing', async () => {
    const { locate } = locator(at('repo'));
    for (const asked of ['loop-a', 'loop-a/x', 'src/a.ts/x', 'a\0b', 'a\nb', '', 'n'.repeat(300)]) {
      expect([asked, (await locate(asked, 'read')).fileKind]).toEqual([asked, 'other']);
    }
    expect((await createLocator({ folders: () => [], home: '/', platform: 'linux' }).locate('a', 'read')).fileKind).toBe('other');
    expect((await locate('pipe', 'read')).fileKind).toBe('other');
  });

  it('takes ~ as the home directory and ./~ as a name', async () => {
    const { locate } = locator(at('repo'));
    expect(await locate('~/x', 'read')).toMatchObject({ real: at('home/x'), folder: undefined });
    expect((await locate('~', 'list')).real).toBe(at('home'));
    expect((await locate('./~', 'read')).real).toBe(at('repo/~'));
    expect((await locate('~other/x', 'read')).real).toBe(at('repo/~other/x'));
  });

  it('does not call everything linked when the workspace itself lies behind a link', async () => {
    const { locate } = locator(at('repo-link'));
    expect(await locate('src/a.ts', 'read')).toMatchObject({ real: at('repo/src/a.ts'), folder: at('repo'), relative: 'src/a.ts', linked: false });
    expect((await locate('inside.ts', 'read')).linked).toBe(true);
  });
});

describe('several folders (ED-14)', () => {
  it('compares segment by segment', async () => {
    const { locate } = locator(at('repo'), at('lib'));
    expect(await locate(at('repo-old/x.txt'), 'write')).toMatchObject({ real: at('repo-old/x.txt'), folder: undefined });
    expect(isWithin('/w/repo-old', '/w/repo', 'linux')).toBe(false);
    expect(isWithin('/w/repo/..x', '/w/repo', 'linux')).toBe(true);
  });

  it('takes an absolute path as it is', async () => {
    expect(await locator(at('repo'), at('lib')).locate(at('lib/a.ts'), 'write')).toMatchObject({ real: at('lib/a.ts'), folder: at('lib'), relative: 'a.ts' });
  });

  it('starts at the folder of that name only while the first has no such entry', async () => {
    const { locate } = locator(at('repo'), at('lib'));
    expect((await locate('lib/new.ts', 'write')).real).toBe(at('lib/new.ts'));
    await mkdir(at('repo/lib'));
    expect((await locate('lib/new.ts', 'write')).real).toBe(at('repo/lib/new.ts'));
    await rm(at('repo/lib'), { recursive: true });
  });

  it('belongs to the innermost folder', async () => {
    expect((await locator(at('repo'), at('repo/src')).locate('src/a.ts', 'read')).folder).toBe(at('repo/src'));
  });

  it('names a path so that the name leads back', async () => {
    const { locate, nameOf } = locator(at('repo'), at('lib'));
    for (const real of [at('repo/src/a.ts'), at('lib/a.ts'), at('repo-old/x'), at('repo')]) {
      expect((await locate(await nameOf(real), 'read')).real).toBe(real);
    }
    expect(await nameOf(at('lib/a.ts'))).toBe('lib/a.ts');
    await mkdir(at('repo/lib'));
    expect(await nameOf(at('lib/a.ts'))).toBe(at('lib/a.ts'));
    await rm(at('repo/lib'), { recursive: true });
  });
});

describe('names that look like something else (ED-17)', () => {
  it.each(['[slug]', 'a b', '50%25 off', '#x', '\u00e9', 'e\u0301', '(group)', '{x}', 'q?', '-rf', 'file:', '*', 'a\\b'])('%s is a name', async (name) => {
    await mkdir(at('repo', 'odd', name), { recursive: true });
    const { locate, nameOf } = locator(at('repo'));
    const located = await locate(`odd/${name}`, 'list');
    expect(located).toMatchObject({ real: at('repo', 'odd', name), relative: `odd/${name}`, fileKind: 'directory', linked: false });
    expect(await nameOf(located.real)).toBe(`odd/${name}`);
  });

  it('keeps composed and decomposed twins apart', async () => {
    const { locate } = locator(at('repo'));
    expect((await locate('odd/\u00e9', 'list')).real).not.toBe((await locate('odd/e\u0301', 'list')).real);
  });
});

describe('containment where the file system folds names', () => {
  it('ignores case on macOS and Windows, and composition on macOS', () => {
    expect(isWithin('/W/Repo/x', '/w/repo', 'darwin')).toBe(true);
    expect(isWithin('/w/r\u00e9po/x', '/w/re\u0301po', 'darwin')).toBe(true);
    expect(isWithin('/W/Repo/x', '/w/repo', 'win32')).toBe(true);
    expect(isWithin('/W/Repo/x', '/w/repo', 'linux')).toBe(false);
    expect(isWithin('/w/r\u00e9po/x', '/w/re\u0301po', 'linux')).toBe(false);
  });
});
