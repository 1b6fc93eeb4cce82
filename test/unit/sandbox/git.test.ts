import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { processesWith, reportMissing, workshop } from './workshop.ts';

const missing = reportMissing();

for (const confined of [true, false]) {
  const skip = confined ? missing : process.platform === 'win32' ? 'needs a POSIX shell' : undefined;
  describe.skipIf(skip)(`CM-10: ${confined ? 'confined' : 'unconfined'} git waits for nobody${skip === undefined ? '' : ` (${skip})`}`, () => {
    const bench = workshop();
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: bench.folder, env: { PATH: process.env['PATH'], HOME: bench.temp, GIT_CONFIG_NOSYSTEM: '1' }, stdio: ['ignore', 'pipe', 'pipe'] }).toString();

    beforeAll(() => {
      git('init', '-q', '-b', 'main');
      for (const [name, value] of [['user.name', 'Test'], ['user.email', 'test@example.invalid'], ['core.pager', 'less'], ['core.editor', 'vi'], ['commit.gpgsign', 'false']] as const) git('config', name, value);
      for (let index = 0; index < 60; index += 1) git('commit', '-q', '--allow-empty', '-m', `commit ${String(index)}`);
      const write = (text: string): void => { writeFileSync(join(bench.folder, 'file'), text); };
      write('base\n');
      git('add', 'file');
      git('commit', '-q', '-m', 'base');
      git('checkout', '-q', '-b', 'other');
      write('theirs\n');
      git('commit', '-qam', 'theirs');
      git('checkout', '-q', 'main');
      write('ours\n');
      git('commit', '-qam', 'ours');
    }, 60_000);

    it.each([
      ['git log', 0, /commit 59/], ['git -p log', 0, /commit 59/], ['git commit --amend', 1, /No editor can open here/], ['git rebase -i HEAD~2', 1, /No editor can open here/],
      ['git merge other; echo resolved > file; git add file; git merge --continue', 1, /No editor can open here/], ['git fetch https://user@127.0.0.1:1/x', 128, /fatal/], ['git commit --allow-empty -m works', 0, /works/],
    ] as const)('%s', async (line, exitCode, text) => {
      const before = git('rev-parse', 'HEAD');
      const result = await bench.shell(`${line} 2>&1`, { confined, timeoutMs: 5000 });
      expect(result).toMatchObject({ end: 'exited' });
      expect(result.output).toMatch(text);
      if (exitCode === 0) expect(result.exitCode).toBe(0);
      else expect(result.exitCode).not.toBe(0);
      if (exitCode === 1) expect(git('rev-parse', 'HEAD')).toBe(before);
      expect([...processesWith('less '), ...processesWith('vi ')].filter((command) => command.includes(bench.folder))).toEqual([]);
    });
  });
}
