/**
 * One pure reducer runs in the host and again in the view, so a view that the editor threw away gets the state
 * once and goes on with events.
 */
import type { Closing, Receipt } from '../../core/approval/request.ts';
import { append, bound, brief, say } from './items.ts';
import type { ChatEvent, ChatState, RequestView, WaitingCard } from './items.ts';
import { applyTaskEvent } from './state-task.ts';
import { receiptLine } from './wording.ts';

export { initialState } from './items.ts';
export type * from './items.ts';

/** Total: an event it does not know leaves the state as it was. */
export function reduce(state: ChatState, event: ChatEvent): ChatState {
  switch (event.type) {
    case 'task': return bound(applyTaskEvent(state, event.event));
    case 'opened': return opened(state, event.request);
    case 'closed': return closed(state, event.requestId, event.how);
    case 'receipt': return received(state, event.requestId, event.receipt);
    case 'facts': return { ...state, facts: event.facts };
    default: return state;
  }
}

function opened(state: ChatState, request: RequestView): ChatState {
  const known = state.waiting.findIndex((card) => card.request.id === request.id);
  const fresh: WaitingCard = { request, receipts: 0, line: undefined };
  if (known >= 0) return { ...state, waiting: state.waiting.with(known, fresh) };
  const { verb, target } = request.card;
  return say({ ...state, waiting: [...state.waiting, fresh] }, `Waiting for you: ${verb}: ${brief(target)}`);
}

const CLOSING_WORDS: Record<Closing, string> = {
  approved: 'allowed by you', denied: 'denied by you', expired: 'no answer', cancelled: 'cancelled',
  superseded: 'replaced by a newer request', interrupted: 'no answer',
};

function closed(state: ChatState, requestId: string, how: Closing): ChatState {
  const card = state.waiting.find(({ request }) => request.id === requestId);
  if (card === undefined) return state;
  const waiting = state.waiting.filter((other) => other !== card);
  const { verb, target } = card.request.card;
  return say({ ...state, waiting }, `${verb}: ${brief(target)}: ${CLOSING_WORDS[how] ?? 'closed'}`);
}

function received(state: ChatState, requestId: string, receipt: Receipt): ChatState {
  const line = receiptLine(receipt);
  if (line === undefined) return state;
  const index = state.waiting.findIndex(({ request }) => request.id === requestId);
  const card = state.waiting[index];
  if (card === undefined) return say(append(state, { kind: 'notice', level: 'warning', text: line }), line);
  return say({ ...state, waiting: state.waiting.with(index, { ...card, receipts: card.receipts + 1, line }) }, line);
}

/** The source that serves now: the task's own while it runs, else the session's. */
export function noticeOf(state: ChatState): string | undefined {
  return state.task?.phase === 'running' ? state.task.notice ?? state.facts.notice : state.facts.notice;
}
export function modelOf(state: ChatState): string {
  return state.task?.phase === 'running' ? state.task.model : state.facts.model.label;
}
