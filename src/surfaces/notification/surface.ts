import * as vscode from 'vscode';
import type { ApprovalRequest, ApprovalSurface } from '../../core/approval/request.ts';
import { attempt, isStray, type ShowRequest, type SurfaceContext } from '../review/context.ts';
import { reply, say } from '../review/reply.ts';
import { toastFor, type ToastAction, type ToastButton } from './toast.ts';

/** The editor sends more than three toasts in 800 ms straight behind the bell. */
const RING_PAUSE_MS = 1_000;
/** Longest time a toast stays in view by itself (information 10 s, warning 12 s), with a margin. */
const IN_VIEW_MS = 20_000;

interface Rung {
  /** The one request it is about; undefined for "N requests wait". */
  readonly requestId: string | undefined;
  readonly shownAt: number;
}

/**
 * The doorbell. Nothing depends on it: the editor may hide it at once (Do Not Disturb, more than three toasts) and
 * removes it after seconds. One toast for several requests, rung again when their number grows.
 *
 * No API closes a message. When a request ends elsewhere while a toast with its buttons may still be in view, the
 * editor's own `notifications.hideToasts` moves all toasts behind the bell, without answering any; one of ours
 * that is still needed is rung again. Other extensions' toasts are moved too, none is lost: better than an
 * Approve button that lies. A click on a stale toast behind the bell does nothing and says so.
 */
export class NotificationSurface implements ApprovalSurface, vscode.Disposable {
  readonly id = 'notification';
  readonly #context: SurfaceContext;
  readonly #show: ShowRequest;
  readonly #waiting = new Map<string, ApprovalRequest>();
  readonly #rung = new Set<Rung>();
  #announced = 0;
  #lastRing = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #disposed = false;

  constructor(context: SurfaceContext, show: ShowRequest) {
    this.#context = context;
    this.#show = show;
  }

  open(request: ApprovalRequest): void {
    this.#waiting.set(request.id, request);
    this.#schedule();
  }

  close(requestId: string): void {
    if (!this.#waiting.delete(requestId)) return;
    this.#announced = Math.min(this.#announced, this.#waiting.size);
    const now = this.#context.now();
    const inView = [...this.#rung].filter((rung) => now - rung.shownAt < IN_VIEW_MS);
    const stale = inView.some((rung) => rung.requestId === requestId || (rung.requestId === undefined && this.#waiting.size === 0));
    for (const rung of [...this.#rung]) if (rung.requestId === requestId) this.#rung.delete(rung);
    if (!stale) return;
    this.#hideToasts();
    if (inView.some((rung) => rung.requestId === undefined || this.#waiting.has(rung.requestId))) this.#ringAgain();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#waiting.clear();
    const now = this.#context.now();
    if ([...this.#rung].some((rung) => now - rung.shownAt < IN_VIEW_MS)) this.#hideToasts();
    this.#rung.clear();
  }

  #ringAgain(): void {
    this.#announced = 0;
    this.#schedule();
  }

  /** Requests that open together ring once. */
  #schedule(): void {
    if (this.#timer !== undefined || this.#disposed) return;
    const pause = Math.max(0, this.#lastRing + RING_PAUSE_MS - this.#context.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#ring();
    }, pause);
  }

  #ring(): void {
    const waiting = [...this.#waiting.values()];
    const toast = toastFor(waiting);
    if (toast === undefined || waiting.length <= this.#announced) return;
    this.#announced = waiting.length;
    this.#lastRing = this.#context.now();
    const only = waiting.length === 1 ? waiting[0] : undefined;
    const rung: Rung = { requestId: only?.id, shownAt: this.#lastRing };
    this.#rung.add(rung);
    const ring = toast.severity === 'warning' ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    attempt(this.#context, 'toast', async () => {
      const picked = await ring<ToastButton & vscode.MessageItem>(toast.message, ...toast.buttons);
      this.#rung.delete(rung);
      if (picked !== undefined && !this.#disposed) this.#picked(picked.action, only, rung.shownAt);
    });
  }

  #picked(action: ToastAction, only: ApprovalRequest | undefined, shownAt: number): void {
    if (action === 'review') {
      this.#review(only);
      return;
    }
    if (only === undefined) return;
    if (isStray(shownAt, this.#context.now())) {
      this.#ringAgain();
      return;
    }
    if (action === 'deny') reply(this.#context, only, this.id, { choice: 'deny', reason: undefined });
    else reply(this.#context, only, this.id, { choice: 'approve', scope: action === 'approve_session' ? 'session' : 'once' });
  }

  #review(only: ApprovalRequest | undefined): void {
    const request = only === undefined ? [...this.#waiting.values()][0] : this.#waiting.get(only.id);
    if (request !== undefined) this.#show(request);
    else say(this.#context, only === undefined ? 'No request waits any more.' : 'This request was already answered.');
  }

  #hideToasts(): void {
    attempt(this.#context, 'hide toasts', () => vscode.commands.executeCommand('notifications.hideToasts'));
  }
}
