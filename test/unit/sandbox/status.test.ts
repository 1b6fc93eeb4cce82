import { execFileSync } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { installLine } from '../../../src/sandbox/advice.ts';
import type { SandboxLibrary } from '../../../src/sandbox/confiner.ts';
import { quoteWord } from '../../../src/sandbox/quote.ts';
import { workshop } from './workshop.ts';

type Manager = SandboxLibrary['SandboxManager'];

/** A library that says it is fine; each test breaks one thing. */
function pretend(broken: Partial<Manager>): () => Promise<SandboxLibrary> {
  return () => Promise.resolve({
    SandboxManager: {
      isSupportedPlatform: () => true, checkDependenciesAsync: () => Promise.resolve({ errors: [], warnings: [] }), updateConfig: () => undefined,
      wrapWithSandbox: (command: string) => Promise.resolve(`/bin/bash -c ${quoteWord(command)}`), cleanupAfterCommand: () => undefined, ...broken,
    },
  });
}

describe.skipIf(process.platform === 'win32')('a sandbox that does not hold', () => {
  const cases: readonly (readonly [string, Partial<Manager>, RegExp])[] = [
    ['a missing program', { checkDependenciesAsync: () => Promise.resolve({ errors: ['bubblewrap (bwrap) not installed'], warnings: [] }) }, /bubblewrap/],
    ['a mere warning', { checkDependenciesAsync: () => Promise.resolve({ errors: [], warnings: ['seccomp not available - unix socket access not restricted'] }) }, /seccomp/],
    ['a wrapper that confines nothing', {}, /outside its folders.*connection/],
    ['a wrapper that starts nothing', { wrapWithSandbox: () => Promise.resolve('/bin/true') }, /did not start/],
    ['a refused namespace', { wrapWithSandbox: () => Promise.resolve('/bin/sh -c "echo bwrap: setting up uid map: Permission denied >&2; exit 1"') }, /user namespaces/],
    ['a wrapper that throws', { wrapWithSandbox: () => Promise.reject(new Error('profile too large')) }, /profile too large/],
    ['an unsupported platform', { isSupportedPlatform: () => false }, /not supported/],
  ];
  it.each(cases)('%s means: not available, and nothing starts', async (_name, broken, reason) => {
    const bench = workshop({ loadLibrary: pretend(broken) });
    const status = await bench.runner.status();
    expect(status.available).toBe(false);
    expect(status.detail).toMatch(reason);
    const result = await bench.shell('echo started > proof; echo started');
    expect(result).toMatchObject({ end: 'not_started', output: '', confined: true, note: status.detail });
    expect(execFileSync('ls', ['-A', bench.folder]).toString()).toBe('');
  });

  it('a library that cannot be loaded means the same, and an unconfined run still works', async () => {
    const bench = workshop({ loadLibrary: () => Promise.reject(new Error('no such file')) });
    expect(await bench.runner.status()).toMatchObject({ available: false, detail: expect.stringContaining('no such file') as string });
    expect((await bench.shell('echo x')).end).toBe('not_started');
    expect(await bench.shell('echo x', { confined: false })).toMatchObject({ end: 'exited', output: 'x\n', confined: false });
  });

  it('asks the library once, also for callers at the same time, and not before it is asked itself', async () => {
    const load = vi.fn(pretend({ checkDependenciesAsync: () => Promise.resolve({ errors: ['socat not installed'], warnings: [] }) }));
    const bench = workshop({ loadLibrary: load });
    await bench.shell('true', { confined: false });
    expect(load).not.toHaveBeenCalled();
    const [first, second] = await Promise.all([bench.runner.status(), bench.runner.status()]);
    expect(second).toBe(first);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('is honest about Windows', async () => {
    const load = vi.fn(pretend({}));
    const bench = workshop({ platform: 'win32', loadLibrary: load });
    expect(await bench.runner.status()).toMatchObject({ available: false, fix: undefined, detail: expect.stringContaining('Windows') as string });
    expect(load).not.toHaveBeenCalled();
  });
});

describe('the line that installs what is missing', () => {
  it.each([
    ['ID=debian\n', 'apt-get'], ['NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n', 'apt-get'], ['ID="linuxmint"\nID_LIKE="ubuntu debian"\n', 'apt-get'],
    ['ID=fedora\n', 'dnf'], ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'dnf'], ['ID=arch\n', 'pacman'], ['ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', 'zypper'],
  ])('%j -> %s', (release, program) => {
    expect(installLine(release)).toContain(program);
  });
  it('is not invented', () => {
    expect(installLine('ID=plan9\nVERSION_ID=debian\n')).toBeUndefined();
  });
});
