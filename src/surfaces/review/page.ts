import * as vscode from 'vscode';
import { cardLines } from '../../core/approval/card.ts';
import type { ApprovalRequest, ApprovalSurface } from '../../core/approval/request.ts';
import { attempt, type SurfaceContext } from './context.ts';
import { authorityFor, keyOf, REQUEST, requestKeyOf, requestKeysOf } from './tabs.ts';

/** The language of the page: wraps, without line numbers (see contributes.json). */
const LANGUAGE = 'sluice-request';

/** The address names the request and whether a session is offered; the path is the tab's title. */
export function pageAddress(request: ApprovalRequest): { readonly scheme: string; readonly authority: string; readonly path: string } {
  const session = request.card.choices.some((choice) => choice.scope === 'session');
  return { scheme: REQUEST, authority: authorityFor(request.id, session ? 'session' : 'once'), path: `/${request.card.verb.replaceAll('/', ' ')}` };
}

/** Everything about the request; any length scrolls. */
export function pageText(request: ApprovalRequest): string {
  const lines = [...cardLines(request.card), '', 'Decide with the buttons in the title of this tab. Closing it leaves the request waiting.'];
  return `${lines.join('\n')}\n`;
}

/**
 * The full view of a request that is not a change of files: a read-only page with ✓ and ✗ in its title. Opened
 * only when a person asks, so it takes the focus. Closing it decides nothing.
 */
export class RequestPage implements ApprovalSurface, vscode.Disposable {
  readonly id = 'review';
  readonly #context: SurfaceContext;
  readonly #requests = new Map<string, ApprovalRequest>();
  readonly #provider: vscode.Disposable;

  constructor(context: SurfaceContext) {
    this.#context = context;
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(REQUEST, {
      provideTextDocumentContent: (uri) => {
        const request = this.#requests.get(requestKeyOf(uri) ?? '');
        return request === undefined ? 'This request has ended.\n' : pageText(request);
      },
    });
  }

  open(request: ApprovalRequest): void {
    this.#requests.set(keyOf(request.id), request);
  }

  show(request: ApprovalRequest): void {
    attempt(this.#context, 'request page', async () => {
      const uri = vscode.Uri.from(pageAddress(request));
      const document = await vscode.workspace.openTextDocument(uri);
      const named = await vscode.languages.setTextDocumentLanguage(document, LANGUAGE).then((named) => named, () => document);
      if (!this.#requests.has(keyOf(request.id))) return;
      await vscode.window.showTextDocument(named, { preview: true });
    });
  }

  close(requestId: string): void {
    const key = keyOf(requestId);
    this.#requests.delete(key);
    const { tabGroups } = vscode.window;
    const tabs = tabGroups.all.flatMap((group) => group.tabs).filter((tab) => requestKeysOf(tab).has(key) && !tab.isDirty);
    if (tabs.length > 0) attempt(this.#context, 'request page', () => tabGroups.close(tabs, true));
  }

  dispose(): void {
    for (const id of [...this.#requests.keys()]) this.close(id);
    this.#provider.dispose();
  }
}
