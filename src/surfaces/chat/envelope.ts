/** The host-to-view half of the protocol, apart from the other so that the view's bundle carries no schema library. */
import { MAX_EVENTS } from './bounds.ts';
import type { ChatEvent, ChatState } from './items.ts';

/** `from` and `to` number the state: a view whose number is not `from` has missed something and asks anew. */
export type ToView =
  | { readonly type: 'replace'; readonly revision: number; readonly state: ChatState }
  | { readonly type: 'events'; readonly from: number; readonly to: number; readonly events: readonly ChatEvent[] };

/**
 * The view's side. The envelope is checked here; the text inside is only ever drawn as text, so its
 * inner shape is checked no further than what keeps the drawing from failing.
 */
export function parseToView(value: unknown): ToView | undefined {
  if (!isObject(value)) return undefined;
  if (value['type'] === 'replace') {
    const { state, revision } = value;
    const sound = isObject(state) && Array.isArray(state['items']) && Array.isArray(state['waiting']) && Array.isArray(state['queued']) && isObject(state['facts']) && isObject(state['said']);
    return sound && typeof revision === 'number' ? { type: 'replace', revision, state: state as unknown as ChatState } : undefined;
  }
  if (value['type'] !== 'events') return undefined;
  const { from, to, events } = value;
  if (typeof from !== 'number' || typeof to !== 'number' || !Array.isArray(events) || events.length > MAX_EVENTS) return undefined;
  return events.every((event) => isObject(event) && typeof event['type'] === 'string') ? { type: 'events', from, to, events: events as ChatEvent[] } : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
