import type { Call, Channel } from '../call.ts';
import { SessionGrants } from '../approval/grants.ts';
import type { SessionParts, TaskRecord } from './session-parts.ts';
import { Task } from './task.ts';
import { Transcript } from './transcript.ts';

/** Tasks of one window. Standing grants live here and end with it. */
export class Session {
  readonly grants = new SessionGrants();
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** A new task. Nothing happens until `run`. */
  create(prompt: string, channel: Channel): Task {
    const { ids, clock } = this.#parts;
    const record: TaskRecord = { id: ids.next('task'), title: titleOf(prompt), channel, createdAt: clock.now(), messages: [{ role: 'user', text: prompt }], end: 'running' };
    return new Task(this.#parts, this.grants, record);
  }

  /** A task from an earlier window, with its open calls closed honestly. */
  resume(record: TaskRecord, resultFor: (call: Call) => string): Task {
    const transcript = new Transcript(record.messages);
    transcript.closeOpenCalls(resultFor);
    return new Task(this.#parts, this.grants, { ...record, messages: transcript.messages(), end: 'interrupted' });
  }
}

/** The first line of what the person asked, short enough for a header. */
function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}
