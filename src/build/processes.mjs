// @ts-check
/**
 * Child processes that can be ended completely. Each runs in a process group of its own (POSIX) or a tree (Windows)
 * and is ended by that id, never by name. `endAll` is bounded in time.
 */
import { spawn, spawnSync } from 'node:child_process';

/**
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio?: import('node:child_process').StdioOptions }} StartOptions
 * @typedef {{ code: number, output: string }} RunResult
 */

const windows = process.platform === 'win32';

/** @param {string} command @param {readonly string[]} args @param {StartOptions} [options] @returns {ChildProcess} */
export function start(command, args, options = {}) {
  return spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options, detached: !windows, windowsHide: true });
}

/** @param {ChildProcess} child @param {NodeJS.Signals} signal */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  if (windows) {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // ESRCH: the whole group is gone already.
  }
}

/**
 * Ends the child's group: SIGTERM, then SIGKILL after `graceMs`, also for members that outlive their leader.
 * @param {ChildProcess} child @param {number} [graceMs]
 */
export async function end(child, graceMs = 2000) {
  if (child.pid === undefined) return;
  const gone = new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(undefined);
    else child.once('exit', resolve);
  });
  signalGroup(child, 'SIGTERM');
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
  signalGroup(child, 'SIGKILL');
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
}

/**
 * Runs to the end and returns exit code and combined output. Without `live` the output is only returned.
 * @param {string} command @param {readonly string[]} args
 * @param {StartOptions & { live?: boolean, track?: Set<ChildProcess> }} [options] @returns {Promise<RunResult>}
 */
export function run(command, args, options = {}) {
  const { live = false, track, ...rest } = options;
  return new Promise((resolve) => {
    const child = start(command, args, { ...rest, stdio: live ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'] });
    track?.add(child);
    let output = '';
    child.stdout?.on('data', (chunk) => { output += chunk; });
    child.stderr?.on('data', (chunk) => { output += chunk; });
    child.once('error', (error) => resolve({ code: 127, output: `${output}${error.message}` }));
    child.once('close', (code) => {
      track?.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}

/**
 * npm through the very npm that runs us when there is one, so that no PATH or shell question arises.
 * @param {readonly string[]} args @param {StartOptions & { live?: boolean, track?: Set<ChildProcess> }} [options]
 */
export function npm(args, options = {}) {
  const script = process.env['npm_execpath'];
  if (script?.endsWith('.js')) return run(process.execPath, [script, ...args], options);
  if (windows) return run('cmd.exe', ['/d', '/s', '/c', 'npm.cmd', ...args], options);
  return run('npm', args, options);
}

/**
 * Ends everything in `children` on Ctrl-C, SIGTERM and SIGHUP, then leaves with the usual code.
 * @param {Set<ChildProcess>} children @param {() => void | Promise<void>} [afterwards]
 */
export function endOnSignals(children, afterwards = () => {}) {
  let ending = false;
  /** @param {number} code */
  const leave = async (code) => {
    if (ending) return;
    ending = true;
    await Promise.all([...children].map((child) => end(child)));
    await afterwards();
    process.exit(code);
  };
  const listeners = Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }).map(([signal, code]) => {
    const listener = () => void leave(code);
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return { stopListening: () => listeners.forEach((off) => off()), isEnding: () => ending };
}
