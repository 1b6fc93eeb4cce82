import * as vscode from 'vscode';
import { attempt, type SurfaceContext } from '../review/context.ts';
import { treeItem } from './item.ts';
import { ACTIVITY_FILTERS, activityLook, passes, type ActivityEntry, type ActivityFilter } from './rows.ts';

/** Entries kept; older ones are in the audit. */
const KEPT = 200;

const FILTER_WORDS: Record<ActivityFilter, string> = {
  all: 'All decisions', asked: 'Asked', denied: 'Denied', failed: 'Failed',
};

/** The Activity view: the last decisions, newest first. A click opens the record. */
export class ActivityTree implements vscode.TreeDataProvider<ActivityEntry>, vscode.Disposable {
  readonly #context: SurfaceContext;
  /** By id, in the order in which they first came. */
  readonly #entries = new Map<string, ActivityEntry>();
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #view: vscode.TreeView<ActivityEntry>;
  readonly #commands: vscode.Disposable;
  #filter: ActivityFilter = 'all';
  #picking: vscode.CancellationTokenSource | undefined;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: SurfaceContext, openRecord: (record: string) => void) {
    this.#context = context;
    this.#view = vscode.window.createTreeView('sluice.activity', { treeDataProvider: this });
    this.#commands = vscode.Disposable.from(
      vscode.commands.registerCommand('sluice.activity.filter', () => this.#pickFilter()),
      vscode.commands.registerCommand('sluice.activity.open', (entry: unknown) => {
        const record = (entry as Partial<ActivityEntry> | undefined)?.record;
        if (typeof record === 'string') openRecord(record);
      }),
    );
  }

  /** An entry with a known id takes its place. */
  add(entry: ActivityEntry): void {
    this.#entries.set(entry.id, entry);
    if (this.#entries.size > KEPT) {
      const oldest = this.#entries.keys().next();
      if (oldest.done !== true) this.#entries.delete(oldest.value);
    }
    this.#changed.fire(undefined);
  }

  getChildren(parent?: ActivityEntry): ActivityEntry[] {
    return parent === undefined ? [...this.#entries.values()].filter((entry) => passes(entry, this.#filter)).reverse() : [];
  }

  getTreeItem(entry: ActivityEntry): vscode.TreeItem {
    const look = activityLook(entry, (time) => new Date(time).toLocaleTimeString(undefined, { timeStyle: 'short' }));
    return treeItem(look, entry.id, { command: 'sluice.activity.open', title: 'Open Record', arguments: [entry] });
  }

  dispose(): void {
    this.#picking?.cancel();
    this.#commands.dispose();
    this.#view.dispose();
    this.#changed.dispose();
    this.#entries.clear();
  }

  #pickFilter(): void {
    this.#picking?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.#picking = source;
    attempt(this.#context, 'filter', async () => {
      const items = ACTIVITY_FILTERS.map((filter) => ({ label: FILTER_WORDS[filter], filter, picked: filter === this.#filter }));
      const picked = await vscode.window.showQuickPick(items, { title: 'Show in Activity' }, source.token);
      source.dispose();
      if (this.#picking !== source) return;
      this.#picking = undefined;
      if (picked !== undefined) this.#setFilter(picked.filter);
    });
  }

  #setFilter(filter: ActivityFilter): void {
    this.#filter = filter;
    this.#view.description = filter === 'all' ? '' : FILTER_WORDS[filter];
    this.#view.message = filter === 'all' ? '' : `Only: ${FILTER_WORDS[filter].toLowerCase()}.`;
    this.#changed.fire(undefined);
  }
}
