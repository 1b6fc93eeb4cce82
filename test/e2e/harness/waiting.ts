/** Bounded waiting, and looking at the process tree. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Asks `probe` until it answers something. */
export async function until<T>(what: string, probe: () => T | undefined | Promise<T | undefined>, timeoutMs = 30_000): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(`Waited ${timeoutMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Linux is asked through /proc, because a small machine has no `ps`. */
function processes(): Process[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        // A zombie has ended; its entry stays until its parent looks.
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
      } catch {
        return [];
      }
    });
  }
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** Whether the process still runs. A zombie does not. */
export function isRunning(pid: number): boolean {
  return processes().some((one) => one.pid === pid);
}

/** Process ids below `ancestor` whose command line contains the text, oldest first. */
export function childrenOf(ancestor: number, text = ''): number[] {
  const all = processes();
  const below = new Set([ancestor]);
  for (let grown = true; grown;) {
    const next = all.filter((one) => below.has(one.parent) && !below.has(one.pid));
    for (const one of next) below.add(one.pid);
    grown = next.length > 0;
  }
  return all.filter((one) => one.pid !== ancestor && below.has(one.pid) && one.command.includes(text)).map((one) => one.pid).sort((a, b) => a - b);
}
