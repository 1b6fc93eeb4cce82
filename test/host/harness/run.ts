/**
 * Runs the in-host tests: every launch of launches.ts, one after the other, in the host that `SLUICE_HOST` names
 * (`browser` or `desktop`). An argument filters by test title; `SLUICE_SUITE_RESULTS` names a file for the counts.
 *
 *   npm test -- host                  all of them
 *   npm test -- host "dirty editor"   those whose title contains this
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../src/build/install.mjs';
import { fillWorkspace, tempFolder, writeFiles } from '../../e2e/harness/workspace.ts';
import { launchInBrowser, type LaunchOutcome } from './browser-launch.ts';
import { bundleLaunch } from './bundle.ts';
import { findLaunches, type Launch } from './launches.ts';
import type { HostResults, HostTest } from './results.ts';

const timeoutMs = 300_000;

async function runLaunch(launch: Launch, grep: string | undefined): Promise<HostTest[]> {
  const folder = await tempFolder('host');
  try {
    const workspace = join(folder.path, 'workspace');
    await fillWorkspace(workspace, join(root, launch.options.workspace ?? 'test/fixtures/sample'));
    await writeFiles(workspace, launch.options.files ?? {});
    const resultsFile = join(folder.path, 'results.json');
    const env = { SLUICE_HOST_RESULTS: resultsFile, ...(grep ? { SLUICE_HOST_GREP: grep } : {}) };
    const input = { bundle: await bundleLaunch(launch), workspace, dataDir: join(folder.path, 'data'), options: launch.options, env, timeoutMs };
    const outcome = process.env['SLUICE_HOST'] === 'desktop'
      ? await (await import('./desktop-launch.ts')).launchOnDesktop(input)
      : await launchInBrowser(input);
    return await readResults(launch, resultsFile, outcome);
  } finally {
    await folder.dispose();
  }
}

async function readResults(launch: Launch, file: string, outcome: LaunchOutcome): Promise<HostTest[]> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const tests = text === undefined ? [] : [...(JSON.parse(text) as HostResults).tests];
  const failed = tests.some((test) => test.state === 'failed');
  if (text === undefined || (outcome.code !== 0 && !failed)) {
    tests.push({ title: `launch ${launch.name}`, state: 'failed', ms: 0, reason: `The host ended with code ${outcome.code} and without results.` });
  }
  if (tests.some((test) => test.state === 'failed')) console.log(`Console of launch ${launch.name}:\n${outcome.log.slice(-20_000)}`);
  return tests;
}

function print(test: HostTest): void {
  const mark = { passed: '✓', failed: '✗', skipped: '-' }[test.state];
  console.log(`  ${mark} ${test.title}${test.state === 'passed' ? ` (${test.ms} ms)` : ''}${test.reason ? `\n      ${test.reason.replaceAll('\n', '\n      ')}` : ''}`);
}

async function main(): Promise<void> {
  const grep = process.argv[2];
  const tests: HostTest[] = [];
  for (const launch of findLaunches()) {
    console.log(`In-host tests, launch ${launch.name}`);
    const found = await runLaunch(launch, grep);
    for (const test of found) print(test);
    tests.push(...found);
  }
  const file = process.env['SLUICE_SUITE_RESULTS'];
  if (file) await writeFile(file, JSON.stringify({ tests }));
  process.exitCode = tests.some((test) => test.state === 'failed') ? 1 : 0;
}

await main();
