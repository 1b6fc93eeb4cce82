import type { CallView, TaskEvent } from '../core/agent/events.ts';
import type { CommandOutput, CommandTerminals } from '../surfaces/terminal/terminals.ts';
import type { ActivityTree } from '../surfaces/tree/activity.ts';

export interface TaskFeedParts {
  readonly activity: Pick<ActivityTree, 'add'>;
  readonly terminals: Pick<CommandTerminals, 'start'>;
  readonly log: (line: string) => void;
  readonly now: () => number;
}

/** Shows what happens in the Activity view, the terminals and the log. Decides nothing. */
export class TaskFeed {
  readonly #parts: TaskFeedParts;
  readonly #outputs = new Map<string, CommandOutput>();

  constructor(parts: TaskFeedParts) {
    this.#parts = parts;
  }

  onEvent(event: TaskEvent): void {
    if (event.type === 'call') this.#onCall(event.task, event.view);
    if (event.type === 'output') this.#outputs.get(nameOf(event.task, event.callId))?.write(event.text);
    if (event.type === 'retrying') this.#parts.log(`Model: ${event.reason} Retry ${event.attempt} of ${event.limit} in ${event.waitMs} ms.`);
    if (event.type === 'task_ended' && event.text !== undefined) this.#parts.log(`Task ended (${event.how}): ${event.text}`);
  }

  #onCall(task: string, view: CallView): void {
    const name = nameOf(task, view.callId);
    if (view.state === 'running' && view.subject?.form === 'command' && !this.#outputs.has(name)) {
      this.#outputs.set(name, this.#parts.terminals.start(view.subject.target));
    }
    if (view.state === 'judging' || view.state === 'running') return;
    if (view.state !== 'waiting') {
      this.#outputs.get(name)?.end([view.summary ?? view.state.replaceAll('_', ' '), took(view)].filter((part) => part !== '').join(' · '));
      this.#outputs.delete(name);
    }
    this.#parts.activity.add({ id: name, time: this.#parts.now(), title: titleOf(view), outcome: view.state, decider: view.allowedBy, record: view.callId });
  }
}

/** Call ids are unique in a task only: a later task must not take the place of an earlier one's entry. */
function nameOf(task: string, callId: string): string {
  return `${task}/${callId}`;
}

function titleOf({ subject, tool }: CallView): string {
  return subject === undefined ? tool : `${subject.verb}: ${subject.target}`;
}

function took({ durationMs }: CallView): string {
  return durationMs === undefined ? '' : `${(durationMs / 1_000).toFixed(1)} s`;
}
