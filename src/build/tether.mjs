// @ts-check
/**
 * Preloaded into a server that must not outlive the process that started it: when that process is gone, however it
 * went, our stdin ends, and the whole process group goes too.
 */
const own = process.execArgv.findIndex((argument) => argument.includes('tether.mjs'));
// Children inherit execArgv; they are part of the group and need no tether of their own.
if (own >= 0) process.execArgv.splice(own, 1);

/** @param {NodeJS.Signals} signal */
function signalGroup(signal) {
  if (process.platform === 'win32') process.exit(1);
  process.kill(-process.pid, signal);
}

process.stdin.on('error', () => {});
process.stdin.on('end', () => {
  setTimeout(() => signalGroup('SIGKILL'), 2000);
  signalGroup('SIGTERM');
});
process.stdin.resume();
