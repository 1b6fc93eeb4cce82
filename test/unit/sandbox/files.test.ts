import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StaleBase } from '../../../src/core/ports.ts';
import { digestOfBytes, removeFile, writeFileAtomically } from '../../../src/sandbox/files.ts';
import { throwAway } from './workshop.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const digest = (text: string): string => digestOfBytes(bytes(text));

describe('writing a file', () => {
  const folder = throwAway();
  let count = 0;
  function fresh(content?: string, mode = 0o644): string {
    count += 1;
    const own = join(folder, String(count));
    mkdirSync(own);
    const path = join(own, 'file.txt');
    if (content !== undefined) {
      writeFileSync(path, content);
      chmodSync(path, mode);
    }
    return path;
  }
  const onlyFile = (path: string): void => { expect(readdirSync(dirname(path))).toEqual(['file.txt']); };

  it.each([0o755, 0o640, 0o600, 0o664])('keeps the mode %o and leaves nothing beside it', async (mode) => {
    const path = fresh('old', mode);
    await writeFileAtomically(path, bytes('new \u00e9\r\n'), { expectDigest: digest('old') });
    expect(readFileSync(path, 'utf8')).toBe('new \u00e9\r\n');
    expect(statSync(path).mode & 0o7777).toBe(mode);
    onlyFile(path);
  });

  it('replaces the file as a whole: who has the old one open keeps it', async () => {
    const path = fresh('old');
    const before = statSync(path).ino;
    await writeFileAtomically(path, bytes('new'), { expectDigest: digest('old') });
    expect(statSync(path).ino).not.toBe(before);
  });

  it.each([
    ['changed', (path: string) => { writeFileSync(path, 'other'); }], ['gone', (path: string) => { rmSync(path); }],
  ])('refuses a base that is %s', async (_name, change) => {
    const path = fresh('old');
    change(path);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    await expect(writeFileAtomically(path, bytes('new'), { expectDigest: digest('old'), shownAs: 'file.txt' })).rejects.toThrow(new StaleBase('file.txt'));
    expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(before);
  });

  it('creates a new file with its missing folders, and only a new one', async () => {
    const path = join(dirname(fresh()), 'a', 'b', 'new.txt');
    await writeFileAtomically(path, bytes('x'), { expectDigest: 'absent' });
    expect(readFileSync(path, 'utf8')).toBe('x');
    expect(readdirSync(dirname(path))).toEqual(['new.txt']);
    await expect(writeFileAtomically(path, bytes('y'), { expectDigest: 'absent' })).rejects.toBeInstanceOf(StaleBase);
    expect(readFileSync(path, 'utf8')).toBe('x');
    const script = join(dirname(path), 'run.sh');
    await writeFileAtomically(script, bytes('x'), { expectDigest: 'absent', mode: 0o700 });
    expect(statSync(script).mode & 0o777).toBe(0o700);
  });

  it('lets exactly one of several creations win', async () => {
    const path = fresh();
    const ends = await Promise.allSettled(['a', 'b', 'c', 'd'].map((text) => writeFileAtomically(path, bytes(text), { expectDigest: 'absent' })));
    expect(ends.filter((end) => end.status === 'fulfilled')).toHaveLength(1);
    onlyFile(path);
  });

  it('refuses a link in place of the file, whatever it leads to', async () => {
    const path = fresh('old');
    const outside = join(throwAwayLater, 'target');
    writeFileSync(outside, 'old');
    rmSync(path);
    symlinkSync(outside, path);
    await expect(writeFileAtomically(path, bytes('new'), { expectDigest: digest('old') })).rejects.toThrow(/link/);
    await expect(writeFileAtomically(path, bytes('new'), { expectDigest: 'absent' })).rejects.toBeInstanceOf(StaleBase);
    rmSync(outside);
    await expect(writeFileAtomically(path, bytes('new'), { expectDigest: 'absent' })).rejects.toBeInstanceOf(StaleBase);
    expect(existsSync(outside)).toBe(false);
  });

  it('refuses a folder that became a link, also above missing ones', async () => {
    const own = dirname(fresh());
    symlinkSync(throwAwayLater, join(own, 'src'));
    for (const name of ['src/new.txt', 'src/deep/er/new.txt']) {
      await expect(writeFileAtomically(join(own, name), bytes('x'), { expectDigest: 'absent' })).rejects.toThrow(/link/);
    }
    expect(readdirSync(throwAwayLater)).toEqual([]);
  });

  it('writes a hard-linked file in place, so that both names keep one content', async () => {
    const path = fresh('old', 0o640);
    linkSync(path, join(dirname(path), 'other'));
    await writeFileAtomically(path, bytes('a longer text'), { expectDigest: digest('old') });
    expect(readFileSync(join(dirname(path), 'other'), 'utf8')).toBe('a longer text');
    expect(statSync(path)).toMatchObject({ nlink: 2 });
  });

  it('refuses what is no regular file', async () => {
    const own = dirname(fresh());
    mkdirSync(join(own, 'folder'));
    await expect(writeFileAtomically(join(own, 'folder'), bytes('x'), { expectDigest: digest('') })).rejects.toThrow(/regular/);
  });

  it('removes only the file that was judged', async () => {
    const path = fresh('old');
    await expect(removeFile(path, { expectDigest: digest('other') })).rejects.toBeInstanceOf(StaleBase);
    await removeFile(path, { expectDigest: digest('old') });
    expect(existsSync(path)).toBe(false);
    await expect(removeFile(path, { expectDigest: digest('old') })).rejects.toBeInstanceOf(StaleBase);
  });

  const throwAwayLater = throwAway();
});
