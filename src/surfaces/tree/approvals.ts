import * as vscode from 'vscode';
import type { ApprovalRequest, ApprovalSurface } from '../../core/approval/request.ts';
import { isStray, type ShowRequest, type SurfaceContext } from '../review/context.ts';
import { reply, say, type ReasonBox } from '../review/reply.ts';
import { treeItem } from './item.ts';
import { requestLook } from './rows.ts';

/** A row. Only objects made here are accepted back: see `#act`. */
class Row {
  readonly request: ApprovalRequest;
  /** The tree's id of the row; not the request's id, which other extensions can read off a tab's address. */
  readonly token: string;
  constructor(request: ApprovalRequest, token: string) {
    this.request = request;
    this.token = token;
  }
}

/**
 * The Approvals view: every waiting request, oldest first, with the number as badge. With the status bar and the
 * chat card it is where requests really live.
 */
export class ApprovalsTree implements ApprovalSurface, vscode.TreeDataProvider<Row>, vscode.Disposable {
  readonly id = 'tree';
  readonly #context: SurfaceContext;
  readonly #show: ShowRequest;
  readonly #reason: ReasonBox;
  readonly #rows = new Map<string, Row>();
  readonly #made = new WeakSet<object>();
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<Row>;
  readonly #commands: vscode.Disposable;
  /** When rows last appeared or moved: a second click must not land on the row that moved up. */
  #movedAt = Number.NEGATIVE_INFINITY;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: SurfaceContext, show: ShowRequest, reason: ReasonBox) {
    this.#context = context;
    this.#show = show;
    this.#reason = reason;
    this.#view = vscode.window.createTreeView('sluice.approvals', { treeDataProvider: this });
    const on = (id: string, act: (row: Row) => void): vscode.Disposable =>
      vscode.commands.registerCommand(id, (row: unknown) => this.#act(row, act));
    this.#commands = vscode.Disposable.from(
      on('sluice.approvals.approve', ({ request }) => reply(context, request, this.id, { choice: 'approve', scope: 'once' })),
      on('sluice.approvals.approveForSession', ({ request }) => reply(context, request, this.id, { choice: 'approve', scope: 'session' })),
      on('sluice.approvals.deny', ({ request }) => reply(context, request, this.id, { choice: 'deny', reason: undefined })),
      on('sluice.approvals.denyWithReason', ({ request }) => this.#reason.denyWithReason(request, this.id)),
      vscode.commands.registerCommand('sluice.approvals.review', (row: unknown) => this.#review(row)),
      vscode.commands.registerCommand('sluice.approvals.showNext', () => this.#showNext()),
    );
  }

  open(request: ApprovalRequest): void {
    if (this.#rows.has(request.id)) return;
    const row = new Row(request, this.#context.newToken());
    this.#made.add(row);
    this.#rows.set(request.id, row);
    this.#update();
  }

  close(requestId: string): void {
    if (this.#rows.delete(requestId)) this.#update();
  }

  getChildren(parent?: Row): Row[] {
    return parent === undefined ? [...this.#rows.values()] : [];
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return treeItem(requestLook(row.request), row.token, { command: 'sluice.approvals.review', title: 'Review', arguments: [row] });
  }

  dispose(): void {
    this.#commands.dispose();
    this.#view.dispose();
    this.#changed.dispose();
    this.#rows.clear();
  }

  #update(): void {
    this.#movedAt = this.#context.now();
    const count = this.#rows.size;
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip: count === 1 ? '1 request waits for you' : `${count} requests wait for you` };
    this.#changed.fire(undefined);
  }

  /**
   * Another extension can call the command but cannot hold a row of ours, nor guess its token. Anything else,
   * and a click while rows were moving, only brings the request into view.
   */
  #act(row: unknown, act: (row: Row) => void): void {
    if (!this.#isOurs(row)) {
      this.#showNext();
      return;
    }
    if (this.#rows.get(row.request.id) === row && isStray(this.#movedAt, this.#context.now())) this.#show(row.request);
    else act(row);
  }

  #review(row: unknown): void {
    if (this.#isOurs(row) && this.#rows.has(row.request.id)) this.#show(row.request);
    else this.#showNext();
  }

  #showNext(): void {
    const first = [...this.#rows.values()][0];
    if (first === undefined) say(this.#context, 'No request waits.');
    else this.#show(first.request);
  }

  #isOurs(row: unknown): row is Row {
    return row instanceof Row && this.#made.has(row);
  }
}
