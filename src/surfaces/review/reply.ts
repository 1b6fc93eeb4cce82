import * as vscode from 'vscode';
import type { Answer, ApprovalRequest, ApprovalSurface, Receipt, Scope, SurfaceId } from '../../core/approval/request.ts';
import { receiptLine } from '../chat/wording.ts';
import { attempt, type SurfaceContext } from './context.ts';
import { oneLiner } from './fits.ts';

export type Decision =
  | { readonly choice: 'approve'; readonly scope: Scope }
  | { readonly choice: 'deny'; readonly reason: string | undefined };

/** Most characters of a reason that goes to the model. */
const REASON_LIMIT = 2_000;

/** The one way from a click to the desk. An answer without effect is said, never repeated. */
export function reply(context: SurfaceContext, request: ApprovalRequest, surface: SurfaceId, decision: Decision): Receipt {
  const answer: Answer = {
    requestId: request.id, fingerprint: request.fingerprint, choice: decision.choice,
    scope: decision.choice === 'approve' ? decision.scope : 'once',
    reason: decision.choice === 'deny' ? decision.reason : undefined, edits: undefined, surface,
  };
  const receipt = context.desk.answer(answer);
  const line = receiptLine(receipt);
  if (line !== undefined) say(context, line);
  return receipt;
}

/** One sentence without buttons. */
export function say(context: SurfaceContext, line: string): void {
  attempt(context, 'message', () => vscode.window.showInformationMessage(line));
}

/**
 * Asks for the words that go with a denial. Leaving the box answers nothing. Closed when its request ends
 * elsewhere, and on dispose.
 */
export class ReasonBox implements ApprovalSurface, vscode.Disposable {
  readonly id = 'palette';
  readonly #context: SurfaceContext;
  readonly #open = new Map<string, vscode.CancellationTokenSource>();

  constructor(context: SurfaceContext) {
    this.#context = context;
  }

  /** Denies when the box is confirmed, with or without words. */
  denyWithReason(request: ApprovalRequest, surface: SurfaceId): void {
    this.close(request.id);
    const source = new vscode.CancellationTokenSource();
    this.#open.set(request.id, source);
    attempt(this.#context, 'reason', async () => {
      const text = await vscode.window.showInputBox({
        title: `Deny: ${oneLiner(request)}`, ignoreFocusOut: true, placeHolder: 'Reason, or what to do instead',
        prompt: 'The model reads this as your words. Enter denies; Escape leaves the request waiting.',
      }, source.token);
      const mine = this.#open.get(request.id) === source;
      if (mine) this.close(request.id);
      if (!mine || text === undefined) return;
      const reason = text.trim().slice(0, REASON_LIMIT);
      reply(this.#context, request, surface, { choice: 'deny', reason: reason === '' ? undefined : reason });
    });
  }

  /** Never opens by itself. */
  open(): void {}

  close(requestId: string): void {
    const source = this.#open.get(requestId);
    this.#open.delete(requestId);
    source?.cancel();
    source?.dispose();
  }

  dispose(): void {
    for (const id of [...this.#open.keys()]) this.close(id);
  }
}
