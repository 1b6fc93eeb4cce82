import type { ApprovalRequest } from '../../core/approval/request.ts';

/** Most characters of the thing itself that a toast shows whole. */
export const TOAST_LIMIT = 200;
/** The same for a row of a tree, whose end is clipped in a narrow side bar. */
export const ROW_LIMIT = 80;

/**
 * Whether a small surface shows all there is to approve. If not, it may only offer the full view. The editor
 * reads `[text](https: or command: or file: ...)` in a toast as a link and hides the address, so that never fits.
 */
export function fits(request: ApprovalRequest, limit: number): boolean {
  const { card } = request;
  const shown = request.changes.length > 0 ? changedLines(request).join(', ') : card.target;
  return !card.hiddenCharacters && card.banner === undefined && [...shown].length <= limit && !/[\n\r]|\]\(/.test(shown);
}

/** The card's lines about the changed files; they come first in `touches`. */
export function changedLines(request: ApprovalRequest): readonly string[] {
  return request.card.touches.slice(0, request.changes.length);
}

/** First word of the verb, for one-line surfaces: "Run a command" is "Run". */
export function verbWord(verb: string): string {
  return verb.split(' ', 1)[0] ?? verb;
}

/** The request in one line: `Run npm test`, `Change src/date.js (+1 -1)`, `Change 2 files: ...`. Line ends become ↵. */
export function oneLiner(request: ApprovalRequest): string {
  const { card, changes } = request;
  const [change] = changes;
  if (change === undefined) return flat(card.form === 'text' ? `${card.verb}: ${card.target}` : `${verbWord(card.verb)} ${card.target}`);
  const lines = changedLines(request);
  if (changes.length > 1) return flat(`Change ${changes.length} files: ${lines.join(', ')}`);
  const line = lines[0] ?? card.target;
  if (change.change === 'create') return flat(`Create ${line.replace(/^new file /, '')}`);
  if (change.change === 'delete') return flat(`Delete ${line.replace(/^deletes /, '')}`);
  return flat(`Change ${line}`);
}

/** `in sample` and `Confined, no network.` of `in sample · confined · no network`. */
export function placeAndState(where: string): { readonly place: string; readonly state: string } {
  const [place = '', ...rest] = where.split(' · ');
  const state = rest.join(', ');
  return { place, state: state === '' ? '' : `${state.charAt(0).toUpperCase()}${state.slice(1)}.` };
}

function flat(text: string): string {
  return text.replaceAll('\n', ' ↵ ');
}
