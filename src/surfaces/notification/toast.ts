import type { ApprovalRequest } from '../../core/approval/request.ts';
import { plainMessage } from '../plain-message.ts';
import { fits, oneLiner, placeAndState, TOAST_LIMIT } from '../review/fits.ts';

export type ToastAction = 'review' | 'approve' | 'approve_session' | 'deny';

export interface ToastButton {
  readonly title: string;
  readonly action: ToastAction;
}

export interface Toast {
  readonly severity: 'information' | 'warning';
  readonly message: string;
  /**
   * The first one is never an approval: the editor draws it as the main button, and with a screen reader one of its
   * own chords (Ctrl+Shift+A, on Linux also "toggle block comment") presses the first button of the newest toast.
   */
  readonly buttons: readonly ToastButton[];
}

const REVIEW: ToastButton = { title: 'Review…', action: 'review' };
const DENY: ToastButton = { title: 'Deny', action: 'deny' };

/** Characters of the beginning and of the end that a toast quotes when it cannot show all. */
const HEAD = 60;
const TAIL = 40;

/** What the doorbell says; undefined when nothing waits. */
export function toastFor(waiting: readonly ApprovalRequest[]): Toast | undefined {
  const [request] = waiting;
  if (request === undefined) return undefined;
  if (waiting.length > 1) return { severity: 'warning', message: `${waiting.length} requests wait for you.`, buttons: [REVIEW] };
  const severity = request.card.banner !== undefined || request.confinement === 'unconfined' || request.risk === 'dangerous' ? 'warning' : 'information';
  if (!fits(request, TOAST_LIMIT)) return { severity, message: partMessage(request), buttons: [REVIEW] };
  return { severity, message: wholeMessage(request), buttons: buttonsFor(request) };
}

function buttonsFor(request: ApprovalRequest): readonly ToastButton[] {
  if (request.changes.length > 0) {
    const approve = request.changes.length === 1 ? 'Approve' : 'Approve All';
    return [{ title: 'Open Diff', action: 'review' }, { title: approve, action: 'approve' }, DENY];
  }
  const session: readonly ToastButton[] = request.card.choices.some((choice) => choice.scope === 'session')
    ? [{ title: 'Approve for Session', action: 'approve_session' }] : [];
  return [REVIEW, { title: 'Approve', action: 'approve' }, ...session, DENY];
}

/** `Run "npm test" in sample? Confined, no network.` with the request's mark, which makes the text unique. */
function wholeMessage(request: ApprovalRequest): string {
  const { place, state } = placeAndState(request.card.where);
  const line = oneLiner(request);
  const verb = line.split(' ', 1)[0] ?? line;
  const thing = request.card.form === 'command' ? `${verb} "${request.card.target}"` : line;
  return plainMessage([`${thing} ${place}?`, state, markOf(request)].filter((part) => part !== '').join(' '));
}

/** When it does not fit: the beginning, the end and how much more there is. */
function partMessage(request: ApprovalRequest): string {
  const { card } = request;
  const { place, state } = placeAndState(card.where);
  const characters = [...oneLiner(request)];
  const whole = characters.length <= HEAD + TAIL;
  const shown = whole ? characters.join('') : `${characters.slice(0, HEAD).join('')} … ${characters.slice(-TAIL).join('')}`;
  const more = whole ? '' : `${(characters.length - HEAD - TAIL).toLocaleString('en-US')} more characters.`;
  const hidden = card.hiddenCharacters ? 'It contains hidden characters.' : '';
  const parts = [card.banner ?? '', `${shown} ${place}?`, state, more, hidden, 'Review shows all of it.', markOf(request)];
  return plainMessage(parts.filter((part) => part !== '').join(' '));
}

/** Four characters of the id: two equal requests must not look equal to the editor, which would close one. */
function markOf(request: ApprovalRequest): string {
  return `#${request.id.replace(/[^A-Za-z0-9]/g, '').slice(-4)}`;
}
