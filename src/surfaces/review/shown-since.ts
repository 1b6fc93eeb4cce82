import * as vscode from 'vscode';
import { attempt, type SurfaceContext } from './context.ts';
import { isManyFiles, keyOf, requestKeysOf } from './tabs.ts';

/** Since when each request's tab has been in front of its group. Also keeps the key for our multi-file diff. */
export class ShownSince implements vscode.Disposable {
  readonly #context: SurfaceContext;
  readonly #since = new Map<string, number>();
  readonly #listeners: vscode.Disposable;
  #manyFiles = false;

  constructor(context: SurfaceContext) {
    this.#context = context;
    const { tabGroups } = vscode.window;
    this.#listeners = vscode.Disposable.from(
      tabGroups.onDidChangeTabs(() => this.#look()), tabGroups.onDidChangeTabGroups(() => this.#look()),
    );
    this.#look();
  }

  /** In the context's milliseconds; undefined while no group shows it. */
  since(requestId: string): number | undefined {
    return this.#since.get(keyOf(requestId));
  }

  /** Key of the request whose tab is in front of the group that has the focus. */
  active(): string | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab === undefined ? undefined : [...requestKeysOf(tab)][0];
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#since.clear();
    this.#setManyFiles(false);
  }

  #look(): void {
    const shown = new Set<string>();
    for (const { activeTab } of vscode.window.tabGroups.all) {
      if (activeTab !== undefined) for (const key of requestKeysOf(activeTab)) shown.add(key);
    }
    for (const key of this.#since.keys()) if (!shown.has(key)) this.#since.delete(key);
    for (const key of shown) if (!this.#since.has(key)) this.#since.set(key, this.#context.now());
    const front = vscode.window.tabGroups.activeTabGroup.activeTab;
    this.#setManyFiles(front !== undefined && isManyFiles(front) && requestKeysOf(front).size > 0);
  }

  #setManyFiles(value: boolean): void {
    if (value === this.#manyFiles) return;
    this.#manyFiles = value;
    attempt(this.#context, 'context key', () => vscode.commands.executeCommand('setContext', 'sluice.manyFilesShown', value));
  }
}
