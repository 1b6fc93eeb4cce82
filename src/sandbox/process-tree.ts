import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The program's short name; empty where it is not known. */
  readonly name: string;
  readonly zombie: boolean;
}

/**
 * Every process of this machine, or an empty list where it cannot be told. Linux reads /proc; elsewhere `ps`
 * is asked, with two seconds to answer.
 */
export async function listProcesses(platform: NodeJS.Platform): Promise<ProcessEntry[]> {
  if (platform === 'linux') {
    const names = await readdir('/proc').catch(() => []);
    const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readStat));
    return found.filter((entry) => entry !== undefined);
  }
  const ps = await promisify(execFile)('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { timeout: 2000 }).catch(() => ({ stdout: '' }));
  return ps.stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, stat] = line.trim().split(/\s+/);
    return pid && parent && group ? [{ pid: Number(pid), parent: Number(parent), group: Number(group), name: '', zombie: (stat ?? '').startsWith('Z') }] : [];
  });
}

async function readStat(name: string): Promise<ProcessEntry | undefined> {
  const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
  // The program's own name stands in parentheses and may hold anything, parentheses too.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!parent || !group) return undefined;
  return { pid: Number(name), parent: Number(parent), group: Number(group), name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), zombie: state === 'Z' || state === 'X' };
}

/** `root` itself, its group and all below it; zombies, which nothing can end, are left out. */
export function treeOf(root: number, entries: readonly ProcessEntry[]): Set<number> {
  const members = new Set([root]);
  for (const entry of entries) if (entry.group === root) members.add(entry.pid);
  for (let grew = true; grew; ) {
    const before = members.size;
    for (const entry of entries) if (members.has(entry.parent)) members.add(entry.pid);
    grew = members.size > before;
  }
  const alive = new Set(entries.filter((entry) => !entry.zombie).map((entry) => entry.pid));
  return new Set([...members].filter((pid) => alive.has(pid)));
}

/**
 * Everything a run started that is still alive: its tree, and on Linux also processes that left it (own session,
 * adopted by init) but still carry the run's private folder in their environment. A program that leaves the
 * tree *and* clears its environment is not found: outside the sandbox this is best effort.
 */
export async function survivors(root: number, mark: string, platform: NodeJS.Platform): Promise<ProcessEntry[]> {
  const entries = await listProcesses(platform);
  const found = treeOf(root, entries);
  if (platform === 'linux') {
    const marked = await Promise.all(entries.filter((entry) => !entry.zombie && !found.has(entry.pid)).map(async (entry) => {
      const environment = await readFile(`/proc/${String(entry.pid)}/environ`, 'latin1').catch(() => '');
      return environment.includes(`TMPDIR=${mark}\0`) ? entry.pid : undefined;
    }));
    for (const pid of marked) if (pid !== undefined) for (const member of treeOf(pid, entries)) found.add(member);
  }
  found.delete(process.pid);
  return entries.filter((entry) => found.has(entry.pid));
}

function signalAll(entries: readonly ProcessEntry[], signal: NodeJS.Signals): void {
  for (const { pid } of entries) {
    try {
      process.kill(pid, signal);
    } catch {
      // Already gone, or not ours to end: the next look at the process table tells which.
    }
  }
}

export interface Ending {
  readonly root: number;
  readonly mark: string;
  readonly platform: NodeJS.Platform;
  /** Milliseconds between the polite and the hard signal. */
  readonly graceMs: number;
}

/** The sandbox's own programs get no polite signal: when one of them goes, all inside dies without its grace. */
const SANDBOX_PROGRAMS = new Set(['bwrap', 'apply-seccomp']);

/** Rounds of the hard signal: each one catches what forked during the one before. */
const HARD_ROUNDS = 5;

/** Ends all that a run started. Resolves with how many processes could not be ended; never rejects. */
export async function endTree(ending: Ending): Promise<number> {
  const { root, mark, platform } = ending;
  if (platform === 'win32') return endOnWindows(root);
  let alive = await survivors(root, mark, platform);
  signalAll(alive.filter((entry) => !SANDBOX_PROGRAMS.has(entry.name)), 'SIGTERM');
  const until = performance.now() + ending.graceMs;
  while (alive.length > 0 && performance.now() < until) {
    await pause(40);
    alive = await survivors(root, mark, platform);
  }
  for (let round = 0; alive.length > 0 && round < HARD_ROUNDS; round += 1) {
    signalAll(alive, 'SIGKILL');
    await pause(round === 0 ? 15 : 60);
    alive = await survivors(root, mark, platform);
  }
  return alive.length;
}

async function endOnWindows(root: number): Promise<number> {
  const done = await promisify(execFile)('taskkill', ['/pid', String(root), '/T', '/F'], { timeout: 5000 }).then(() => true, () => false);
  return done ? 0 : 1;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
