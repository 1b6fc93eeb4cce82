import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Item } from '../items.ts';
import { duration, endIcon, endWord, resumable } from '../wording.ts';
import { callRow } from './call.ts';
import { cardRow } from './card.ts';
import { icon } from './icon.ts';
import { groupLabel, rowsOf } from './rows.ts';
import type { Row } from './rows.ts';
import type { View } from './ui.ts';

export function log(view: View): TemplateResult {
  const { state } = view;
  const last = state.items.at(-1);
  const resume = last?.kind === 'end' && state.task?.phase === 'ended' ? last.id : undefined;
  return html`
    ${state.dropped === 0 ? nothing : html`<p class="dropped">${state.dropped} earlier entries are not shown here. The audit has every call.</p>`}
    ${repeat(rowsOf(state, view.ui), (row) => row.key, (row) => rowTemplate(view, row, resume))}
    ${tail(view)}`;
}

/** Only what changed is drawn again: thousands of older rows cost one comparison each. */
function rowTemplate(view: View, row: Row, resume: number | undefined): TemplateResult {
  if (row.kind === 'card') return html`<div class="row row-card">${cardRow(view, row.card)}</div>`;
  if (row.kind === 'group') return group(view, row);
  const { item } = row;
  const deps = [item, view.ui.expanded.has(item.id), resume === item.id];
  return html`<div class="row row-${item.kind}">${guard(deps, () => itemTemplate(view, item, resume === item.id))}</div>`;
}

function group(view: View, row: Extract<Row, { kind: 'group' }>): TemplateResult {
  const toggle = (): void => {
    if (!view.ui.unfolded.delete(row.id)) view.ui.unfolded.add(row.id);
    view.redraw();
  };
  return html`<div class="row row-group"><button class="call-line" type="button" aria-expanded=${row.open} @click=${toggle}>
    <span class="state-icon">${icon(row.open ? 'chevron-down' : 'chevron-right')}</span>
    <span class="call-what"><span class="verb">${row.items.length} steps</span> <span class="target">${groupLabel(row.items)}</span></span>
    <span class="call-state"><span class="state-word">done</span></span></button></div>`;
}

function itemTemplate(view: View, item: Item, resume: boolean): TemplateResult {
  switch (item.kind) {
    case 'task': return html`<div class="divider" role="separator"><span>New task: ${item.title}</span></div>`;
    case 'person': return html`<div class="person"><span class="hidden-label">You: </span>${item.text}</div>`;
    case 'agent': return html`<chat-markdown .text=${item.text}></chat-markdown>${cutLine(item.cut)}`;
    case 'reasoning': return reasoning(view, item);
    case 'call': return callRow(view, item);
    case 'notice': return html`<p class="line level-${item.level}">${icon(item.level === 'info' ? 'info' : item.level)}
      <span>${item.level === 'info' ? nothing : html`<span class="hidden-label">${item.level}: </span>`}${item.text}</span></p>`;
    case 'end': return end(view, item, resume);
  }
}

function cutLine(cut: boolean): TemplateResult | typeof nothing {
  return cut ? html`<p class="dropped">The message is longer than is shown here.</p>` : nothing;
}

function reasoning(view: View, item: Extract<Item, { kind: 'reasoning' }>): TemplateResult {
  const open = view.ui.expanded.has(item.id);
  const toggle = (): void => {
    if (!view.ui.expanded.delete(item.id)) view.ui.expanded.add(item.id);
    view.redraw();
  };
  return html`<button class="call-line" type="button" aria-expanded=${open} @click=${toggle}>
      <span class="state-icon">${icon(open ? 'chevron-down' : 'chevron-right')}</span><span class="call-what">${item.open ? 'Thinking' : 'Thought'}</span></button>
    ${open ? html`<div class="reasoning">${item.text}${cutLine(item.cut)}</div>` : nothing}`;
}

function end(view: View, item: Extract<Item, { kind: 'end' }>, resume: boolean): TemplateResult {
  return html`<div class="ending how-${item.how}"><p class="line">${icon(endIcon(item.how))}<span>${endWord(item.how)}${
    item.text === undefined || item.text === '' ? nothing : html` ${item.text}`}</span></p>
    ${resume && resumable(item.how) ? html`<button class="secondary" type="button" @click=${() => view.post({ type: 'continue' })}>Continue</button>` : nothing}</div>`;
}

/** What is true only of this moment. */
function tail(view: View): TemplateResult | typeof nothing {
  const { state } = view;
  if (state.retrying !== undefined) {
    const { attempt, limit, waitMs, reason } = state.retrying;
    return html`<p class="line retrying">${icon('sync')}<span>${reason} Retry ${attempt} of ${limit}${waitMs > 0 ? ` in ${duration(waitMs)}` : ''}. The half answer was discarded.</span></p>`;
  }
  if (state.task?.phase !== 'running') return nothing;
  const text = state.waiting.length > 0 ? 'Waiting for you' : 'Working';
  return html`<p class="line working">${icon(state.waiting.length > 0 ? 'bell-dot' : 'loading')}<span>${text}</span></p>`;
}
