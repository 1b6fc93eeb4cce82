import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalRequest } from '../core/approval/request.ts';
import type { PendingStore } from '../core/approval/broker.ts';
import type { TaskRecord } from '../core/agent/session-parts.ts';
import { removeFiles, replaceFile } from '../sandbox/state-file.ts';

/** What one window leaves behind, so that the next one knows what was going on. */
export interface SessionState {
  readonly session: string;
  readonly pid: number;
  /** Set when the window closed in order; false in the file of a window that is alive or crashed. */
  readonly released: boolean;
  readonly savedAt: number;
  readonly task: TaskRecord | undefined;
  readonly pending: readonly ApprovalRequest[];
}

const NAME = /^session-[\w-]+\.json$/;
/** Largest file that is read back, in bytes. */
const READ_LIMIT = 32 * 1024 * 1024;

/** The state of this window, written whole and atomically after every change; changes in between are joined. */
export class SessionFile implements PendingStore {
  readonly #folder: string;
  #state: SessionState;
  #writing: Promise<void> | undefined;
  #again = false;

  constructor(folder: string, session: string, pid: number) {
    this.#folder = folder;
    this.#state = { session, pid, released: false, savedAt: 0, task: undefined, pending: [] };
  }

  save(pending: readonly ApprovalRequest[]): Promise<void> {
    if (this.#state.released) return Promise.resolve();
    this.#state = { ...this.#state, pending };
    return this.#flush();
  }

  saveTask(task: TaskRecord): Promise<void> {
    if (this.#state.released) return Promise.resolve();
    this.#state = { ...this.#state, task };
    return this.#flush();
  }

  /** Says that this window is over. The state is kept as it is now: what ends because the window closes is not written over it. */
  release(): Promise<void> {
    this.#state = { ...this.#state, released: true };
    return this.#flush();
  }

  get path(): string {
    return join(this.#folder, `session-${this.#state.session}.json`);
  }

  /** Resolves when the state as it is now, or a later one, is on disk. */
  #flush(): Promise<void> {
    if (this.#writing !== undefined) {
      this.#again = true;
      return this.#writing.then(() => this.#flushed());
    }
    this.#writing = this.#write().finally(() => { this.#writing = undefined; });
    return this.#writing;
  }

  #flushed(): Promise<void> {
    if (!this.#again) return this.#writing ?? Promise.resolve();
    this.#again = false;
    return this.#flush();
  }

  async #write(): Promise<void> {
    await replaceFile(this.path, JSON.stringify({ ...this.#state, savedAt: Date.now() }));
  }
}

/**
 * The newest state that an ended window left, or undefined. Files of windows that still live are left alone; older
 * ones are removed. A file that cannot be read is skipped: it was never the truth of anything running.
 */
export async function takeLeftover(folder: string, alive: (pid: number) => boolean): Promise<SessionState | undefined> {
  const states: { readonly state: SessionState; readonly path: string }[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (!NAME.test(name)) continue;
    const path = join(folder, name);
    const state = await readState(path);
    if (state === undefined || (!state.released && alive(state.pid))) continue;
    states.push({ state, path });
  }
  states.sort((a, b) => b.state.savedAt - a.state.savedAt);
  await removeFiles(states.map(({ path }) => path));
  return states[0]?.state;
}

async function readState(path: string): Promise<SessionState | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    if (text.length > READ_LIMIT) return undefined;
    const state = JSON.parse(text) as Partial<SessionState>;
    if (typeof state.session !== 'string' || typeof state.pid !== 'number' || !Array.isArray(state.pending)) return undefined;
    return { session: state.session, pid: state.pid, released: state.released === true, savedAt: state.savedAt ?? 0, task: state.task, pending: state.pending };
  } catch {
    return undefined;
  }
}
