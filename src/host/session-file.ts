import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalRequest } from '../core/approval/request.ts';
import type { PendingStore } from '../core/approval/broker.ts';
import type { ModelMessage } from '../core/agent/model.ts';
import type { TaskRecord } from '../core/agent/session-parts.ts';
import { CHANNELS, type Call } from '../core/call.ts';
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
      // Also after a failure: this state has not been tried yet.
      return this.#writing.then(() => this.#flushed(), () => this.#flushed());
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
    if ((await stat(path)).size > READ_LIMIT) return undefined;
    const state = JSON.parse(await readFile(path, 'utf8')) as Partial<SessionState>;
    if (typeof state.session !== 'string' || typeof state.pid !== 'number' || !isList(state.pending, isRequest)) return undefined;
    if (state.task !== undefined && !isTask(state.task)) return undefined;
    const savedAt = typeof state.savedAt === 'number' ? state.savedAt : 0;
    return { session: state.session, pid: state.pid, released: state.released === true, savedAt, task: state.task, pending: state.pending };
  } catch {
    return undefined;
  }
}

/** The parts that the next window goes by; what is only shown may be missing. */
function isTask(value: unknown): value is TaskRecord {
  const task = value as Partial<TaskRecord> | null;
  return typeof task?.id === 'string' && typeof task.title === 'string' && CHANNELS.some((channel) => channel === task.channel) && isList(task.messages, isMessage);
}

function isMessage(value: unknown): value is ModelMessage {
  const message = value as { role?: unknown; text?: unknown; callId?: unknown; calls?: unknown } | null;
  if (typeof message?.text !== 'string') return false;
  if (message.role === 'tool') return typeof message.callId === 'string';
  return message.role === 'user' || (message.role === 'assistant' && isList(message.calls, isCall));
}

function isCall(value: unknown): value is Call {
  const call = value as Partial<Call> | null;
  return typeof call?.id === 'string' && typeof call.tool === 'string' && typeof call.argumentsText === 'string';
}

function isRequest(value: unknown): value is ApprovalRequest {
  const request = value as Partial<ApprovalRequest> | null;
  return typeof request?.id === 'string' && typeof request.task === 'string' && typeof request.callId === 'string';
}

function isList<T>(value: unknown, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem);
}
