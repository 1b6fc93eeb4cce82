import { cardLines } from '../../core/approval/card.ts';
import { drawVisible } from '../../core/approval/visible.ts';
import type { AllowedBy, CallState } from '../../core/agent/events.ts';
import type { ApprovalRequest } from '../../core/approval/request.ts';
import { allowedWord, callIcon, callWord } from '../chat/wording.ts';
import { fits, oneLiner, ROW_LIMIT } from '../review/fits.ts';

export interface RowLook {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly icon: string;
  /** Theme colour of the icon. */
  readonly color: string | undefined;
  /** Words that `when` clauses match. */
  readonly contextValue: string;
  readonly spoken: string;
}

/** Longest tooltip; the rest is in the full view. */
const TOOLTIP_LIMIT = 4_000;

/**
 * A waiting request as a row. ✓ is on the row only when the row shows all there is to approve; `short` says so.
 */
export function requestLook(request: ApprovalRequest): RowLook {
  const { card } = request;
  const line = oneLiner(request);
  const words = ['request'];
  if (fits(request, ROW_LIMIT)) words.push('short');
  if (card.choices.some((choice) => choice.scope === 'session')) words.push('session');
  const icon = request.changes.length > 0 ? 'diff' : card.form === 'command' ? 'terminal' : card.form === 'path' ? 'file' : 'question';
  const spoken = [line, card.where.replaceAll(' · ', ', '), card.banner ?? '', 'waits for your answer'].filter((part) => part !== '').join(', ');
  return {
    label: line, description: card.where, tooltip: tooltipOf(cardLines(card)), icon: card.banner === undefined ? icon : 'warning',
    color: 'sluice.ask', contextValue: words.join(' '), spoken,
  };
}

function tooltipOf(lines: readonly string[]): string {
  const text = lines.join('\n');
  return text.length <= TOOLTIP_LIMIT ? text : `${text.slice(0, TOOLTIP_LIMIT)}\n… Review shows all of it.`;
}

/** One decision in the Activity view. The same `id` again replaces what was there. */
export interface ActivityEntry {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** What it was about, as in the chat line: `Run npm test`. */
  readonly title: string;
  readonly outcome: CallState;
  /** Who let it run, or who was asked; undefined when it never came to that. */
  readonly decider: AllowedBy | undefined;
  /** Id of the audit record that a click opens. */
  readonly record: string;
}

export const ACTIVITY_FILTERS = ['all', 'asked', 'denied', 'failed'] as const;
export type ActivityFilter = (typeof ACTIVITY_FILTERS)[number];

const DENIED: readonly CallState[] = ['denied_by_rule', 'denied_by_person'];
const FAILED: readonly CallState[] = ['failed', 'timed_out', 'invalid', 'unknown'];

/** `asked`: a person was asked, whatever came of it. */
export function passes(entry: ActivityEntry, filter: ActivityFilter): boolean {
  if (filter === 'denied') return DENIED.includes(entry.outcome);
  if (filter === 'failed') return FAILED.includes(entry.outcome);
  if (filter === 'asked') return entry.decider === 'person' || entry.outcome === 'denied_by_person' || entry.outcome === 'no_answer' || entry.outcome === 'waiting';
  return true;
}

/** `clock` writes a time of day in the person's locale. */
export function activityLook(entry: ActivityEntry, clock: (time: number) => string): RowLook {
  const label = drawVisible(entry.title).text.replaceAll('\n', ' ↵ ');
  const allowed = entry.decider === undefined || DENIED.includes(entry.outcome) ? undefined : allowedWord(entry.decider);
  const state = callWord(entry.outcome);
  const description = [state, allowed, clock(entry.time)].filter((part) => part !== undefined).join(' · ');
  const color = DENIED.includes(entry.outcome) || FAILED.includes(entry.outcome) ? 'sluice.deny' : entry.outcome === 'done' ? 'sluice.allow' : undefined;
  return {
    label, description, tooltip: `${label}\n${description}\nClick to open the record.`, icon: callIcon(entry.outcome), color,
    contextValue: 'activity', spoken: `${label}, ${description.replaceAll(' · ', ', ')}`,
  };
}
