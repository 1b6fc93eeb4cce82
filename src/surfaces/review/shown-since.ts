import * as vscode from 'vscode';
import { attempt, type SurfaceContext } from './context.ts';
import { isManyFiles, requestIdsOf } from './tabs.ts';

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
    return this.#since.get(requestId);
  }

  /** Of the tab in front of the group that has the focus. */
  active(): string | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return tab === undefined ? undefined : [...requestIdsOf(tab)][0];
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#since.clear();
    this.#setManyFiles(false);
  }

  #look(): void {
    const shown = new Set<string>();
    for (const { activeTab } of vscode.window.tabGroups.all) {
      if (activeTab !== undefined) for (const id of requestIdsOf(activeTab)) shown.add(id);
    }
    for (const id of this.#since.keys()) if (!shown.has(id)) this.#since.delete(id);
    for (const id of shown) if (!this.#since.has(id)) this.#since.set(id, this.#context.now());
    const front = vscode.window.tabGroups.activeTabGroup.activeTab;
    this.#setManyFiles(front !== undefined && isManyFiles(front) && requestIdsOf(front).size > 0);
  }

  #setManyFiles(value: boolean): void {
    if (value === this.#manyFiles) return;
    this.#manyFiles = value;
    attempt(this.#context, 'context key', () => vscode.commands.executeCommand('setContext', 'sluice.manyFilesShown', value));
  }
}
