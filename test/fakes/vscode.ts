/**
 * As much of the editor's API as the surfaces use, with what they did written down in `seen`. Messages, boxes and
 * lists stay open until a test answers them. `reset` empties everything; `leaks` names what was not disposed.
 */
type Listener = (value: never) => unknown;

export interface ShownMessage {
  readonly severity: 'information' | 'warning';
  readonly message: string;
  readonly items: readonly { readonly title: string }[];
  pick(title: string | undefined): Promise<void>;
}

interface FakeTab { label: string; input: unknown; isActive: boolean; isDirty: boolean; group: FakeGroup }
interface FakeGroup { viewColumn: number; isActive: boolean; tabs: FakeTab[]; activeTab: FakeTab | undefined }

const live = new Set<string>();
let serial = 0;
function hold(what: string, release: () => void = () => undefined): Disposable {
  const name = `${what}#${serial += 1}`;
  live.add(name);
  return new Disposable(() => { live.delete(name); release(); });
}

export class Disposable {
  readonly #release: () => void;
  constructor(release: () => void) { this.#release = release; }
  static from(...parts: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => { for (const part of parts) part.dispose(); });
  }
  dispose(): void { this.#release(); }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();
  readonly event = (listener: (value: T) => unknown): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => { this.#listeners.delete(listener); });
  };
  fire(value: T): void { for (const listener of this.#listeners) listener(value); }
  dispose(): void { this.#listeners.clear(); }
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  constructor(scheme: string, authority: string, path: string) { this.scheme = scheme; this.authority = authority; this.path = path; }
  static from({ scheme, authority = '', path }: { scheme: string; authority?: string; path: string }): Uri { return new Uri(scheme, authority, path); }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<undefined>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };
  cancel(): void { this.token.isCancellationRequested = true; this.#cancelled.fire(undefined); }
  dispose(): void { this.#cancelled.dispose(); }
}

export class ThemeColor { readonly id: string; constructor(id: string) { this.id = id; } }
export class ThemeIcon { readonly id: string; readonly color: ThemeColor | undefined; constructor(id: string, color?: ThemeColor) { this.id = id; this.color = color; } }
export class TreeItem { readonly label: string; constructor(label: string) { this.label = label; } }
export class MarkdownString {
  value = '';
  isTrusted: boolean | undefined;
  appendCodeblock(text: string): this { this.value += text; return this; }
}
export class FileSystemError extends Error {
  static FileNotFound(): FileSystemError { return new FileSystemError('FileNotFound'); }
  static NoPermissions(): FileSystemError { return new FileSystemError('NoPermissions'); }
}
export const TreeItemCollapsibleState = { None: 0 } as const;
export const StatusBarAlignment = { Left: 1 } as const;
export const ViewColumn = { Active: -1, Beside: -2 } as const;
export const FileType = { File: 1, Directory: 2 } as const;
export const FilePermission = { Readonly: 1 } as const;
export const FileChangeType = { Changed: 1 } as const;

const tabsChanged = new EventEmitter<unknown>();
const firstGroup = (): FakeGroup => ({ viewColumn: 1, isActive: true, tabs: [], activeTab: undefined });

export const seen = {
  messages: [] as ShownMessage[],
  executed: [] as { id: string; args: readonly unknown[] }[],
  inputs: [] as { options: { title?: string }; answer(text: string | undefined): Promise<void> }[],
  documents: [] as { uri: Uri; text: string; isDirty: boolean; getText(): string; save(): Promise<boolean> }[],
  shownDocuments: [] as unknown[],
  closedTabs: [] as FakeTab[],
  terminals: [] as { name: string; pty: { open(): void; close(): void; onDidWrite(listener: (text: string) => void): unknown }; disposed: boolean }[],
  statusItems: [] as Record<string, unknown>[],
  views: new Map<string, Record<string, unknown>>(),
  groups: [firstGroup()],
  commands: new Map<string, (...args: never[]) => unknown>(),
};

export function reset(): void {
  live.clear();
  for (const list of [seen.messages, seen.executed, seen.inputs, seen.documents, seen.shownDocuments, seen.closedTabs, seen.terminals, seen.statusItems]) list.length = 0;
  seen.views.clear();
  seen.commands.clear();
  seen.groups.splice(0, seen.groups.length, firstGroup());
  tabsChanged.dispose();
}

export function leaks(): readonly string[] {
  return [...live];
}

/** Puts a tab in front of a group and tells the listeners. */
export function frontTab(input: unknown, groupIndex = 0): FakeTab {
  const group = seen.groups[groupIndex] ?? firstGroup();
  const tab: FakeTab = { label: 'tab', input, isActive: true, isDirty: false, group };
  group.tabs.push(tab);
  group.activeTab = tab;
  tabsChanged.fire(undefined);
  return tab;
}

/** Lets everything that only waits for promises happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

function message(severity: ShownMessage['severity']) {
  return (text: string, ...items: readonly { readonly title: string }[]): Promise<unknown> => new Promise((resolve) => {
    seen.messages.push({ severity, message: text, items, pick: async (title) => { resolve(items.find((item) => item.title === title)); await settle(); } });
  });
}

export const window = {
  showInformationMessage: message('information'),
  showWarningMessage: message('warning'),
  showInputBox: (options: { title?: string }, token?: CancellationTokenSource['token']) => new Promise<string | undefined>((resolve) => {
    token?.onCancellationRequested(() => { resolve(undefined); });
    seen.inputs.push({ options, answer: async (text) => { resolve(text); await settle(); } });
  }),
  showTextDocument: (document: unknown) => { seen.shownDocuments.push(document); return Promise.resolve(); },
  createStatusBarItem: () => {
    const item: Record<string, unknown> = { show: () => undefined };
    const held = hold('status bar item');
    item['dispose'] = () => { held.dispose(); };
    seen.statusItems.push(item);
    return item;
  },
  createTreeView: (id: string) => {
    const held = hold(`view ${id}`);
    const view: Record<string, unknown> = { dispose: () => { held.dispose(); } };
    seen.views.set(id, view);
    return view;
  },
  createTerminal: (options: { name: string; pty: (typeof seen.terminals)[number]['pty'] }) => {
    const held = hold('terminal');
    const terminal = { name: options.name, pty: options.pty, disposed: false, dispose: () => { terminal.disposed = true; held.dispose(); } };
    seen.terminals.push(terminal);
    return terminal;
  },
  tabGroups: {
    get all() { return seen.groups; },
    get activeTabGroup() { return seen.groups.find((group) => group.isActive) ?? seen.groups[0]; },
    onDidChangeTabs: (listener: Listener) => listening('tabs', listener),
    onDidChangeTabGroups: (listener: Listener) => listening('tab groups', listener),
    close: (tabs: FakeTab[]) => {
      for (const tab of tabs) {
        seen.closedTabs.push(tab);
        tab.group.tabs.splice(tab.group.tabs.indexOf(tab), 1);
        if (tab.group.activeTab === tab) tab.group.activeTab = tab.group.tabs[0];
      }
      tabsChanged.fire(undefined);
      return Promise.resolve(true);
    },
  },
};

function listening(what: string, listener: Listener): Disposable {
  const inner = tabsChanged.event(listener as (value: unknown) => unknown);
  return hold(what, () => { inner.dispose(); });
}

export const commands = {
  registerCommand: (id: string, run: (...args: never[]) => unknown) => {
    seen.commands.set(id, run);
    return hold(`command ${id}`, () => { seen.commands.delete(id); });
  },
  executeCommand: (id: string, ...args: readonly unknown[]) => {
    seen.executed.push({ id, args });
    if (id === 'vscode.diff') frontTab({ original: args[0], modified: args[1] });
    if (id === 'vscode.changes') frontTab({ textDiffs: (args[1] as [unknown, unknown, unknown][]).map(([, original, modified]) => ({ original, modified })) });
    return Promise.resolve();
  },
};

export const languages = { setTextDocumentLanguage: (document: unknown) => Promise.resolve(document) };

export const workspace = {
  get textDocuments() { return seen.documents; },
  openTextDocument: (uri: Uri) => Promise.resolve({ uri }),
  registerTextDocumentContentProvider: (scheme: string) => hold(`content ${scheme}`),
  registerFileSystemProvider: (scheme: string) => hold(`files ${scheme}`),
};
