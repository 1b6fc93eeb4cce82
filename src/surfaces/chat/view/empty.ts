import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { CommandName } from '../protocol.ts';
import { icon } from './icon.ts';
import type { View } from './ui.ts';

export function empty(view: View): TemplateResult {
  const { facts } = view.state;
  const link = (name: CommandName, text: string): TemplateResult => html`<button class="inline-link" type="button"
    @click=${() => view.post({ type: 'command', name })}>${text}</button>`;
  return html`<div class="empty">
    <p class="lead">Say what should change. Sluice works in this folder and asks before anything that rules cannot judge.</p>
    ${facts.starters.length === 0 ? nothing : html`<div class="starters" role="group" aria-label="Starting points">
      ${facts.starters.slice(0, 3).map((starter) => html`<button class="starter" type="button"
        @click=${() => view.post({ type: 'pick_starter', id: starter.id })}>${icon('arrow-right')}<span><span class="starter-label">${starter.label}</span>
        ${starter.detail === undefined ? nothing : html`<span class="starter-detail">${starter.detail}</span>`}</span></button>`)}</div>`}
    <p class="model-line">${facts.model.connected
      ? html`Model: ${facts.model.label}. ${link('connect_model', 'Change')}`
      : html`No model is connected. ${link('start_rehearsal', 'Rehearsal')} plays a prepared session so that you can see the approvals.
        ${link('connect_model', 'Connect a model')}`}</p>
  </div>`;
}
