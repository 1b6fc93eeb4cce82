import type { CallState, TaskEvent } from '../core/agent/events.ts';
import type { TaskRecord } from '../core/agent/session-parts.ts';

/** The events that show a task from an earlier window again. Only what its history holds; nothing runs by it. */
export function replayTask(record: TaskRecord, model: string, profile: string): readonly TaskEvent[] {
  const task = record.id;
  const results = new Map(record.messages.flatMap((message) => (message.role === 'tool' ? [[message.callId, message.text] as const] : [])));
  const events: TaskEvent[] = [{ task, type: 'task_started', title: record.title, model, notice: undefined, profile }];
  for (const message of record.messages) {
    if (message.role === 'user') events.push({ task, type: 'user_message', text: message.text });
    if (message.role !== 'assistant') continue;
    if (message.text !== '') events.push({ task, type: 'text', text: message.text });
    events.push({ task, type: 'message_ended' });
    for (const call of message.calls) {
      const result = results.get(call.id);
      const state: CallState = result === undefined ? 'no_answer' : stateOf(result);
      events.push({ task, type: 'call', view: { callId: call.id, tool: call.tool, state, subject: undefined, reason: result?.split('\n', 1)[0]?.slice(0, 300) } });
    }
  }
  return events;
}

/** How the result of a call begins tells how it ended; the first that fits counts, and everything else is a result. */
const ENDS: readonly (readonly [RegExp, CallState])[] = [
  [/^(Denied by the person|Not run: the person already denied)/, 'denied_by_person'],
  [/^(Not run, and it will not be|Not run: this needs a person's approval|The tool \S+ is not available)/, 'denied_by_rule'],
  [/^(There is no tool|Not run: the arguments of)/, 'invalid'],
  [/^Interrupted: the editor ended/, 'unknown'],
  [/^(Cancelled|Not run: an earlier call)/, 'cancelled'],
  [/^(Interrupted|No answer|No result)/, 'no_answer'],
  [/^\[ended at the time limit/, 'timed_out'],
  [/^(Not run|Not applied|Failed while running|\[exit code (?!0\b)|\[ended by )/, 'failed'],
];

function stateOf(result: string): CallState {
  return ENDS.find(([begins]) => begins.test(result))?.[1] ?? 'done';
}
