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

function stateOf(result: string): CallState {
  if (result.startsWith('Denied by the person')) return 'denied_by_person';
  if (result.startsWith('Not run, and it will not be')) return 'denied_by_rule';
  if (/^(Cancelled|Interrupted)/.test(result)) return 'cancelled';
  if (/^(Not run|Not applied|No answer|No result)/.test(result)) return 'no_answer';
  return 'done';
}
