/**
 * Runs inside the extension host: Mocha over the test files of one launch. VS Code calls `run` of the bundle that
 * bundle.ts makes around this; the results go to a file, because the window closes when `run` ends.
 */
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import type { HostResults, HostTest } from './results.ts';

const reasons = new WeakMap<object, string>();

/** Skips the running test and says why: `skipFor(this, 'bubblewrap is not installed')`. */
export function skipFor(context: Mocha.Context, reason: string): never {
  if (context.test) reasons.set(context.test, reason);
  return context.skip();
}

export type TestFile = readonly [name: string, load: () => unknown];

export async function runFiles(files: readonly TestFile[]): Promise<void> {
  const grep = process.env['SLUICE_HOST_GREP'];
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, reporter: SilentReporter, ...(grep ? { grep } : {}) });
  for (const [name, load] of files) {
    mocha.suite.emit('pre-require', globalThis, name, mocha);
    mocha.suite.emit('require', load(), name, mocha);
    mocha.suite.emit('post-require', globalThis, name, mocha);
  }
  const tests: HostTest[] = [];
  const failures = await new Promise<number>((resolve) => collect(mocha.run(resolve), tests));
  const results: HostResults = { tests };
  const path = process.env['SLUICE_HOST_RESULTS'];
  if (path) writeFileSync(path, JSON.stringify(results));
  if (failures > 0) throw new Error(`${failures} in-host tests failed`);
}

class SilentReporter extends Mocha.reporters.Base {
  override epilogue(): void {
    // The runner outside prints the results.
  }
}

function collect(runner: Mocha.Runner, tests: HostTest[]): void {
  const add = (test: Mocha.Runnable, state: HostTest['state'], reason?: string) => {
    tests.push({ title: test.titlePath().join(' > '), state, ms: test.duration ?? 0, ...(reason === undefined ? {} : { reason }) });
  };
  runner.on('pass', (test) => add(test, 'passed'));
  runner.on('fail', (test, error: Error) => add(test, 'failed', error.stack ?? error.message));
  runner.on('pending', (test) => add(test, 'skipped', reasons.get(test) ?? 'no reason given'));
}
