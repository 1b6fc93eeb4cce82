import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandEnvironment, fixedPath } from '../../../src/sandbox/environment.ts';
import { quoteWord, quoteWords } from '../../../src/sandbox/quote.ts';
import { reportMissing, throwAway, workshop } from './workshop.ts';

const missing = reportMissing();
const nasty = fc.oneof(
  fc.constantFrom('', '-', '--', '-rf', '=x', '~', '$HOME', '$(id)', '`id`', "'", '"', "'\"'\"'", '\\', '\\\'', '\n', '\r\n', '\t', '!', '!!', '*', '?', '[a]', '{a,b}', '#', '&', ';', '|', '>', '<(x)', '\u202e', '\ud83d\ude00', '\u00e9', '\u0001', '\u007f', "a'b$c\"d`e"),
  fc.string({ unit: 'binary', maxLength: 24 }), fc.string({ unit: fc.constantFrom('\'', '"', '$', '`', '\\', '\n', ' ', '!', '{', '}', '(', ')', 'a'), maxLength: 20 }),
).map((text) => text.replaceAll('\0', '').toWellFormed());
const words = fc.array(nasty, { maxLength: 6 });
/** Prints each argument with its length, so that no two lists print alike. */
const show = (args: readonly string[]): string => args.map((arg) => `${String(Buffer.byteLength(arg))}:${arg}`).join('|');
const SHOW = 'process.stdout.write(Buffer.from(JSON.stringify(process.argv.slice(2))).toString("base64"))';

describe.skipIf(process.platform === 'win32')('quoting', () => {
  it('arrives exactly, whatever it is', () => {
    // One shell for thousands of cases: each becomes a line that prints its length and itself.
    const cases = fc.sample(words, { numRuns: 3000, seed: 7 });
    const script = cases.map((list) => `show ${quoteWords(list)}`).join('\n');
    const show_ = 'export LC_ALL=C; show() { for word; do printf "%s:%s|" "${#word}" "$word"; done; printf "\\036"; }\n';
    const printed = execFileSync('/bin/bash', ['--noprofile', '--norc', '-s'], { input: show_ + script, maxBuffer: 1 << 26 }).toString();
    expect(printed).toBe(cases.map((list) => `${show(list)}${list.length > 0 ? '|' : ''}\u001e`).join(''));
  });

  it('refuses NUL', () => {
    expect(() => quoteWord('a\0b')).toThrow(/NUL/);
  });
});

for (const confined of [true, false]) {
  describe.skipIf(confined ? missing : process.platform === 'win32')(`argv of ${confined ? 'confined' : 'unconfined'} commands${confined && missing ? ` (${missing})` : ''}`, () => {
    const bench = workshop();
    writeFileSync(join(bench.folder, 'show.cjs'), SHOW);

    it('arrives byte for byte', async () => {
      await fc.assert(fc.asyncProperty(words, async (list) => {
        const result = await bench.argv([process.execPath, 'show.cjs', ...list], { confined });
        expect(result).toMatchObject({ end: 'exited', exitCode: 0 });
        expect(JSON.parse(Buffer.from(result.output, 'base64').toString())).toEqual(list);
      }), { numRuns: 30 });
    }, 60_000);

    it('with NUL does not start', async () => {
      expect(await bench.argv(['echo', 'a\0b'], { confined })).toMatchObject({ end: 'not_started', note: expect.stringContaining('NUL') as string });
      expect(await bench.shell('echo a\0b', { confined })).toMatchObject({ end: 'not_started', note: expect.stringContaining('NUL') as string });
    });

    it('resolves a bare name outside the workspace only, a path relative to the folder', async () => {
      mkdirSync(join(bench.folder, 'bin'), { recursive: true });
      for (const name of ['bin/ls', 'gradlew']) {
        writeFileSync(join(bench.folder, name), '#!/bin/sh\necho planted "$1"\n');
        chmodSync(join(bench.folder, name), 0o755);
      }
      const other = workshop({ env: { PATH: `${join(bench.folder, 'bin')}:.:bin::${process.env['PATH'] ?? ''}`, HOME: process.env['HOME'] } });
      const run = (argv: string[]) => other.runner.run(
        { kind: 'command', form: 'argv', argv, line: '', timeoutMs: 5000, cwd: { kind: 'path', operation: 'read', asked: '.', real: bench.folder, relative: '', folder: bench.folder, fileKind: 'directory', linked: false } },
        { confined, writable: [], onOutput: () => undefined, signal: new AbortController().signal, outputLimitBytes: 4096 },
      );
      expect((await run(['ls'])).output).toContain('gradlew');
      expect((await run(['./gradlew', '--x'])).output).toBe('planted --x\n');
      expect(await run(['./missing'])).toMatchObject({ end: 'not_started', note: expect.stringContaining('./missing') as string });
      expect(await run(['no-such-program-here'])).toMatchObject({ end: 'not_started', note: expect.stringContaining('search path') as string });
      expect(await run([''])).toMatchObject({ end: 'not_started' });
    });
  });
}

describe('the environment of a command', () => {
  it('is an allow-list', () => {
    const source = {
      PATH: '/usr/bin', HOME: '/home/x', LANG: 'C', LC_ALL: 'C', CARGO_HOME: '/c', OPENAI_API_KEY: 'k', GITHUB_TOKEN: 't', SSH_AUTH_SOCK: '/s', VSCODE_PID: '1',
      ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--require x', BASH_ENV: '/b', ENV: '/e', LD_PRELOAD: '/l', GIT_SSH_COMMAND: 'x', DISPLAY: ':0', DBUS_SESSION_BUS_ADDRESS: 'x', lc_all: 'x',
    };
    const { env } = commandEnvironment(source, '/t', []);
    expect(Object.keys(env).filter((name) => name in source).sort()).toEqual(['CARGO_HOME', 'HOME', 'LANG', 'LC_ALL', 'PATH']);
    expect(env).toMatchObject({ TMPDIR: '/t', TERM: 'dumb', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', NO_COLOR: '1' });
    expect('CI' in env).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('has a search path without relative entries and workspace folders', () => {
    const folder = throwAway();
    mkdirSync(join(folder, 'bin'));
    expect(fixedPath(`${folder}/bin:/usr/bin:.:bin::/usr/bin:${folder}:${folder}x:/usr/../${folder}/bin`, [folder])).toEqual(['/usr/bin', `${folder}x`]);
  });
});
