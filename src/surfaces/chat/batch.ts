import type { TaskEvent } from '../../core/agent/events.ts';
import type { ChatEvent } from './items.ts';

/**
 * Joins streamed pieces that follow each other, so that a burst of deltas is one message. Reducing the joined
 * list gives the same state as reducing each piece.
 */
export function join(events: ChatEvent[], next: ChatEvent): void {
  const last = events.at(-1);
  const joined = last?.type === 'task' && next.type === 'task' ? joinTask(last.event, next.event) : undefined;
  if (joined === undefined) events.push(next);
  else events[events.length - 1] = { type: 'task', event: joined };
}

function joinTask(last: TaskEvent, next: TaskEvent): TaskEvent | undefined {
  if (last.task !== next.task) return undefined;
  if (last.type === 'text' && next.type === 'text') return { ...last, text: last.text + next.text };
  if (last.type === 'reasoning' && next.type === 'reasoning') return { ...last, text: last.text + next.text };
  if (last.type === 'output' && next.type === 'output' && last.callId === next.callId) return { ...last, text: last.text + next.text };
  return undefined;
}
