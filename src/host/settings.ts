import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { SETTINGS } from '../core/policy/schema.ts';
import { mergeLayers, type Layer, type Policy } from '../core/policy/layers.ts';
import { findSettings, ownLayer, type FoundSettings, type ReadText, type SettingsFile } from './policy-files.ts';
import type { PolicyMemory } from './policy-memory.ts';
import { sha256 } from './system.ts';

export interface PolicyReading {
  readonly policy: Policy;
  /** The workspace's files as they were read, to point at lines. */
  readonly files: readonly FoundSettings[];
  /** The person's own file does not parse; its last readable values are in force. */
  readonly held: boolean;
}

export interface PolicySources {
  readonly memory: PolicyMemory;
  /** Address of the person's own settings file, where the extension's machine has one. */
  readonly ownFile?: string | undefined;
}

/** The policy without anything that was accepted or remembered. */
export function readPolicy(): Policy {
  return readLayers({ memory: NO_MEMORY }).policy;
}

/**
 * Reads every layer and merges them. The person's own values come from the editor; those of workspace and folders
 * from the files themselves, because the editor hands out half of a file that does not parse. Cheap: called at
 * each change.
 */
export function readLayers({ memory, ownFile }: PolicySources, held = false): PolicyReading {
  const found = settingsFiles().flatMap((file) => findSettings(file, readText, memory) ?? []);
  const own = ownLayer(ownFile, ownValues(), { read: readText, memory, held });
  const layers: Layer[] = [own.layer, ...editorLayers(), ...found.map(({ layer }) => layer)];
  const policy = mergeLayers(layers, vscode.workspace.isTrusted, sha256, { workspace: workspaceIdentity(), accepted: memory.accepted() });
  return { policy, files: found.map((one) => one.found), held: own.broken };
}

/** The address of the workspace file, or of the folder. */
export function workspaceIdentity(): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  return workspaceFile?.toString() ?? (workspaceFolders ?? []).map(({ uri }) => uri.toString()).join('\n');
}

function ownValues(): Record<string, unknown> {
  return valuesOf(vscode.workspace.getConfiguration('sluice'), (found) => found.globalValue);
}

function valuesOf(configuration: vscode.WorkspaceConfiguration, pick: (found: Inspected) => unknown): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { key } of Object.values(SETTINGS)) {
    const found = configuration.inspect(key);
    const value = found === undefined ? undefined : pick(found);
    if (value !== undefined) values[key] = value;
  }
  return values;
}

type Inspected = NonNullable<ReturnType<vscode.WorkspaceConfiguration['inspect']>>;

/** An open folder's file is the workspace's; in a window with a workspace file each folder has a layer of its own. */
export function settingsFiles(): readonly SettingsFile[] {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const folders = (workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }): SettingsFile => ({
    layer: workspaceFile === undefined ? 'workspace' : 'folder', place: vscode.Uri.joinPath(uri, '.vscode', 'settings.json').toString(), section: undefined,
  }));
  if (workspaceFile?.scheme !== 'file') return folders;
  return [{ layer: 'workspace', place: workspaceFile.toString(), section: 'settings' }, ...folders];
}

/** What has no file that we can read (an unsaved workspace, a folder of another file system): as the editor has it. */
function editorLayers(): readonly Layer[] {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const folders = (workspaceFolders ?? []).filter(({ uri }) => uri.scheme !== 'file').map(({ uri }): Layer => ({
    name: 'folder', place: uri.toString(), values: valuesOf(vscode.workspace.getConfiguration('sluice', uri), (found) => found.workspaceFolderValue),
  }));
  const inEditor = workspaceFile === undefined ? folders.length > 0 : workspaceFile.scheme !== 'file';
  if (!inEditor) return folders;
  return [{ name: 'workspace', place: workspaceIdentity(), values: valuesOf(vscode.workspace.getConfiguration('sluice'), (found) => found.workspaceValue) }, ...folders];
}

const readText: ReadText = (place) => {
  try {
    return readFileSync(vscode.Uri.parse(place, true).fsPath, 'utf8').replace(/^\uFEFF/u, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(code ?? 'unknown error', { cause: error });
  }
};

const NO_MEMORY: PolicyMemory = {
  accepted: () => new Set(), accept: () => undefined, revoke: () => undefined, hasRung: () => true, ring: () => undefined, lastGood: () => undefined, keep: () => undefined,
};

/** The policy in force, read again after each change of settings, their files, trust, folders or consent. */
export class LivePolicy implements vscode.Disposable {
  readonly memory: PolicyMemory;
  readonly #sources: PolicySources;
  #held = false;
  #reading: PolicyReading | undefined;
  #told = '';
  readonly #changed = new vscode.EventEmitter<Policy>();
  readonly onDidChange = this.#changed.event;
  readonly #listeners: vscode.Disposable[];
  #watchers: vscode.Disposable[] = [];

  constructor(sources: PolicySources) {
    this.memory = sources.memory;
    this.#sources = sources;
    this.#listeners = [
      vscode.workspace.onDidChangeConfiguration((event) => {
        this.#held = false;
        if (event.affectsConfiguration('sluice')) this.renew();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => { this.renew(); }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => { this.#watch(); this.renew(); }),
    ];
    this.#watch();
  }

  get current(): Policy {
    return this.#read().policy;
  }

  get files(): readonly FoundSettings[] {
    return this.#read().files;
  }

  /** Reads everything again; tells the listeners when anything is different, problems and consent included. */
  renew(): void {
    this.#reading = undefined;
    const { policy, files } = this.#read();
    const told = summary(policy, files);
    if (told === this.#told) return;
    this.#told = told;
    this.#changed.fire(policy);
  }

  dispose(): void {
    for (const one of [...this.#listeners, ...this.#watchers]) one.dispose();
    this.#changed.dispose();
  }

  #read(): PolicyReading {
    if (this.#reading === undefined) {
      this.#reading = readLayers(this.#sources, this.#held);
      this.#held = this.#reading.held;
      if (this.#told === '') this.#told = summary(this.#reading.policy, this.#reading.files);
    }
    return this.#reading;
  }

  /** A file may break without a change that the editor tells. */
  #watch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    const { ownFile } = this.#sources;
    const places = [...settingsFiles().map(({ place }) => place), ...(ownFile === undefined ? [] : [ownFile])];
    this.#watchers = places.map((place) => {
      const uri = vscode.Uri.parse(place, true);
      const [base, pattern] = uri.path.endsWith('/.vscode/settings.json') ? ['../..', '.vscode/settings.json'] : ['..', uri.path.slice(uri.path.lastIndexOf('/') + 1)];
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.joinPath(uri, base), pattern));
      const renew = (): void => { this.renew(); };
      watcher.onDidChange(renew);
      watcher.onDidCreate(renew);
      watcher.onDidDelete(renew);
      return watcher;
    });
  }
}

function summary({ version, problems, consentKey, consented }: Policy, files: readonly FoundSettings[]): string {
  return JSON.stringify([version, problems, consentKey, consented, files.map(({ text }) => text)]);
}
