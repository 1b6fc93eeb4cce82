#!/usr/bin/env node
import { DECIDE_HELP, runDecide } from './cli/run-decide.ts';

const HELP = `sluice COMMAND

  decide   judge calls without running them; "sluice decide --help" says more
`;

const [command, ...rest] = process.argv.slice(2);
const wantsHelp = rest.includes('--help') || rest.includes('-h');
if (command === 'decide' && !wantsHelp) process.exitCode = await runDecide(rest);
else {
  const known = command === undefined || command === 'decide' || command === '--help' || command === '-h' || command === 'help';
  (known ? process.stdout : process.stderr).write(known ? (command === 'decide' ? DECIDE_HELP : HELP) : `sluice: there is no command "${command}".\n\n${HELP}`);
  process.exitCode = known ? 0 : 2;
}
