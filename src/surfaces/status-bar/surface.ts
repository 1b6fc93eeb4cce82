import * as vscode from 'vscode';
import type { ApprovalRequest, ApprovalSurface } from '../../core/approval/request.ts';
import { statusLook, type StatusState } from './look.ts';

const PRIORITY = 10;

/** One item: profile and sandbox, or how many requests wait. It shows and leads to requests; it never answers. */
export class StatusBarSurface implements ApprovalSurface, vscode.Disposable {
  readonly id = 'status_bar';
  readonly #item: vscode.StatusBarItem;
  readonly #waiting = new Set<string>();
  #state: StatusState = { profile: 'coding', sandbox: 'unchecked', detail: 'The sandbox is checked when the first command needs it.' };

  constructor() {
    this.#item = vscode.window.createStatusBarItem('sluice.status', vscode.StatusBarAlignment.Left, PRIORITY);
    this.#item.name = 'Sluice';
    this.#draw();
    this.#item.show();
  }

  /** Profile and sandbox changed. */
  setState(state: StatusState): void {
    this.#state = state;
    this.#draw();
  }

  open(request: ApprovalRequest): void {
    this.#waiting.add(request.id);
    this.#draw();
  }

  close(requestId: string): void {
    if (this.#waiting.delete(requestId)) this.#draw();
  }

  dispose(): void {
    this.#waiting.clear();
    this.#item.dispose();
  }

  #draw(): void {
    const look = statusLook(this.#state, this.#waiting.size);
    this.#item.text = look.text;
    this.#item.tooltip = look.tooltip;
    this.#item.accessibilityInformation = { label: look.label, role: 'button' };
    this.#item.backgroundColor = look.attention ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.command = look.attention ? 'sluice.approvals.showNext' : 'sluice.chat.focus';
  }
}
