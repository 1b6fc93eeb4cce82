import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { ScopeChoice } from '../../../core/approval/request.ts';
import type { FileLine, RequestView, WaitingCard } from '../items.ts';
import { MAX_REASON } from '../bounds.ts';
import { icon } from './icon.ts';
import type { CardAnswer, CardPart, View } from './ui.ts';

/** The approval card. Its text is the request's, whole; here it is only laid out. */
export function cardRow(view: View, waiting: WaitingCard): TemplateResult {
  const { request } = waiting;
  const { card } = request;
  const name = `card-${request.id}`;
  return html`<section class="card" role="group" data-card=${request.id} aria-labelledby="${name}-verb" aria-describedby="${name}-target">
    <header><span class="state-icon">${icon('bell-dot')}</span><strong id="${name}-verb">${card.verb}</strong>
      <span class="state-word">waiting</span><span class="where">${card.where}</span></header>
    ${request.taskTitle !== '' && request.task !== view.state.task?.id ? html`<p class="other-task">Task: ${request.taskTitle}</p>` : nothing}
    ${card.banner === undefined ? nothing : html`<p class="banner">${icon('warning')}<span>${card.banner}</span></p>`}
    ${request.tooLong
      ? html`<p class="banner">${icon('warning')}<span>Too long to show here. Review shows it whole.</span></p>`
      : html`<pre class="whole ${card.form}" id="${name}-target" tabindex="0">${card.target}</pre>`}
    ${card.hiddenCharacters ? html`<p class="banner">${icon('eye')}<span>Hidden or misleading characters are drawn visibly above.</span></p>` : nothing}
    ${request.files.length <= 1 ? nothing : html`<ul class="files" aria-label="Files">${request.files.map(fileLine)}</ul>`}
    <dl>
      ${card.touches.length === 0 ? nothing : html`<div><dt>Touches</dt><dd>${card.touches.join(' · ')}</dd></div>`}
      <div><dt>Why</dt><dd>${card.why} <span class="rule">(rule ${card.rule})</span></dd></div>
      ${card.agentSays === undefined ? nothing : html`<div><dt>Agent</dt><dd><q>${card.agentSays}</q></dd></div>`}
      ${request.expiresAt === undefined || request.expiresAt - Date.now() > SOON_MS ? nothing : html`<div><dt>Until</dt><dd>${timeOf(request.expiresAt)}</dd></div>`}
    </dl>
    ${waiting.line === undefined ? nothing : html`<p class="receipt">${icon('info')}<span>${waiting.line}</span></p>`}
    ${view.ui.sent.get(request.id) === waiting.receipts ? html`<p class="sent">Answer sent.</p>` : actions(view, request)}
  </section>`;
}

const CHANGE_WORDS: Record<FileLine['change'], string> = { create: 'new', modify: 'changed', delete: 'deleted' };

function fileLine(file: FileLine): TemplateResult {
  return html`<li><span class="mono">${file.path}</span> <span class="change">${CHANGE_WORDS[file.change]}</span>
    ${file.added === undefined ? nothing : html`<span class="added">+${file.added}</span>`}
    ${file.removed === undefined || file.change === 'create' ? nothing : html`<span class="removed">-${file.removed}</span>`}</li>`;
}

/** An end further away than this is not worth a line. */
const SOON_MS = 60 * 60 * 1_000;

function timeOf(at: number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' }).format(at);
}

function actions(view: View, request: RequestView): TemplateResult {
  const { card, tooLong, id } = request;
  const once = tooLong ? undefined : card.choices.find(({ scope }) => scope === 'once');
  const more = tooLong ? [] : card.choices.filter(({ scope }) => scope !== 'once');
  const part = view.ui.parts.get(id)?.part;
  const covers = `covers-${id}`;
  return html`
    <div class="actions">
      ${request.files.length === 0 ? nothing : html`<button class="secondary" type="button" @click=${() => view.post({ type: 'open_diff', requestId: id })}>
        ${icon('diff')}Open diff</button>`}
      ${once === undefined ? nothing : html`<span class="split">
        <button class="primary" type="button" aria-describedby=${covers} title=${once.covers}
          @click=${(event: Event) => view.answer(event, answerOf(request, 'approve', 'once'))}>Approve</button>${more.length === 0 ? nothing
            : opener(view, id, 'approve', 'primary', 'More ways to approve')}</span>`}
      <span class="split">
        <button class="secondary" type="button" @click=${(event: Event) => view.answer(event, denial(view, request))}>Deny</button>${
          opener(view, id, 'deny', 'secondary', 'More ways to deny')}</span>
      ${tooLong ? html`<button class="secondary" type="button" @click=${() => view.post({ type: 'open_request', requestId: id })}>Review</button>` : nothing}
    </div>
    ${once === undefined ? nothing : html`<p class="covers" id=${covers}>Approve covers: ${once.covers}</p>`}
    ${part === 'approve' ? html`<div class="choices" role="group" aria-label="More ways to approve">${more.map((choice) => choiceButton(view, request, choice))}</div>` : nothing}
    ${part === 'deny' ? denyChoices(view, id) : nothing}
    ${part === 'reason' ? reasonLine(view, request) : nothing}`;
}

function answerOf(request: RequestView, choice: 'approve' | 'deny', scope: ScopeChoice['scope']): CardAnswer {
  return { requestId: request.id, fingerprint: request.fingerprint, choice, scope };
}

/** With the reason that stands in the line, if there is one: what was typed is not lost by using the other button. */
function denial(view: View, request: RequestView): CardAnswer {
  const reason = (view.ui.reasons.get(request.id) ?? '').trim();
  return reason === '' ? answerOf(request, 'deny', 'once') : { ...answerOf(request, 'deny', 'once'), reason };
}

function show(view: View, id: string, part: CardPart | undefined): void {
  if (part === undefined) view.ui.parts.delete(id);
  else view.ui.parts.set(id, { part, at: performance.now() });
  view.redraw();
}

function opener(view: View, id: string, part: 'approve' | 'deny', look: string, label: string): TemplateResult {
  const now = view.ui.parts.get(id)?.part;
  const open = now === part || (part === 'deny' && now === 'reason');
  return html`<button class="${look} more" type="button" aria-expanded=${open} aria-label=${label} title=${label}
    @click=${() => show(view, id, open ? undefined : part)}>${icon(open ? 'chevron-up' : 'chevron-down')}</button>`;
}

const SCOPE_LABELS: Record<ScopeChoice['scope'], string> = { once: 'Approve', session: 'Approve for this session' };

function choiceButton(view: View, request: RequestView, choice: ScopeChoice): TemplateResult {
  return html`<button class="choice" type="button" @click=${(event: Event) => view.answer(event, answerOf(request, 'approve', choice.scope))}>
    <span>${SCOPE_LABELS[choice.scope] ?? 'Approve'}</span><span class="covers">Covers: ${choice.covers}</span></button>`;
}

function denyChoices(view: View, id: string): TemplateResult {
  return html`<div class="choices" role="group" aria-label="More ways to deny"><button class="choice" type="button"
    @click=${() => show(view, id, 'reason')}><span>Deny with a reason</span><span class="covers">The agent reads the reason.</span></button></div>`;
}

/** The person just asked for this line. One function for all drawings, so that it runs once; later, when it is in the document. */
function focusOnce(element: Element | undefined): void {
  if (element instanceof HTMLElement) queueMicrotask(() => element.focus({ preventScroll: true }));
}

function reasonLine(view: View, request: RequestView): TemplateResult {
  const { id } = request;
  const deny = (event: Event): void => view.answer(event, denial(view, request));
  return html`<div class="reason"><input type="text" maxlength=${MAX_REASON} aria-label="Reason for the agent" placeholder="Reason for the agent"
      ${ref(focusOnce)} .value=${view.ui.reasons.get(id) ?? ''}
      @input=${(event: Event) => view.ui.reasons.set(id, (event.target as HTMLInputElement).value)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.isComposing) deny(event);
      }}>
    <button class="secondary" type="button" @click=${deny}>Deny</button></div>`;
}
