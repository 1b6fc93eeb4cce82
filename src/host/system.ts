import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Ids } from '../core/ports.ts';
import type { Sha256 } from '../core/digest.ts';

export const sha256: Sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex');

/** Longer waits than a timer can hold are cut to 24 days. */
const LONGEST_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(Math.min(Math.max(ms, 0), LONGEST_TIMER_MS), undefined, { signal, ref: false }),
};

/** 128 random bits each. */
export const randomIds: Ids = {
  next: (prefix) => `${prefix}_${randomBytes(16).toString('base64url')}`,
};

/** Whether a process of this machine lives; one that may not be signalled lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
