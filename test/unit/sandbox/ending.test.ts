import { describe, expect, it } from 'vitest';
import { processesWith, reportMissing, uniqueSeconds, workshop } from './workshop.ts';

const missing = reportMissing();
/** Long enough for a command to be seen running on a busy machine. */
const TIMEOUT = 1500;
const GRACE = 1000;

for (const confined of [true, false]) {
  const skip = confined ? missing : process.platform === 'linux' ? undefined : 'the process table is read on Linux';
  describe.skipIf(skip)(`how ${confined ? 'confined' : 'unconfined'} commands end${skip === undefined ? '' : ` (${skip})`}`, () => {
    const bench = workshop();

    const onInput: readonly string[] = ['cat', 'read x; echo got:$x', 'python3 -c "print(input())"', 'ssh -o BatchMode=no localhost true', 'cat /dev/tty'];
    it.each(onInput)('CM-01: ends at once when it wants input: %s', async (line) => {
      const started = performance.now();
      const result = await bench.shell(line, { confined });
      expect(result.end).toBe('exited');
      expect(performance.now() - started).toBeLessThan(2000);
    });

    it('CM-01: has no terminal', async () => {
      expect((await bench.shell('test -t 0; echo $?; cut -d" " -f7 /proc/self/stat', { confined })).output).toBe('1\n0\n');
    });

    it.each([
      ['sleep SECONDS & echo started', 'started'], ['(while :; do sleep SECONDS; done) >/dev/null 2>&1 & disown; echo ok', 'ok'],
      ['setsid sleep SECONDS & echo own session', 'own session'], ['(setsid sh -c "trap \'\' TERM; sleep SECONDS; sleep SECONDS" &); sleep 0.2; echo stubborn', 'stubborn'],
    ])('CM-03: settles soon after the shell, ends what is left and says so: %s', async (line, text) => {
      const seconds = uniqueSeconds();
      const started = performance.now();
      const result = await bench.shell(line.replaceAll('SECONDS', seconds), { confined });
      expect(performance.now() - started).toBeLessThan(3000);
      expect(result).toMatchObject({ end: 'exited', exitCode: 0, output: `${text}\n`, note: expect.stringContaining('background') as string });
      expect(processesWith(seconds)).toEqual([]);
    });

    it.each([
      "sh -c 'sleep SECONDS & sleep SECONDS'", 'setsid -w sleep SECONDS', "trap '' TERM; sleep SECONDS; sleep SECONDS", '(setsid sleep SECONDS &); sleep SECONDS',
      "(trap '' TERM; setsid sleep SECONDS) & wait", 'sleep SECONDS | cat',
    ])('CM-04: nothing is left after the timeout: %s', async (line) => {
      const seconds = uniqueSeconds();
      const run = bench.shell(`echo before; ${line.replaceAll('SECONDS', seconds)}`, { confined, timeoutMs: TIMEOUT });
      await expect.poll(() => processesWith(`sleep ${seconds}`).length, { timeout: TIMEOUT, interval: 20 }).toBeGreaterThan(0);
      const result = await run;
      expect(result).toMatchObject({ end: 'timed_out', exitCode: undefined, output: 'before\n', note: undefined });
      expect(result.durationMs).toBeGreaterThanOrEqual(TIMEOUT - 10);
      expect(result.durationMs).toBeLessThan(TIMEOUT + GRACE + 800);
      expect(processesWith(seconds)).toEqual([]);
    });

    it('CM-04: the same when the person cancels; cancelled before it starts it does not start', async () => {
      const seconds = uniqueSeconds();
      const cancel = new AbortController();
      const run = bench.shell(`trap '' TERM; sleep ${seconds}; sleep ${seconds}`, { confined, signal: cancel.signal });
      await expect.poll(() => processesWith(`sleep ${seconds}`).length, { timeout: 5000 }).toBeGreaterThan(0);
      cancel.abort();
      expect((await run).end).toBe('cancelled');
      expect(processesWith(seconds)).toEqual([]);
      expect(await bench.shell('echo x', { confined, signal: cancel.signal })).toMatchObject({ end: 'cancelled', output: '' });
    });

    it('lets a command that is asked to end finish its work', async () => {
      const result = await bench.shell("trap 'echo tidied; exit 0' TERM; while :; do sleep 0.05; done", { confined, timeoutMs: 4_000 });
      expect(result).toMatchObject({ end: 'timed_out', output: expect.stringContaining('tidied') as string });
      expect(result.durationMs).toBeLessThan(4_000 + GRACE);
    });

    it('ends everything at dispose and starts nothing afterwards', async () => {
      const own = workshop();
      const seconds = uniqueSeconds();
      const run = own.shell(`sleep ${seconds}`, { confined });
      await expect.poll(() => processesWith(`sleep ${seconds}`).length, { timeout: 5000 }).toBeGreaterThan(0);
      await own.runner.dispose();
      expect((await run).end).toBe('cancelled');
      expect(processesWith(seconds)).toEqual([]);
      expect((await own.shell('echo x', { confined })).end).toBe('not_started');
    });
  });
}

describe.skipIf(process.platform === 'win32')('unconfined commands', () => {
  const bench = workshop();
  it('tells an end by a signal from an exit', async () => {
    expect(await bench.shell('kill -SEGV $$', { confined: false })).toMatchObject({ end: 'signalled', signal: 'SIGSEGV', exitCode: undefined, confined: false });
    expect(await bench.shell('exit 139', { confined: false })).toMatchObject({ end: 'exited', exitCode: 139 });
  });
});
