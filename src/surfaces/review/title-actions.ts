import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../core/approval/request.ts';
import { isStray, type ShowRequest, type SurfaceContext } from './context.ts';
import { reply, say, type Decision, type ReasonBox } from './reply.ts';
import type { ShownSince } from './shown-since.ts';
import { keyOf, requestKeyOf } from './tabs.ts';

/**
 * ✓, ✗ and "Deny with Reason" in the title bar of a diff or of a request's page.
 *
 * What is enforceable: any extension can run a command with any arguments, so an address proves nothing. An
 * answer counts only while a tab of exactly that request is in front of a group and has been for half a second,
 * that is, while a person could read it; otherwise the command only brings the request into view. The request is
 * looked up at the desk, and the answer binds to its fingerprint. A hostile extension in the same host cannot be
 * kept from more than that; it could write the files itself.
 */
export class TitleActions implements vscode.Disposable {
  readonly #context: SurfaceContext;
  readonly #shown: ShownSince;
  readonly #show: ShowRequest;
  readonly #reason: ReasonBox;
  readonly #commands: vscode.Disposable;

  constructor(context: SurfaceContext, shown: ShownSince, show: ShowRequest, reason: ReasonBox) {
    this.#context = context;
    this.#shown = shown;
    this.#show = show;
    this.#reason = reason;
    const on = (id: string, decide: Decision): vscode.Disposable =>
      vscode.commands.registerCommand(id, (uri: unknown) => this.#act(uri, (request) => this.#answer(request, decide)));
    this.#commands = vscode.Disposable.from(
      on('sluice.diff.approve', { choice: 'approve', scope: 'once' }),
      on('sluice.diff.approveAll', { choice: 'approve', scope: 'once' }),
      on('sluice.diff.approveForSession', { choice: 'approve', scope: 'session' }),
      on('sluice.diff.deny', { choice: 'deny', reason: undefined }),
      vscode.commands.registerCommand('sluice.diff.denyWithReason', (uri: unknown) =>
        this.#act(uri, (request) => this.#reason.denyWithReason(request, surfaceOf(request)))),
    );
  }

  dispose(): void {
    this.#commands.dispose();
  }

  #act(uri: unknown, act: (request: ApprovalRequest) => void): void {
    const key = uri instanceof vscode.Uri ? requestKeyOf(uri) ?? this.#shown.active() : this.#shown.active();
    const request = this.#context.desk.pending().find((waiting) => keyOf(waiting.id) === key);
    if (request === undefined) {
      say(this.#context, 'Nothing was decided: this request no longer waits.');
      return;
    }
    if (isStray(this.#shown.since(request.id), this.#context.now())) this.#show(request);
    else act(request);
  }

  #answer(request: ApprovalRequest, decision: Decision): void {
    const offered = decision.choice === 'deny' || request.card.choices.some((choice) => choice.scope === decision.scope);
    if (offered) reply(this.#context, request, surfaceOf(request), decision);
    else this.#show(request);
  }
}

function surfaceOf(request: ApprovalRequest): 'diff' | 'review' {
  return request.changes.length > 0 ? 'diff' : 'review';
}
