#!/usr/bin/env node
import { linesOf } from './cli/lines.ts';
import { createDecider } from './cli/decide.ts';
import { DECIDE_USAGE, readDecideOptions, UsageError } from './cli/options.ts';
import { grammarFrom } from './host/shell-analysis.ts';

/** Wires the terminal. `sluice decide`: decisions for calls on the standard input. */
async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv;
  if (command === 'decide' && !rest.includes('--help')) return decide(rest);
  const asked = command === 'decide' || command === '--help' || command === 'help';
  (asked ? process.stdout : process.stderr).write(`${DECIDE_USAGE}\n`);
  return asked ? 0 : 2;
}

async function decide(argv: readonly string[]): Promise<number> {
  const warn = (text: string): void => { process.stderr.write(`${text}\n`); };
  const decider = createDecider(readDecideOptions(argv, process.platform), () => grammarFrom(import.meta.dirname), warn);
  for (const problem of decider.policy.problems) warn(problem.message);
  for await (const line of linesOf(process.stdin)) {
    if (line.trim() === '') continue;
    if (!process.stdout.write(`${JSON.stringify(await decider.decide(line))}\n`)) await new Promise((resume) => { process.stdout.once('drain', resume); });
  }
  decider.dispose();
  return 0;
}

// Whoever reads may stop early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => { process.exit(error.code === 'EPIPE' ? 0 : 1); });
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof UsageError ? `${error.message} "sluice decide --help" shows the options.` : error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
