/**
 * The view: applies what the host sends, draws it, and sends back what the person does. It decides nothing; an
 * answer is only a message, and the host checks it.
 */
import { html, render } from 'lit';
import type { FromView } from '../protocol.ts';
import { parseToView } from '../envelope.ts';
import { reduce } from '../state.ts';
import type { ChatState } from '../items.ts';
import { composer } from './composer.ts';
import { empty } from './empty.ts';
import { header } from './header.ts';
import { log } from './log.ts';
import { follower } from './scroll.ts';
import type { Follower } from './scroll.ts';
import { newUi } from './ui.ts';
import type { CardAnswer, Ui, View } from './ui.ts';

/** A card's buttons ignore clicks for this long after it appeared or moved by itself. Milliseconds. */
export const GUARD_MS = 500;
/** The same for choices that the person opened: long enough for the second half of a double click. */
const CHOICE_GUARD_MS = 250;

export interface Host {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export interface App {
  receive(message: unknown): void;
}

export function startChat(root: HTMLElement, host: Host, token: string): App {
  const saved = host.getState();
  const ui = newUi(typeof saved === 'object' && saved !== null && 'draft' in saved && typeof saved.draft === 'string' ? saved.draft : '');
  let state: ChatState | undefined;
  let revision = -1;
  let frame: number | undefined;
  let follow: Follower | undefined;

  const post = (message: FromView): void => host.postMessage(message);
  const draw = (byPerson: boolean): void => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
    if (state === undefined) return;
    const before = places(root);
    const lost = cardWithFocus(root);
    render(page({ state, ui, post, redraw, answer, jump }), root);
    follow ??= follower(root, ui, () => draw(true));
    follow.settle();
    noteCards(root, ui, before, byPerson);
    if (lost !== undefined) keepFocus(root, lost, state);
  };
  const redraw = (): void => {
    host.setState({ draft: ui.draft });
    draw(true);
  };
  const jump = (to: 'end' | 'card'): void => {
    if (to === 'end') follow?.toEnd();
    else root.querySelector('[data-card]')?.scrollIntoView({ block: 'nearest' });
  };
  const answer = (event: Event, given: CardAnswer): void => {
    const card = state?.waiting.find(({ request }) => request.id === given.requestId);
    if (card === undefined || !event.isTrusted || tooSoon(ui, given.requestId, event)) return;
    ui.sent.set(given.requestId, card.receipts);
    ui.parts.delete(given.requestId);
    post({ type: 'answer', ...given, token });
    draw(true);
  };
  document.addEventListener('visibilitychange', () => {
    const now = performance.now();
    for (const id of ui.shownAt.keys()) ui.shownAt.set(id, now);
  });

  return {
    receive: (message) => {
      const parsed = parseToView(message);
      if (parsed === undefined) return;
      if (parsed.type === 'replace') [state, revision] = [parsed.state, parsed.revision];
      else if (state === undefined || parsed.from !== revision) return post({ type: 'ready' });
      else [state, revision] = [parsed.events.reduce(reduce, state), parsed.to];
      ui.unseen ||= !ui.following;
      // A hidden document has no frames; it catches up with the last state when it is shown.
      frame ??= requestAnimationFrame(() => draw(false));
    },
  };
}

function page(view: View) {
  const { state } = view;
  const isEmpty = state.items.length === 0 && state.waiting.length === 0 && state.task?.phase !== 'running';
  return html`${header(view)}
    <main class="log" tabindex="0" role="log" aria-live="off" aria-label="Conversation">
      <div class="log-inner">${isEmpty ? empty(view) : log(view)}</div></main>
    ${composer(view)}
    <div class="hidden-label" id="said" role="status" aria-live="polite">${state.said.text}</div>`;
}

function tooSoon(ui: Ui, id: string, event: Event): boolean {
  const now = performance.now();
  const since = (at: number | undefined): number => now - (at ?? now);
  if (since(ui.shownAt.get(id)) < GUARD_MS) return true;
  const part = ui.parts.get(id);
  const inPart = event.target instanceof Element && event.target.closest('.choices, .reason') !== null;
  if (inPart && part !== undefined && since(part.at) < CHOICE_GUARD_MS) return true;
  // A key cannot miss; a pointer can, when the card moved under it.
  const byPointer = event instanceof MouseEvent && event.detail > 0;
  return byPointer && ui.movedAt.has(id) && since(ui.movedAt.get(id)) < GUARD_MS;
}

function places(root: HTMLElement): Map<string, number> {
  return new Map(Array.from(root.querySelectorAll<HTMLElement>('[data-card]'), (card) => [card.dataset['card'] ?? '', card.getBoundingClientRect().bottom]));
}

function noteCards(root: HTMLElement, ui: Ui, before: ReadonlyMap<string, number>, byPerson: boolean): void {
  const now = performance.now();
  const here = places(root);
  for (const [id, bottom] of here) {
    if (!ui.shownAt.has(id)) ui.shownAt.set(id, now);
    const was = before.get(id);
    if (!byPerson && was !== undefined && Math.abs(was - bottom) > 4) ui.movedAt.set(id, now);
  }
  for (const map of [ui.shownAt, ui.movedAt, ui.sent, ui.parts, ui.reasons]) {
    for (const id of map.keys()) if (!here.has(id)) map.delete(id);
  }
}

/** The card that holds the focus, with the call it belongs to, before it may go. */
function cardWithFocus(root: HTMLElement): string | undefined {
  const card = root.contains(document.activeElement) ? document.activeElement?.closest<HTMLElement>('[data-card]') : undefined;
  return card?.dataset['card'];
}

/**
 * Focus inside a card that goes would fall back to the document's start. It goes to the card if that is still
 * there, else to the input; never onto another card's buttons.
 */
function keepFocus(root: HTMLElement, id: string, state: ChatState): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return;
  if (state.waiting.some(({ request }) => request.id === id)) root.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"] pre`)?.focus({ preventScroll: true });
  else root.querySelector<HTMLElement>('textarea')?.focus({ preventScroll: true });
}
