/** What it costs to run a command confined: `true` in the sandbox, in bubblewrap alone, and as a plain child. */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandResource, PathResource } from '../../src/core/call.ts';
import { createCommandRunner } from '../../src/sandbox/runner.ts';
import { tempFolder } from '../e2e/harness/workspace.ts';
import { median, report, sample, type Row } from './rows.ts';

const RUNS = 15;
const WARM_UP = 2;

function bare(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', timeout: 10_000 });
    child.once('error', reject);
    child.once('exit', (code) => { if (code === 0) resolve(); else reject(new Error(`${program} ended with exit code ${code}`)); });
  });
}

const folder = await tempFolder('bench');
const runner = createCommandRunner({ env: process.env, log: () => undefined, loadLibrary: () => import('@anthropic-ai/sandbox-runtime') });
try {
  const workspace = join(folder.path, 'workspace');
  await mkdir(workspace);
  const cwd: PathResource = { kind: 'path', operation: 'list', asked: '.', real: workspace, relative: '', folder: workspace, linked: false, fileKind: 'directory' };
  const command: CommandResource = { kind: 'command', form: 'argv', argv: ['true'], line: 'true', cwd, timeoutMs: 10_000 };
  const runs = (confined: boolean) => sample(RUNS, WARM_UP, async () => {
    const result = await runner.run(command, { confined, writable: [workspace], onOutput: () => undefined, signal: new AbortController().signal, outputLimitBytes: 1_024 });
    if (result.exitCode !== 0 || result.confined !== confined) throw new Error(`true ended as ${result.end}: ${result.note ?? ''}`);
  });
  const plain = { what: 'spawned plainly', value: median(await sample(RUNS, WARM_UP, () => bare('true', []))), unit: 'ms' } as const;
  const rows: Row[] = [{ what: '`true`, unconfined, median', measured: { value: median(await runs(false)), unit: 'ms' }, baseline: plain }];
  const from = performance.now();
  const status = await runner.status();
  const selfTest = performance.now() - from;
  if (!status.available) {
    report(rows, [{ what: '`true`, confined', why: status.detail }]);
  } else {
    const confined = median(await runs(true));
    rows.push({ what: '`true`, confined, median', measured: { value: confined, unit: 'ms' }, baseline: plain });
    const namespaces = process.platform === 'linux' ? median(await sample(RUNS, WARM_UP, () => bare('bwrap', ['--ro-bind', '/', '/', '--unshare-net', '--unshare-pid', '--dev', '/dev', 'true']))) : undefined;
    if (namespaces !== undefined) rows.push({ what: '`true`, confined, median', measured: { value: confined, unit: 'ms' }, baseline: { what: 'bubblewrap alone', value: namespaces, unit: 'ms' } });
    rows.push({ what: 'Self-test of the sandbox, once a window', measured: { value: selfTest, unit: 'ms' }, baseline: { what: 'one confined `true`', value: confined, unit: 'ms' } });
    report(rows);
  }
} finally {
  await runner.dispose();
  await folder.dispose();
}
