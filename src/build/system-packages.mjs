// @ts-check
/**
 * The Linux packages that tests use: installed when this may be done without a question, otherwise named in one line.
 */
import { findChromium, onPath } from './programs.mjs';
import { run } from './processes.mjs';

/** Debian package -> is it there? */
const wanted = Object.freeze({
  bubblewrap: () => onPath('bwrap') !== undefined,
  socat: () => onPath('socat') !== undefined,
  ripgrep: () => onPath('rg') !== undefined,
  chromium: () => findChromium() !== undefined,
});

export function missingSystemPackages() {
  return Object.entries(wanted).filter(([, isThere]) => !isThere()).map(([name]) => name);
}

/** How to become root without a question: no prefix as root, `sudo -n` where it works, otherwise undefined. */
async function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  if (onPath('sudo') !== undefined && (await run('sudo', ['-n', 'true'])).code === 0) return ['sudo', '-n'];
  return undefined;
}

/**
 * Returns what is still missing afterwards.
 * @param {import('./steps.mjs').Say} say @param {Set<import('node:child_process').ChildProcess>} [track] @returns {Promise<string[]>}
 */
export async function ensureSystemPackages(say, track = new Set()) {
  const missing = missingSystemPackages();
  if (missing.length === 0) return [];
  const line = `apt-get install -y ${missing.join(' ')}`;
  const prefix = process.platform === 'linux' && onPath('apt-get') !== undefined ? await rootPrefix() : undefined;
  if (prefix === undefined) {
    say(process.platform === 'linux' ? `Missing: ${missing.join(', ')}. To install them: sudo ${line}` : `Missing: ${missing.join(', ')}`);
    return missing;
  }
  say(`Installing the Linux packages ${missing.join(' ')}`);
  const asRoot = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive'];
  const install = [...asRoot, 'apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  let result = await runLine(install, track);
  if (result.code !== 0) {
    // The lists of a fresh machine are empty or old.
    await runLine([...asRoot, 'apt-get', 'update'], track);
    result = await runLine(install, track);
  }
  const left = missingSystemPackages();
  if (left.length > 0) say(`Could not install ${left.join(', ')} (exit code ${result.code}): ${result.output.trim().split('\n').at(-1)}`);
  return left;
}

/** @param {readonly string[]} line @param {Set<import('node:child_process').ChildProcess>} track */
function runLine([command = '', ...args], track) {
  return run(command, args, { track });
}
