import type { CancellationToken, Uri, WebviewView, WebviewViewProvider, WebviewViewResolveContext } from 'vscode';
import type { TaskEvent } from '../../core/agent/events.ts';
import type { ApprovalDesk, ApprovalSurface } from '../../core/approval/request.ts';
import { createExchange } from './exchange.ts';
import type { ChatCommands } from './exchange.ts';
import type { ChatFacts } from './items.ts';
import type { Peer } from './outbox.ts';
import { pageOf, randomHex } from './page.ts';

export type { ChatCommands } from './exchange.ts';
export type { ChatFacts, Starter } from './items.ts';
export type { CommandName } from './protocol.ts';

/** The id of the view in package.json. */
export const CHAT_VIEW = 'sluice.chat';

export interface ChatPanelOptions {
  readonly extensionUri: Uri;
  readonly desk: ApprovalDesk;
  readonly commands: ChatCommands;
  readonly facts: ChatFacts;
}

export interface ChatPanel extends WebviewViewProvider, ApprovalSurface {
  readonly id: 'chat';
  onEvent(event: TaskEvent): void;
  setFacts(facts: ChatFacts): void;
  dispose(): void;
}

/**
 * Register it for `CHAT_VIEW` without `retainContextWhenHidden`: a hidden view is thrown away and gets the state
 * again when it returns. The view may be missing, hidden or broken; approvals do not depend on it.
 */
export function createChatPanel({ extensionUri, desk, commands, facts }: ChatPanelOptions): ChatPanel {
  const exchange = createExchange({ desk, commands, facts, later });
  return {
    id: 'chat',
    open: (request) => exchange.opened(request),
    close: (requestId, how) => exchange.closed(requestId, how),
    onEvent: (event) => exchange.onEvent(event),
    setFacts: (next) => exchange.setFacts(next),
    dispose: () => exchange.dispose(),
    resolveWebviewView(view: WebviewView, _context: WebviewViewResolveContext, _token: CancellationToken) {
      const { webview } = view;
      const dist = under(extensionUri, 'dist');
      webview.options = { enableScripts: true, enableForms: false, enableCommandUris: false, localResourceRoots: [dist, under(extensionUri, 'media')] };
      const peer: Peer = {
        token: randomHex(16),
        // A view that goes away while it is written to has its state sent again when it comes back.
        post: (message) => void Promise.resolve(webview.postMessage(message)).catch(() => undefined),
      };
      const address = (name: string): string => webview.asWebviewUri(under(dist, name)).toString();
      const listeners = [
        webview.onDidReceiveMessage((message: unknown) => exchange.receive(peer, message)),
        view.onDidChangeVisibility(() => {
          // A view that comes back is usually a new document and says `ready` itself; one that was kept does not.
          if (view.visible) exchange.receive(peer, { type: 'ready' });
          else exchange.detach(peer);
        }),
        view.onDidDispose(() => {
          exchange.detach(peer);
          for (const listener of listeners) listener.dispose();
        }),
      ];
      webview.html = pageOf({
        cspSource: webview.cspSource, script: address('chat.js'), style: address('chat.css'), icons: address('codicon.css'),
        nonce: randomHex(16), token: peer.token,
      });
    },
  };
}

function under(uri: Uri, name: string): Uri {
  return uri.with({ path: `${uri.path.replace(/\/$/, '')}/${name}` });
}

function later(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
