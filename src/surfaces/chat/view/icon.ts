import { html } from 'lit';
import type { TemplateResult } from 'lit';

/** A decoration: the word beside it carries the meaning. */
export function icon(name: string): TemplateResult {
  const spin = name === 'loading' ? ' codicon-modifier-spin' : '';
  return html`<span class="codicon codicon-${name}${spin}" aria-hidden="true"></span>`;
}
