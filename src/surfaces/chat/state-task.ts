/** The half of the reducer that follows a task. */
import type { CallState, CallView, TaskEnd, TaskEvent } from '../../core/agent/events.ts';
import { append, brief, MAX_MESSAGE, MAX_OUTPUT, replaceItem, say, sizeOf } from './items.ts';
import type { CallItem, ChatState, Item } from './items.ts';
import { callWord, endWord } from './wording.ts';

/** Longest target of a call line; the approval card and the record have it whole. */
const MAX_TARGET = 20_000;

export function applyTaskEvent(state: ChatState, event: TaskEvent): ChatState {
  switch (event.type) {
    case 'task_started': return started(state, event);
    case 'user_message': return append(running(settleRetry(state)), { kind: 'person', text: event.text.slice(0, MAX_MESSAGE) });
    case 'queued': return { ...state, queued: event.texts };
    case 'text': return stream(state, 'agent', event.text);
    case 'reasoning': return stream(state, 'reasoning', event.text);
    case 'message_ended': return settleRetry(closeOpen(state));
    case 'retrying': return retrying(state, event);
    case 'call': return call(settleRetry(state), event.task, event.view);
    case 'output': return output(state, event.task, event.callId, event.text);
    case 'notice': return notice(state, event.level, event.text);
    case 'usage': return usage(state, event);
    case 'task_ended': return ended(state, event.task, event.how, event.text);
    default: return state;
  }
}

function started(state: ChatState, event: Extract<TaskEvent, { type: 'task_started' }>): ChatState {
  const { title, model, notice: sentence, profile } = event;
  const isNew = state.task !== undefined && state.task.id !== event.task;
  const base = isNew && state.items.length > 0 ? append(closeOpen(state), { kind: 'task', title }) : state;
  return {
    ...base, task: { id: event.task, title, model, notice: sentence, profile, phase: 'running' }, retrying: undefined,
    context: isNew ? undefined : base.context,
  };
}

function running(state: ChatState): ChatState {
  if (state.task === undefined || state.task.phase === 'running') return state;
  return { ...state, task: { ...state.task, phase: 'running' } };
}

function settleRetry(state: ChatState): ChatState {
  return state.retrying === undefined ? state : { ...state, retrying: undefined };
}

function stream(state: ChatState, kind: 'agent' | 'reasoning', text: string): ChatState {
  const base = running(settleRetry(state));
  const index = base.items.length - 1;
  const last = base.items[index];
  if (last?.kind !== kind || !last.open) {
    return append(base, { kind, text: text.slice(0, MAX_MESSAGE), open: true, cut: text.length > MAX_MESSAGE });
  }
  const whole = last.text + text;
  return replaceItem(base, index, { ...last, text: whole.slice(0, MAX_MESSAGE), cut: whole.length > MAX_MESSAGE });
}

function isOpen(item: Item): boolean {
  return (item.kind === 'agent' || item.kind === 'reasoning') && item.open;
}

function closeOpen(state: ChatState): ChatState {
  if (!state.items.some(isOpen)) return state;
  return { ...state, items: state.items.map((item) => (isOpen(item) ? { ...item, open: false } as Item : item)) };
}

/** The half answer is void: it goes, so that nobody reads it as said. */
function retrying(state: ChatState, event: Extract<TaskEvent, { type: 'retrying' }>): ChatState {
  const { attempt, limit, waitMs, reason } = event;
  const items = state.items.filter((item) => !isOpen(item));
  const chars = items.length === state.items.length ? state.chars : items.reduce((sum, item) => sum + sizeOf(item), 0);
  return { ...running(state), items, chars, retrying: { attempt, limit, waitMs, reason } };
}

function findCall(state: ChatState, task: string, callId: string): [number, CallItem] | undefined {
  const index = state.items.findLastIndex((item) => item.kind === 'call' && item.task === task && item.view.callId === callId);
  const item = state.items[index];
  return item?.kind === 'call' ? [index, item] : undefined;
}

const SETTLED: ReadonlySet<CallState> = new Set<CallState>([
  'done', 'failed', 'timed_out', 'denied_by_rule', 'denied_by_person', 'no_answer', 'cancelled', 'invalid', 'unknown',
]);

function call(state: ChatState, task: string, full: CallView): ChatState {
  const view = trimmed(full);
  const found = findCall(state, task, view.callId);
  const next = found === undefined
    ? append(state, { kind: 'call', task, view, output: '', outputCut: false })
    : replaceItem(state, found[0], { ...found[1], view });
  const worthSaying = SETTLED.has(view.state) && found?.[1].view.state !== view.state && (view.state !== 'done' || view.allowedBy === 'person');
  return worthSaying ? say(next, `${labelOf(view)}: ${callWord(view.state)}`) : next;
}

function trimmed(view: CallView): CallView {
  const { subject } = view;
  if (subject === undefined || subject.target.length <= MAX_TARGET) return view;
  const target = `${subject.target.slice(0, MAX_TARGET)}… (${subject.target.length - MAX_TARGET} more characters are in the record)`;
  return { ...view, subject: { ...subject, target } };
}

function labelOf(view: CallView): string {
  return view.subject === undefined ? view.tool : `${view.subject.verb} ${brief(view.subject.target)}`;
}

function output(state: ChatState, task: string, callId: string, text: string): ChatState {
  const found = findCall(state, task, callId);
  if (found === undefined) return state;
  const [index, item] = found;
  const whole = item.output + text;
  const cut = whole.length > MAX_OUTPUT;
  return replaceItem(state, index, { ...item, output: cut ? whole.slice(-MAX_OUTPUT) : whole, outputCut: item.outputCut || cut });
}

function notice(state: ChatState, level: 'info' | 'warning' | 'error', text: string): ChatState {
  const next = append(state, { kind: 'notice', level, text: text.slice(0, MAX_MESSAGE) });
  return level === 'info' ? next : say(next, brief(text));
}

function usage(state: ChatState, event: Extract<TaskEvent, { type: 'usage' }>): ChatState {
  const { inputTokens, outputTokens, estimated } = event.usage;
  return { ...state, context: { tokens: inputTokens + outputTokens, estimated } };
}

/** A call still running when its task ended has an outcome nobody saw: it is shown as unknown, not as done. */
function ended(state: ChatState, task: string, how: TaskEnd, text: string | undefined): ChatState {
  const closed = closeOpen(settleRetry(state));
  const items = closed.items.map((item) => (item.kind === 'call' && item.task === task && item.view.state === 'running'
    ? { ...item, view: { ...item.view, state: 'unknown' as const } } : item));
  const head = closed.task?.id === task ? { ...closed.task, phase: 'ended' as const } : closed.task;
  return say(append({ ...closed, items, task: head }, { kind: 'end', how, text }), endWord(how));
}
