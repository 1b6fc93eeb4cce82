import type { TaskEvent } from '../core/agent/events.ts';
import type { ModelSource } from '../core/agent/model.ts';
import type { Session } from '../core/agent/session.ts';
import type { TaskRecord } from '../core/agent/session-parts.ts';
import type { Task } from '../core/agent/task.ts';
import type { Call, Channel } from '../core/call.ts';
import type { SessionState } from './session-file.ts';

export interface ConversationParts {
  /** Made at the first task. */
  readonly session: () => Session;
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
  /** Between a message and the run it starts: the model is being chosen. */
  #starting: AbortController | undefined;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  get taskId(): string | undefined {
    return this.#task?.actor.task;
  }

  get running(): boolean {
    return this.#starting !== undefined || this.#task?.running === true;
  }

  /** Text of the person. Never an answer to an approval. */
  send(text: string, channel: Channel = 'editor'): void {
    if (this.#parts.answerQuestion(text)) {
      if (this.#task !== undefined) this.#emitUser(this.#task, text);
      return;
    }
    if (this.running && this.#task !== undefined) {
      this.#task.queue(text);
      return;
    }
    if (this.#task === undefined) {
      this.#task = this.#parts.session().create(text, channel);
      this.#start(text);
      return;
    }
    this.#task.queue(text);
    this.#start(undefined);
  }

  /** The next message starts a new task. A running one is stopped. */
  reset(): void {
    this.stop();
    this.#task = undefined;
    this.#starting = undefined;
  }

  /** Also ends a task that has not begun because its model is still being chosen. */
  stop(): void {
    this.#starting?.abort();
    this.#task?.stop();
  }

  goOn(): void {
    if (this.running || this.#task === undefined) return;
    this.#start(undefined);
  }

  /** Puts a task of an ended window back, stopped; `goOn` takes it up again. */
  restore(record: TaskRecord, leftover: Pick<SessionState, 'pending'>): void {
    const asked = new Set(leftover.pending.map((request) => request.callId));
    this.#task = this.#parts.session().resume(record, (call) => fateOf(call, asked));
  }

  #start(prompt: string | undefined): void {
    const task = this.#task;
    if (task === undefined) return;
    const starting = new AbortController();
    this.#starting = starting;
    this.#parts.runningChanged(true);
    void this.#run(task, prompt, starting).finally(() => {
      if (this.#starting === starting) this.#starting = undefined;
      // A task that was put aside may end after the next one has begun.
      if (!this.running) this.#parts.runningChanged(false);
    });
  }

  async #run(task: Task, prompt: string | undefined, starting: AbortController): Promise<void> {
    const { signal } = starting;
    const source = await this.#parts.model().catch((error: unknown) => (error instanceof Error ? error.message : 'The model could not be chosen.'));
    if (signal.aborted || typeof source === 'string') {
      if (this.#task !== task) return;
      this.#parts.emit({ task: task.actor.task, type: 'task_started', title: task.title, model: 'none', notice: undefined, profile: '' });
      if (prompt !== undefined) this.#emitUser(task, prompt);
      this.#parts.emit({ task: task.actor.task, type: 'task_ended', how: signal.aborted ? 'stopped' : 'failed', text: typeof source === 'string' && !signal.aborted ? source : undefined });
      return;
    }
    if (prompt !== undefined) this.#emitUser(task, prompt);
    const run = task.run(source);
    if (this.#starting === starting) this.#starting = undefined;
    const { how } = await run;
    // Typed after the last look into the queue: it would wait for nothing.
    if (how === 'finished' && this.#task === task && task.hasQueued && !this.running) this.#start(undefined);
  }

  #emitUser(task: Task, text: string): void {
    this.#parts.emit({ task: task.actor.task, type: 'user_message', text });
  }
}
