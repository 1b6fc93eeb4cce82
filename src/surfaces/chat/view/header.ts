import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { CommandName } from '../protocol.ts';
import { modelOf, noticeOf } from '../state.ts';
import { icon } from './icon.ts';
import type { View } from './ui.ts';

export function header(view: View): TemplateResult {
  const { state } = view;
  const { facts, task } = state;
  const profile = task?.phase === 'running' ? task.profile : facts.profile;
  const notice = noticeOf(state);
  return html`<header class="top">
    <div class="title-line"><h1 title=${task?.title ?? nothing}>${task?.title ?? 'Sluice'}</h1>
      ${state.waiting.length === 0 ? nothing : html`<button class="pill warn" type="button" title="Go to the first waiting request" @click=${() => view.jump('card')}>
        ${icon('bell-dot')}<span>${state.waiting.length} waiting</span></button>`}
      ${state.items.length === 0 ? nothing : html`<button class="icon-button" type="button" title="New task" aria-label="New task"
        @click=${() => view.post({ type: 'command', name: 'new_task' })}>${icon('add')}</button>`}</div>
    <div class="pills">
      ${pill(view, 'connect_model', facts.model.connected ? 'hubot' : 'beaker', modelOf(state), 'Model', false)}
      ${pill(view, 'choose_profile', 'tools', profile, 'Profile', false)}
      ${sandboxPill(view)}
      ${facts.restricted ? pill(view, 'manage_trust', 'workspace-untrusted', 'restricted', 'This folder is not trusted: its settings are ignored and commands are off', true) : nothing}
    </div>
    ${notice === undefined ? nothing : html`<p class="notice-strip" role="note">${icon('beaker')}<span>${notice}</span></p>`}
  </header>`;
}

function pill(view: View, name: CommandName, look: string, text: string, says: string, warn: boolean): TemplateResult {
  return html`<button class="pill ${warn ? 'warn' : ''}" type="button" title="${says}: ${text}" aria-label="${says}: ${text}"
    @click=${() => view.post({ type: 'command', name })}>${icon(look)}<span>${text}</span></button>`;
}

function sandboxPill(view: View): TemplateResult {
  const { sandbox } = view.state.facts;
  if (sandbox === undefined) return pill(view, 'sandbox_help', 'shield', 'sandbox', 'Checked when the first command needs it', false);
  const [look, text] = sandbox.available ? ['shield', 'confined'] as const : ['warning', 'no sandbox'] as const;
  return html`<button class="pill ${sandbox.available ? '' : 'warn'}" type="button" title=${sandbox.detail} aria-label="Sandbox: ${text}. ${sandbox.detail}"
    @click=${() => view.post({ type: 'command', name: 'sandbox_help' })}>${icon(look)}<span>${text}</span></button>`;
}
