import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAppendLog, openAppendLog } from '../../../src/sandbox/append.ts';
import { throwAway } from './workshop.ts';

describe('the audit file', () => {
  const base = throwAway();
  const outside = throwAway();
  let count = 0;
  function workspace(): string {
    count += 1;
    const folder = join(base, String(count));
    mkdirSync(folder);
    return folder;
  }

  it('is private, ignored by git, and holds each line in order', async () => {
    const folder = workspace();
    const log = await openAppendLog(folder, 'one.jsonl');
    await Promise.all(Array.from({ length: 200 }, (_, index) => log.append(`{"n":${String(index)}}`)));
    await log.append('last');
    await log.close();
    const lines = readFileSync(log.path, 'utf8').split('\n');
    expect(lines).toEqual([...Array.from({ length: 200 }, (_, index) => `{"n":${String(index)}}`), 'last', '']);
    expect(statSync(log.path).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, '.sluice/.gitignore'), 'utf8')).toBe('*\n');
    await expect(log.append('late')).rejects.toThrow(/closed/);
  });

  it('keeps a .gitignore that is there, and never reuses a file', async () => {
    const folder = workspace();
    mkdirSync(join(folder, '.sluice'));
    writeFileSync(join(folder, '.sluice/.gitignore'), 'audit\n');
    await (await openAppendLog(folder, 'a.jsonl')).close();
    expect(readFileSync(join(folder, '.sluice/.gitignore'), 'utf8')).toBe('audit\n');
    await expect(openAppendLog(folder, 'a.jsonl')).rejects.toThrow(/there already/);
  });

  it.each([
    ['.sluice', (folder: string) => { symlinkSync(outside, join(folder, '.sluice')); }],
    ['.sluice/audit', (folder: string) => { mkdirSync(join(folder, '.sluice')); symlinkSync(outside, join(folder, '.sluice/audit')); }],
    ['the file', (folder: string) => { mkdirSync(join(folder, '.sluice/audit'), { recursive: true }); symlinkSync(join(outside, 'x'), join(folder, '.sluice/audit/a.jsonl')); }],
    ['a file for .sluice', (folder: string) => { writeFileSync(join(folder, '.sluice'), ''); }],
  ])('refuses %s as a link or something else', async (_name, plant) => {
    const folder = workspace();
    plant(folder);
    await expect(openAppendLog(folder, 'a.jsonl')).rejects.toThrow(/audit file cannot be started/);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('refuses a workspace path that leads through a link, and a name that is a path', async () => {
    const folder = workspace();
    symlinkSync(folder, join(base, 'alias'));
    await expect(openAppendLog(join(base, 'alias'), 'a.jsonl')).rejects.toThrow(/link/);
    for (const name of ['../a', 'a/b', '', '.hidden']) await expect(openAppendLog(folder, name)).rejects.toThrow(/plain name/);
    expect(existsSync(join(folder, '.sluice'))).toBe(false);
  });

  it.each([
    ['removed', (path: string) => { rmSync(path); }, /removed/], ['moved away', (path: string) => { renameSync(path, `${path}.old`); }, /removed/],
    ['replaced', (path: string) => { renameSync(path, `${path}.old`); writeFileSync(path, ''); }, /replaced/],
    ['added to', (path: string) => { appendFileSync(path, 'forged\n'); }, /changed by another/], ['cut', (path: string) => { writeFileSync(path, ''); }, /changed by another/],
    ['removed with its folder', (path: string) => { rmSync(join(path, '../..'), { recursive: true }); }, /removed/],
  ])('notices that it was %s, and stays broken', async (_name, change, message) => {
    const log = await openAppendLog(workspace(), 'a.jsonl');
    await log.append('first');
    change(log.path);
    await expect(log.append('second')).rejects.toThrow(message);
    await expect(log.append('third')).rejects.toThrow(message);
    await log.close();
  });

  it.skipIf(!existsSync('/dev/full'))('says that the disk is full', async () => {
    const log = createAppendLog(await open('/dev/full', 'a'), '/dev/full');
    await expect(log.append('x')).rejects.toThrow(/disk is full/);
    await log.close();
  });

  it('refuses a record of two lines', async () => {
    const log = await openAppendLog(workspace(), 'a.jsonl');
    await expect(log.append('a\nb')).rejects.toThrow(/one line/);
    await log.close();
    expect(readFileSync(log.path, 'utf8')).toBe('');
  });
});
