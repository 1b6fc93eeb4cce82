import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPointers, gitPlaces } from '../../../src/sandbox/git-places.ts';
import { reportMissing, throwAway, workshop } from './workshop.ts';

const missing = reportMissing();
const GIT_ENV = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent' };

/** As much of a repository as git asks for. */
function repository(folder: string): string {
  for (const name of ['hooks', 'objects', 'refs']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'config'), '[core]\n');
  return folder;
}

describe.skipIf(missing)(`what git obeys, from inside the sandbox${missing === undefined ? '' : ` (${missing})`}`, () => {
  const bench = workshop();
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: bench.folder, env: GIT_ENV, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  const dotGit = repository(join(bench.folder, '.git'));
  repository(join(dotGit, 'modules/some/sub'));
  mkdirSync(join(dotGit, 'worktrees/other'), { recursive: true });
  for (const name of ['commondir', 'gitdir']) writeFileSync(join(dotGit, 'worktrees/other', name), '../..\n');
  repository(join(bench.folder, 'nested/.git'));
  mkdirSync(join(bench.folder, '.githooks'));
  mkdirSync(join(bench.folder, '.husky'));
  writeFileSync(join(dotGit, 'config'), '[core]\n\thooksPath = .githooks\n');
  writeFileSync(join(bench.folder, '.envrc'), 'true\n');

  it.each([
    '.git/commondir', '.git/config.worktree', '.git/modules/some/sub/config', '.git/modules/some/sub/hooks/pre-commit', '.git/modules/some/sub/commondir',
    '.git/worktrees/other/commondir', '.git/worktrees/other/gitdir', 'nested/.git/commondir', '.githooks/pre-commit', '.husky/pre-commit', '.envrc',
  ])('%s cannot be written, replaced or made', async (path) => {
    const file = join(bench.folder, path);
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    const result = await bench.argv(['bash', '-c', 'echo other > "$1" && echo wrote; rm -f "$1" 2>/dev/null && echo gone; mv "$(dirname "$1")" away 2>/dev/null && echo moved', 'x', path]);
    expect(result.end).toBe('exited');
    expect(result.output).not.toMatch(/wrote|moved/);
    if (before !== undefined) expect(result.output).not.toContain('gone');
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(before);
  });

  it('git works as before while it holds, and nothing stays behind', async () => {
    const line = 'git -c user.name=T -c user.email=t@example.invalid commit -q --allow-empty -m one && git worktree list && git log --format=%s && git status --short --untracked-files=no';
    const result = await bench.shell(line);
    expect(result).toMatchObject({ end: 'exited', exitCode: 0 });
    expect(result.output).toContain('one');
    expect(git('log', '--format=%s').trim()).toBe('one');
    expect(existsSync(join(dotGit, 'commondir'))).toBe(false);
  });
});

describe('the places', () => {
  it('nothing is put where a link leads, nor in what is no repository', async () => {
    const folder = throwAway();
    const elsewhere = repository(join(throwAway(), 'git'));
    symlinkSync(elsewhere, join(folder, '.git'));
    mkdirSync(join(folder, 'plain/.git'), { recursive: true });
    for (const name of ['.git', 'plain/.git', 'none/.git']) expect((await gitPlaces(join(folder, name))).missingPointers).toEqual([]);
  });

  it('two holders: the last one takes it away; what is not ours stays', () => {
    const file = join(throwAway(), 'commondir');
    const pointers = createPointers();
    const [first, second] = [pointers.hold([file]), pointers.hold([file])];
    first();
    first();
    expect(readFileSync(file, 'utf8')).toBe('.\n');
    second();
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, '../elsewhere\n');
    pointers.hold([file])();
    expect(readFileSync(file, 'utf8')).toBe('../elsewhere\n');
  });
});
