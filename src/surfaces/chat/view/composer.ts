import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { MAX_TEXT } from '../bounds.ts';
import { tokens } from '../wording.ts';
import { icon } from './icon.ts';
import type { View } from './ui.ts';

export function composer(view: View): TemplateResult {
  const { state, ui } = view;
  const running = state.task?.phase === 'running';
  const send = (): void => {
    if (ui.draft.trim() === '') return;
    view.post({ type: 'send', text: ui.draft });
    ui.draft = '';
    view.jump('end');
    view.redraw();
  };
  return html`<footer class="bottom">
    ${jumps(view)}
    ${state.queued.length === 0 ? nothing : html`<ul class="queue" aria-label="Queued messages">${state.queued.map((text) => html`<li>${icon('clock')}
      <span class="state-word">queued</span><span class="queued-text">${text}</span></li>`)}</ul>`}
    <div class="composer">
      <textarea rows="1" maxlength=${MAX_TEXT} aria-label="Message to the agent" aria-describedby="keys"
        placeholder=${running ? 'Add something; it is queued' : 'What should change?'} .value=${live(ui.draft)}
        @input=${(event: Event) => {
          ui.draft = (event.target as HTMLTextAreaElement).value;
          view.redraw();
        }}
        @keydown=${(event: KeyboardEvent) => {
          if (!sends(event)) return;
          event.preventDefault();
          send();
        }}></textarea>
      <div class="composer-row">
        <span class="meter">${meter(view)}</span><span id="keys" class="hidden-label">Enter sends, Shift+Enter breaks the line</span>
        ${running ? html`<button class="secondary stop" type="button" title="Stop" @click=${() => view.post({ type: 'stop' })}>${icon('debug-stop')}<span class="label">Stop</span></button>` : nothing}
        <button class="primary send" type="button" ?disabled=${ui.draft.trim() === ''} @click=${send} title=${running ? 'Queue (Enter)' : 'Send (Enter)'}>
          ${icon('send')}<span class="label">${running ? 'Queue' : 'Send'}</span></button>
      </div>
    </div>
  </footer>`;
}

/** Enter while an input method composes belongs to the input method. */
function sends(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.isComposing;
}

function meter(view: View): string {
  const { context } = view.state;
  return context === undefined ? '' : `${context.estimated ? 'about ' : ''}${tokens(context.tokens)} in context`;
}

/** The way back for a reader who scrolled away; what waits has its own way in the header. */
function jumps(view: View): TemplateResult | typeof nothing {
  if (view.ui.following || !view.ui.unseen) return nothing;
  return html`<div class="jumps"><button class="secondary" type="button" @click=${() => view.jump('end')}>${icon('arrow-down')}Newest</button></div>`;
}
