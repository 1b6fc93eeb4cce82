import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { CallView } from '../../../core/agent/events.ts';
import type { CallItem } from '../items.ts';
import { allowedWord, callIcon, callWord, duration } from '../wording.ts';
import { icon } from './icon.ts';
import type { View } from './ui.ts';

/** Lines of a running command that are shown without opening the call. */
const LIVE_LINES = 8;

/** One quiet line; opened, it says why, shows the end of the output, and leads to the record. */
export function callRow(view: View, item: CallItem): TemplateResult {
  const { view: call } = item;
  const open = view.ui.expanded.has(item.id);
  const toggle = (): void => {
    if (!view.ui.expanded.delete(item.id)) view.ui.expanded.add(item.id);
    view.redraw();
  };
  const live = !open && call.state === 'running' && item.output !== '';
  return html`
    <button class="call-line state-${call.state}" type="button" aria-expanded=${open} data-call=${call.callId} @click=${toggle}>
      <span class="state-icon">${icon(callIcon(call.state))}</span>
      <span class="call-what"><span class="verb" title=${call.subject?.verb ?? call.tool}>${shortVerb(call)}</span>
        <span class="target ${call.subject?.form === 'text' ? '' : 'mono'}">${firstLine(call.subject?.target ?? '')}</span></span>
      <span class="call-state">${counts(call)}${call.allowedBy === 'person' && call.state === 'done' ? html`<span class="by">allowed by you</span>` : nothing}<span class="state-word">${callWord(call.state)}</span>${time(call)}</span>
    </button>
    ${live ? html`<pre class="output live" aria-hidden="true">${tail(item.output, LIVE_LINES)}</pre>` : nothing}
    ${open ? details(view, item) : nothing}`;
}

/** "Run a command" with its command beside it is "Run"; without a target the whole verb stands. */
function shortVerb({ subject, tool }: CallView): string {
  if (subject === undefined) return tool;
  return subject.target === '' ? subject.verb : subject.verb.split(' ', 1)[0] ?? subject.verb;
}

function firstLine(target: string): string {
  const end = target.indexOf('\n');
  return end < 0 ? target : `${target.slice(0, end)} …`;
}

function counts(call: CallView): TemplateResult | typeof nothing {
  const changes = call.changes ?? [];
  if (changes.length === 0) return nothing;
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  return html`<span class="counts"><span class="added">+${added}</span> <span class="removed">-${removed}</span></span>`;
}

function time(call: CallView): TemplateResult | typeof nothing {
  return call.durationMs === undefined ? nothing : html`<span class="time">${duration(call.durationMs)}</span>`;
}

function details(view: View, item: CallItem): TemplateResult {
  const { view: call } = item;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Result', call.summary],
    ['Allowed', call.allowedBy === undefined ? undefined : allowedWord(call.allowedBy)],
    ['Why', call.reason === undefined ? call.rule : `${call.reason}${call.rule === undefined ? '' : ` (rule ${call.rule})`}`],
    ['Where', call.confined === undefined ? undefined : call.confined ? 'confined' : 'not confined'],
  ];
  return html`<div class="call-details">
    ${call.subject === undefined ? nothing : html`<pre class="whole" tabindex="0">${call.subject.target}</pre>`}
    <dl>${rows.map(([name, value]) => (value === undefined ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}
      ${(call.changes ?? []).map((change) => html`<div><dt>File</dt><dd><span class="mono">${change.path}</span> <span class="added">+${change.added}</span> <span class="removed">-${change.removed}</span></dd></div>`)}
    </dl>
    ${output(item)}
    <button class="text-button" type="button" @click=${() => view.post({ type: 'open_record', callId: call.callId })}>
      ${icon('history')} Record</button>
  </div>`;
}

function output(item: CallItem): TemplateResult | typeof nothing {
  if (item.output === '') return nothing;
  return html`<div class="output-head">${item.outputCut ? 'The end of the output; the terminal has more' : 'Output'}</div>
    <pre class="output" tabindex="0" aria-label="Output">${item.output}</pre>`;
}

function tail(text: string, lines: number): string {
  return text.trimEnd().split('\n').slice(-lines).join('\n');
}
