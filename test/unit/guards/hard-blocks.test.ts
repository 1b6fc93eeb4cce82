/** The same action in other spellings is denied; words that only look like it are not. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { grammarBytes } from '../../../src/build/grammar-bytes.mjs';
import { evaluateToolCall } from '../../../src/core/chain/04-guard.ts';
import { GUARDS } from '../../../src/guards/index.ts';
import { createShellEngine } from '../../../src/guards/shell/engine.ts';
import { runShell } from '../../../src/tools/run-shell/run-shell.ts';
import { command, pathResource } from '../core/approval/card-samples.ts';
import { context, resolvedOver } from './judged.ts';

const HOME = '/home/dev';
const WORKSPACE = '/home/dev/work/sample';

const engine = createShellEngine(grammarBytes);
beforeAll(async () => { expect(await engine.ready()).toBe(true); });

/** Denials of a line in a shell, or of a program that starts without one. Started in `at`, relative to the workspace. */
function denialsOf(run: string | readonly string[], at = ''): readonly string[] {
  const cwd = pathResource({ operation: 'list', relative: at, folder: WORKSPACE, real: at === '' ? WORKSPACE : `${WORKSPACE}/${at}`, fileKind: 'directory' });
  const place = { cwd: cwd.real, roots: [WORKSPACE], home: HOME, platform: 'linux' } as const;
  const resource = typeof run === 'string'
    ? { ...command(run, { form: 'shell', argv: [], cwd }), analysis: engine.analyseShell(run, place) }
    : { ...command(run.join(' '), { form: 'argv', argv: run, cwd }), analysis: engine.analyseArgv(run, place) };
  const decision = evaluateToolCall(resolvedOver([resource, cwd], runShell), GUARDS, context({ home: HOME }));
  return decision.findings.filter(({ action }) => action === 'deny').map(({ patternKey }) => patternKey);
}

describe('deleting what must not be deleted, in its spellings', () => {
  it.each([
    'rm / -rf', 'rm build / -rf', 'rm -rf build /', 'rm -r build -f ~', 'rm -v -r --force -- /', 'rm --recurs /', 'rm -rf //', 'rm -rf /.', 'rm -rf /../', 'rm -rf /tmp/../*', 'rm -rf /home/dev/', 'rm -rf /home',
    'rm -rf /home/*', 'rm -rf /home/dev/work', 'rm -rf /home/dev/work/sample', 'rm -rf ../sample', 'rm -rf ../..', 'rm -rf ..', 'rm -rf ./*', 'rm -rf ./.', 'rm -rf "$PWD"', 'rm -rf $HOME/*', 'rm -rf ${HOME}/', 'rm -rf ~/work', 'rm -rf ~root',
    'rm -rf .git/', 'rm -rf ./.git', 'rm -rf packages/a/.git', '\\rm -rf /', 'r\'\'m -rf /', '"rm" "-rf" "/"', 'rm -r\\f /', 'rm \\\n -rf /', 'rm\t-rf\t/', 'rm>/dev/null -rf /', 'rm -rf />/dev/null', 'rm -rf / # x', '`rm -rf /`', 'echo "$(rm -rf /)"',
    'sh -c \'rm -rf /\'', 'bash -lc "cd x; rm -rf /"', 'sh -c "sh -c \'rm -rf /\'"', 'eval "rm -rf /"', 'ssh host rm -rf /', 'find . | xargs rm -rf /', 'find . -exec rm -rf / \\;', 'if true; then rm -rf /; fi', '{ rm -rf /; }',
    'A=b rm -rf /', 'sudo -u root rm -rf /', 'env A=b /usr/bin/rm -rf /', 'RM=1;rm -rf /', 'true|rm -rf /', 'true&rm -rf /',
  ])('%j', (line) => {
    expect(denialsOf(line)).not.toEqual([]);
  });

  it.each([
    ['rm', '-rf', '/'], ['/bin/rm', '/', '-r'], ['sudo', 'rm', '-rf', HOME], ['sh', '-c', 'rm -rf /'], ['bash', '-e', '-c', 'true; rm -rf ~'], ['env', 'rm', '-rf', '.git'], ['rm', '-rf', WORKSPACE], ['rm', '-rf', '../../..'],
  ].map((argv) => [argv] as const))('%j', (argv) => {
    expect(denialsOf(argv)).not.toEqual([]);
  });

  it.each([
    'rm -rf node_modules', 'rm -rf node_modules/ dist/', 'rm -rf ./node_modules', 'rm -rf "$HOME_DIR_X"', 'rm -rf $BUILD', 'rm -rf /home/dev/work/sample/dist', 'rm -rf ~/work/other', 'rm -rf /home/dev/work/sample-old', 'rm -rf ../other', 'rm -rf packages/*/dist',
    'rm -rf dist/*', 'rm -rf dist/..old', 'rm -rf .github', 'rm -rf .gitignore', 'rm -rf .git/rebase-apply', 'rm /', 'rm -f ~', 'git rm -r --cached src', 'npm run confirm -r /', 'grep -r rm /', 'ls -R /', 'find . -name rm', 'rmdir /', 'rm -rf ...',
  ])('%j is not refused', (line) => {
    expect(denialsOf(line)).toEqual([]);
  });

  it('is judged where the command starts', () => {
    expect(denialsOf('rm -rf ../..', 'packages/a')).not.toEqual([]);
    expect(denialsOf('rm -rf ../dist', 'packages/a')).toEqual([]);
    expect(denialsOf(['rm', '-rf', '../b'], 'packages/a')).toEqual([]);
    expect(denialsOf(['rm', '-rf', '../../../sample'], 'packages/a')).not.toEqual([]);
  });
});

describe('disks and power, where the program stands', () => {
  it.each([
    ['power_control', 'sudo -n reboot'], ['power_control', 'A=b reboot'], ['power_control', '/sbin/shutdown -h now'], ['power_control', 'sh -c "poweroff"'], ['power_control', 'nohup sudo halt'], ['power_control', 'timeout 5 reboot'],
    ['power_control', 'systemctl reboot'], ['power_control', 'true;reboot'], ['power_control', '(halt)'], ['power_control', '$(halt)'], ['power_control', 're"boot"'],
    ['device_write', 'echo x | sudo tee /dev/sda'], ['device_write', 'echo x>/dev/sda'], ['device_write', 'cat x >> /dev/nvme0n1'], ['device_write', 'dd of="/dev/sd"a'], ['device_write', 'env mkfs.xfs /dev/x'], ['device_write', 'sh -c "wipefs -a /dev/x"'],
    ['fork_bomb', 'x(){ x|x& };x'], ['fork_bomb', 'function_name () { function_name | function_name & } ; function_name'],
    ['own_policy', 'sh -c "rm .sluice/x"'], ['own_policy', 'cat x>.sluice/y'],
  ] as const)('%s: %j', (_what, line) => {
    expect(denialsOf(line)).not.toEqual([]);
  });

  it.each([
    'node --test test/shutdown.test.js', 'npm test -- test/shutdown', 'grep -rn shutdown src', 'git commit -m "fix the reboot; halt on error"', 'echo reboot', 'npm run halt', 'cat docs/shutdown.md', 'apt list parted', 'man fdisk', 'grep mkfs notes.txt',
    'init 3', 'ls /dev/sda', 'cat /dev/null > out', 'echo a 2>&1', 'git commit -m "about .sluice"', 'ls a.sluice', 'cat sluice/x', 'f() { g | h & }',
  ])('%j is not refused', (line) => {
    expect(denialsOf(line)).toEqual([]);
  });
});

describe('reading the words', () => {
  it('never throws, always ends', () => {
    const pieces = fc.array(fc.oneof(fc.constantFrom('"', '\'', '\\', '`', '$(', ')', ';', '&', '|', '\n', ' ', '>', '<', '{', '}', 'sh -c ', 'eval ', 'rm ', '/'), fc.string({ maxLength: 6 })), { maxLength: 60 });
    fc.assert(fc.property(pieces, (parts) => {
      const line = parts.join('');
      expect(Array.isArray(denialsOf(line))).toBe(true);
      expect(Array.isArray(denialsOf(['sh', '-c', line]))).toBe(true);
    }), { numRuns: 1_000 });
  });

  it.each(['a', '{', '-r ', 'rm ', 'rm -r ', '$(', '`', '"', '\\', '/', '../', 'a(){', '|a', 'sh -c ', 'eval ', '> ', 'x/', '.sluice'])('a line of a million characters of %j is judged too', (piece) => {
    const long = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(Array.isArray(denialsOf(long))).toBe(true);
    expect(Array.isArray(denialsOf(['rm', '-r', long]))).toBe(true);
  });
});
