import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CancellationToken, Uri, WebviewOptions, WebviewView, WebviewViewResolveContext } from 'vscode';
import { createChatPanel } from '../../../../src/surfaces/chat/panel.ts';
import type { ChatPanel } from '../../../../src/surfaces/chat/panel.ts';
import { facts, fakeCommands, fakeDesk, request, started } from './sample.ts';
import type { FakeDesk } from './sample.ts';

function uri(path: string): Uri {
  return { path, with: (change: { path: string }) => uri(change.path), toString: () => `webview:${path}` } as unknown as Uri;
}

/** As much of the editor's view as the panel uses. */
function fakeView() {
  const heard = { message: new Set<(message: unknown) => void>(), visible: new Set<() => void>(), gone: new Set<() => void>() };
  const on = <T>(set: Set<T>) => (listener: T) => {
    set.add(listener);
    return { dispose: () => set.delete(listener) };
  };
  const posted: Record<string, unknown>[] = [];
  const webview = {
    options: {} as WebviewOptions, html: '', cspSource: 'webview:', asWebviewUri: (to: Uri) => to, onDidReceiveMessage: on(heard.message),
    postMessage: (message: Record<string, unknown>) => {
      posted.push(message);
      return Promise.reject(new Error('the view is gone'));
    },
  };
  const view = { visible: true, webview, onDidChangeVisibility: on(heard.visible), onDidDispose: on(heard.gone) };
  const fire = <T extends unknown[]>(set: Set<(...args: T) => void>, ...args: T): void => [...set].forEach((listener) => listener(...args));
  return {
    view, posted, heard,
    says: (message: unknown) => fire(heard.message, message),
    show: (visible: boolean) => {
      view.visible = visible;
      fire(heard.visible);
    },
    close: () => fire(heard.gone),
    token: () => /"token":"([0-9a-f]{32})"/.exec(webview.html)?.[1],
  };
}

describe('the chat panel', () => {
  let desk: FakeDesk;
  let panel: ChatPanel;
  let asked: readonly (readonly [string, string | undefined])[];
  const resolve = (fake: ReturnType<typeof fakeView>): void => {
    void panel.resolveWebviewView(fake.view as unknown as WebviewView, {} as WebviewViewResolveContext, {} as CancellationToken);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    desk = fakeDesk([request()]);
    const fake = fakeCommands();
    asked = fake.asked;
    panel = createChatPanel({ extensionUri: uri('/ext/'), desk, commands: fake.commands, facts });
  });
  afterEach(() => {
    panel.dispose();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('gives the view our files only, scripts without forms or command links, and its own token', () => {
    const [first, second] = [fakeView(), fakeView()];
    resolve(first);
    resolve(second);
    expect(first.view.webview.options).toMatchObject({ enableScripts: true, enableForms: false, enableCommandUris: false });
    expect(first.view.webview.options.localResourceRoots?.map(({ path }) => path)).toEqual(['/ext/dist', '/ext/media']);
    expect(first.view.webview.html).toContain('src="webview:/ext/dist/chat.js"');
    expect([first.token(), second.token()]).toEqual([expect.any(String), expect.any(String)]);
    expect(first.token()).not.toBe(second.token());
  });

  it('passes an answer of this view on, and opens the request for an answer with another view\'s token', () => {
    const [first, second] = [fakeView(), fakeView()];
    resolve(first);
    resolve(second);
    const answer = { type: 'answer', requestId: 'req_1', fingerprint: 'sha256:aa', choice: 'approve', scope: 'once' };
    first.says({ ...answer, token: second.token() });
    expect([desk.answers, asked]).toEqual([[], [['openRequest', 'req_1']]]);
    second.says({ ...answer, token: second.token() });
    expect(desk.answers).toMatchObject([{ requestId: 'req_1', surface: 'chat' }]);
  });

  it('shows what waited before it existed, sends nothing to a hidden view, and everything when it returns', () => {
    const fake = fakeView();
    resolve(fake);
    fake.says({ type: 'ready' });
    expect(fake.posted).toMatchObject([{ type: 'replace', state: { waiting: [{ request: { id: 'req_1' } }] } }]);
    fake.show(false);
    panel.onEvent(started);
    panel.close('req_1', 'denied');
    vi.runAllTimers();
    expect(fake.posted).toHaveLength(1);
    fake.show(true);
    expect(fake.posted[1]).toMatchObject({ type: 'replace', state: { waiting: [], task: { id: 't1' } } });
  });

  it('works with no view at all, and lets go of one that was closed', () => {
    panel.open(request({ id: 'req_2' }));
    panel.close('never seen', 'expired');
    panel.setFacts(facts);
    const fake = fakeView();
    resolve(fake);
    fake.says({ type: 'ready' });
    fake.close();
    panel.onEvent(started);
    expect([fake.posted.length, fake.heard.message.size, fake.heard.visible.size]).toEqual([1, 0, 0]);
    expect(desk.answers).toEqual([]);
  });
});
