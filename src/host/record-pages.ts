import * as vscode from 'vscode';
import { recordsOf } from './audit-reading.ts';

const SCHEME = 'sluice-record';

/** Read-only pages with the audit records of one call, or with any text of ours. */
export class RecordPages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #folder: () => string;
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;

  constructor(folder: () => string) {
    this.#folder = folder;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string | Promise<string> {
    return this.#texts.get(uri.path) ?? recordsOf(this.#folder(), decodeURIComponent(uri.path.split('/')[1] ?? ''));
  }

  /** The records of a call, because a person asked. */
  open(callId: string): void {
    void this.#show(vscode.Uri.from({ scheme: SCHEME, path: `/${encodeURIComponent(callId.toWellFormed())}/record.json` }));
  }

  /** A text under a name of its own; the last 20 are kept. */
  async openText(name: string, text: string): Promise<void> {
    const path = `/${this.#texts.size + 1}-${Date.now()}/${name}`;
    this.#texts.set(path, text);
    for (const oldest of [...this.#texts.keys()].slice(0, -20)) this.#texts.delete(oldest);
    await this.#show(vscode.Uri.from({ scheme: SCHEME, path }));
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }

  async #show(uri: vscode.Uri): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }
}
