import type { TaskEvent } from '../core/agent/events.ts';
import type { ModelSource } from '../core/agent/model.ts';
import type { Session } from '../core/agent/session.ts';
import type { TaskRecord } from '../core/agent/session-parts.ts';
import type { Task } from '../core/agent/task.ts';
import type { Call, Channel } from '../core/call.ts';
import type { SessionState } from './session-file.ts';

export interface ConversationParts {
  /** Loaded and made at the first task. */
  readonly session: () => Promise<Pick<Session, 'create' | 'resume'>>;
  readonly model: () => Promise<ModelSource>;
  readonly emit: (event: TaskEvent) => void;
  /** Gives a typed message to a question that waits; false when none does. */
  readonly answerQuestion: (text: string) => boolean;
  readonly runningChanged: (running: boolean) => void;
}

/** Said for a call that the last window left open. `asked` calls waited for a person and certainly never ran. */
function fateOf(call: Call, asked: ReadonlySet<string>): string {
  if (asked.has(call.id)) return 'Interrupted: the window closed before anybody answered. Nothing ran. This is not a denial.';
  return 'Interrupted: the editor ended before this call had a result. If it had started, it may have had effects; look before trying again.';
}

/** The one task that the chat shows: a message starts it, joins it while it runs, or goes on with it afterwards. */
export class Conversation {
  readonly #parts: ConversationParts;
  #task: Task | undefined;
  /** The run in progress, from the message on; `stopped` when Stop came before the task was there. */
  #run: { stopped: boolean } | undefined;
  /** Typed before the first task was there. */
  #early: string[] = [];

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  get taskId(): string | undefined {
    return this.#task?.actor.task;
  }

  get running(): boolean {
    return this.#run !== undefined;
  }

  /** Text of the person. Never an answer to an approval. */
  send(text: string, channel: Channel = 'editor'): void {
    if (this.#parts.answerQuestion(text)) {
      this.#emitUser(text);
      return;
    }
    if (this.#task !== undefined) {
      this.#task.queue(text);
      if (!this.running) this.#start(() => Promise.resolve(this.#task), undefined);
      return;
    }
    if (this.running) {
      this.#early.push(text);
      return;
    }
    this.#start(async () => (await this.#parts.session()).create(text, channel), text);
  }

  /** The next message starts a new task. A running one is stopped. */
  reset(): void {
    this.stop();
    this.#task = undefined;
  }

  stop(): void {
    if (this.#run !== undefined) this.#run.stopped = true;
    this.#task?.stop();
  }

  goOn(): void {
    if (!this.running && this.#task !== undefined) this.#start(() => Promise.resolve(this.#task), undefined);
  }

  /** Puts a task of an ended window back, stopped; `goOn` takes it up again. Does nothing when a task is there already. */
  async restore(record: TaskRecord, leftover: Pick<SessionState, 'pending'>): Promise<boolean> {
    const asked = new Set(leftover.pending.map((request) => request.callId));
    const session = await this.#parts.session();
    if (this.#task !== undefined || this.running) return false;
    this.#task = session.resume(record, (call) => fateOf(call, asked));
    return true;
  }

  #start(find: () => Promise<Task | undefined>, prompt: string | undefined): void {
    const run = { stopped: false };
    this.#run = run;
    this.#parts.runningChanged(true);
    void this.#go(find, prompt, run).catch((error: unknown) => {
      this.#parts.emit({ task: this.taskId ?? '', type: 'notice', level: 'error', text: `The task could not be started: ${error instanceof Error ? error.message : 'unknown error'}` });
    }).finally(() => {
      if (this.#run === run) this.#run = undefined;
      this.#parts.runningChanged(this.running);
    });
  }

  async #go(find: () => Promise<Task | undefined>, prompt: string | undefined, run: { stopped: boolean }): Promise<void> {
    const task = await find();
    if (task === undefined || this.#run !== run) return;
    this.#task = task;
    for (const text of this.#early.splice(0)) task.queue(text);
    let source: ModelSource;
    try {
      source = await this.#parts.model();
    } catch (error) {
      const text = error instanceof Error ? error.message : 'The model could not be chosen.';
      this.#parts.emit({ task: task.actor.task, type: 'task_started', title: task.title, model: 'none', notice: undefined, profile: '' });
      if (prompt !== undefined) this.#emitUser(prompt);
      this.#parts.emit({ task: task.actor.task, type: 'task_ended', how: 'failed', text });
      return;
    }
    if (prompt !== undefined) this.#emitUser(prompt);
    const running = task.run(source);
    if (run.stopped) task.stop();
    await running;
  }

  #emitUser(text: string): void {
    if (this.taskId !== undefined) this.#parts.emit({ task: this.taskId, type: 'user_message', text });
  }
}
