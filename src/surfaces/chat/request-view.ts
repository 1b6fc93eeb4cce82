import { diffLines } from 'diff';
import type { FileChange } from '../../core/call.ts';
import type { ApprovalRequest } from '../../core/approval/request.ts';
import type { FileLine, RequestView } from './items.ts';

/** Characters a card may have in the chat; a longer one is read in the review. Generous: 256 Ki. */
export const MAX_CARD = 262_144;
/** Milliseconds one request may spend on counting changed lines; without an answer by then, no numbers are shown. */
const COUNT_BUDGET_MS = 150;

/** The card's text stays whole or is left out as a whole; contents of files do not go to the view. */
export function viewOf(request: ApprovalRequest): RequestView {
  const { id, fingerprint, task, taskTitle, callId, card, expiresAt } = request;
  const chars = card.target.length + card.why.length + (card.agentSays?.length ?? 0) + card.touches.join('').length;
  const tooLong = chars > MAX_CARD;
  const shown = tooLong ? { ...card, target: '', touches: [], agentSays: undefined } : card;
  return { id, fingerprint, task, taskTitle, callId, card: shown, files: request.changes.map(lineOf), tooLong, expiresAt };
}

function lineOf(change: FileChange): FileLine {
  const path = change.path.relative ?? change.path.real;
  const parts = diffLines(change.before, change.after, { timeout: COUNT_BUDGET_MS });
  if (parts === undefined) return { path, change: change.change, added: undefined, removed: undefined };
  let added = 0;
  let removed = 0;
  for (const part of parts) {
    if (part.added) added += part.count;
    if (part.removed) removed += part.count;
  }
  return { path, change: change.change, added, removed };
}
