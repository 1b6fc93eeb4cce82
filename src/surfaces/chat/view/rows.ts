/** Which rows the log has: entries, groups of quiet calls, and the waiting cards below the call they belong to. */
import type { CallItem, ChatState, Item, WaitingCard } from '../items.ts';
import type { Ui } from './ui.ts';

export type Row =
  | { readonly kind: 'item'; readonly key: string; readonly item: Item }
  | { readonly kind: 'group'; readonly key: string; readonly id: number; readonly items: readonly CallItem[]; readonly open: boolean }
  | { readonly kind: 'card'; readonly key: string; readonly card: WaitingCard };

/** Fewer calls than this are not worth folding. */
export const GROUP_FROM = 5;

/**
 * A run of quiet calls is folded once it is over, and only while the reader follows at the end, so that nothing
 * moves under a reader's eyes; `ui.folded` remembers it.
 */
export function rowsOf(state: ChatState, ui: Ui): Row[] {
  const rows: Row[] = [];
  const cards = new Map(state.waiting.map((card) => [`${card.request.task}\n${card.request.callId}`, card]));
  let run: CallItem[] = [];
  const endRun = (over: boolean): void => {
    const first = run[0];
    if (first !== undefined && fold(run, first.id, over, ui)) {
      const open = ui.unfolded.has(first.id);
      rows.push({ kind: 'group', key: `g${first.id}`, id: first.id, items: run, open });
      if (open) rows.push(...run.map(rowOf));
    } else rows.push(...run.map(rowOf));
    run = [];
  };
  for (const item of state.items) {
    if (item.kind === 'call' && quiet(item)) {
      run.push(item);
      continue;
    }
    endRun(true);
    rows.push(rowOf(item));
    const key = item.kind === 'call' ? `${item.task}\n${item.view.callId}` : '';
    const card = cards.get(key);
    if (card !== undefined && cards.delete(key)) rows.push(cardRow(card));
  }
  endRun(state.task?.phase !== 'running');
  // Two requests of one call, or a request without its call: shown at the end rather than not at all.
  const placed = new Set(rows.flatMap((row) => (row.kind === 'card' ? [row.card] : [])));
  for (const card of state.waiting) if (!placed.has(card)) rows.push(cardRow(card));
  return rows;
}

function rowOf(item: Item): Row {
  return { kind: 'item', key: `i${item.id}`, item };
}
function cardRow(card: WaitingCard): Row {
  return { kind: 'card', key: `c${card.request.id}`, card };
}

function quiet({ view }: CallItem): boolean {
  return view.state === 'done' && view.allowedBy !== 'person' && (view.changes?.length ?? 0) === 0;
}

function fold(run: readonly CallItem[], id: number, over: boolean, ui: Ui): boolean {
  if (ui.folded.has(id)) return true;
  if (!over || run.length < GROUP_FROM || !ui.following || run.some((item) => ui.expanded.has(item.id))) return false;
  ui.folded.add(id);
  return true;
}

/** `Read 4, Search for text 2`: what a folded group did. */
export function groupLabel(items: readonly CallItem[]): string {
  const counts = new Map<string, number>();
  for (const { view } of items) {
    const verb = view.subject?.verb ?? view.tool;
    counts.set(verb, (counts.get(verb) ?? 0) + 1);
  }
  return [...counts].map(([verb, count]) => (count === 1 ? verb : `${verb} (${count})`)).join(', ');
}
