import * as vscode from 'vscode';
import { SETTINGS } from '../core/policy/schema.ts';
import { mergeLayers, type Layer, type Policy } from '../core/policy/layers.ts';
import { sha256 } from './system.ts';

/** Reads every layer the editor has and merges them. Cheap; called at each change and at each call. */
export function readPolicy(): Policy {
  const configuration = vscode.workspace.getConfiguration('sluice');
  const user: Record<string, unknown> = {};
  const workspace: Record<string, unknown> = {};
  for (const { key } of Object.values(SETTINGS)) {
    const found = configuration.inspect(key);
    if (found?.globalValue !== undefined) user[key] = found.globalValue;
    if (found?.workspaceValue !== undefined) workspace[key] = found.workspaceValue;
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder): Layer => ({ name: 'folder', values: folderValues(folder) }));
  return mergeLayers([{ name: 'user', values: user }, { name: 'workspace', values: workspace }, ...folders], vscode.workspace.isTrusted, sha256);
}

/** Folder values only tighten, so those of all folders apply together. */
function folderValues(folder: vscode.WorkspaceFolder): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration('sluice', folder.uri);
  const values: Record<string, unknown> = {};
  for (const { key, scope } of Object.values(SETTINGS)) {
    const found = scope === 'resource' ? configuration.inspect(key)?.workspaceFolderValue : undefined;
    if (found !== undefined) values[key] = found;
  }
  return values;
}

/** The policy in force, read again after each change of settings, trust or folders. */
export class LivePolicy implements vscode.Disposable {
  #current: Policy | undefined;
  readonly #changed = new vscode.EventEmitter<Policy>();
  readonly onDidChange = this.#changed.event;
  readonly #listeners: vscode.Disposable[];

  constructor() {
    const renew = (): void => {
      const before = this.#current?.version;
      this.#current = undefined;
      if (this.current.version !== before) this.#changed.fire(this.current);
    };
    this.#listeners = [
      vscode.workspace.onDidChangeConfiguration((event) => { if (event.affectsConfiguration('sluice')) renew(); }),
      vscode.workspace.onDidGrantWorkspaceTrust(renew),
      vscode.workspace.onDidChangeWorkspaceFolders(renew),
    ];
  }

  get current(): Policy {
    this.#current ??= readPolicy();
    return this.#current;
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#changed.dispose();
  }
}
