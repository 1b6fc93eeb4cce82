import * as vscode from 'vscode';
import type { ApprovalRequest, ApprovalSurface } from '../../core/approval/request.ts';
import { attempt, type SurfaceContext } from '../review/context.ts';
import { BASE, keyOf, ourUris, placeFor, placeOf, PROPOSED, requestKeysOf, type Placement } from '../review/tabs.ts';
import { diffFiles, MANY_TITLE, type DiffFile } from './addresses.ts';
import { editedText } from './edits.ts';
import { ProposedFiles } from './proposed-files.ts';

/** Diffs opened by themselves for one request; all of them are in the multi-file diff that Review opens. */
const OPENED_AT_ONCE = 4;

interface Shown {
  readonly request: ApprovalRequest;
  readonly files: readonly DiffFile[];
}

/**
 * Proposed changes as diffs: left the judged text, read-only; right the proposal, editable, in memory. Opens by
 * itself without the focus; closing a tab decides nothing, and `show` brings it back.
 */
export class DiffSurface implements ApprovalSurface, vscode.Disposable {
  readonly id = 'diff';
  readonly #context: SurfaceContext;
  readonly #shown = new Map<string, Shown>();
  readonly #proposed: ProposedFiles;
  readonly #providers: vscode.Disposable;

  constructor(context: SurfaceContext) {
    this.#context = context;
    this.#proposed = new ProposedFiles(context.now);
    this.#providers = vscode.Disposable.from(
      this.#proposed,
      vscode.workspace.registerFileSystemProvider(PROPOSED, this.#proposed, { isCaseSensitive: true }),
      vscode.workspace.registerTextDocumentContentProvider(BASE, { provideTextDocumentContent: (uri) => this.#baseText(placeOf(uri)) }),
    );
    this.#closeLeftovers();
  }

  open(request: ApprovalRequest): void {
    if (request.changes.length === 0 || this.#shown.has(request.id)) return;
    const files = diffFiles(request);
    this.#shown.set(request.id, { request, files });
    for (const { place, change } of files) this.#proposed.put(place, change.after, change.change === 'delete');
    const place = placeFor(vscode.window.tabGroups.all, vscode.window.tabGroups.activeTabGroup);
    if (place === 'nowhere') return;
    attempt(this.#context, 'diff', async () => {
      let column = columnOf(place);
      // The first file last, so that it is in front.
      for (const file of files.slice(0, OPENED_AT_ONCE).reverse()) {
        if (!this.#shown.has(request.id)) return;
        await this.#openOne(file, { viewColumn: column, preserveFocus: true, preview: files.length === 1 });
        column = this.#tabsOf(request.id)[0]?.group.viewColumn ?? column;
      }
    });
  }

  /** Opens or reveals the changes because a person asked; takes the focus. */
  show(request: ApprovalRequest): void {
    const shown = this.#shown.get(request.id);
    const [file] = shown?.files ?? [];
    if (shown === undefined || file === undefined) return;
    const column = this.#tabsOf(request.id)[0]?.group.viewColumn ?? vscode.ViewColumn.Active;
    attempt(this.#context, 'diff', () => (shown.files.length === 1
      ? this.#openOne(file, { viewColumn: column, preserveFocus: false, preview: true })
      : vscode.commands.executeCommand('vscode.changes', MANY_TITLE, shown.files.map((each) => {
        const { base, proposed } = addresses(each);
        return [proposed, base, proposed];
      }))));
  }

  /** What the person changed on the right sides, saved or not, by real path; undefined when nothing. */
  edits(requestId: string): Readonly<Record<string, string>> | undefined {
    const edits: Record<string, string> = {};
    for (const { change, place } of this.#shown.get(requestId)?.files ?? []) {
      const document = vscode.workspace.textDocuments.find((open) => open.uri.scheme === PROPOSED && placeOf(open.uri) === place);
      const now = document?.getText() ?? this.#proposed.text(place);
      const edited = now === undefined ? undefined : editedText(change.after, now);
      if (edited !== undefined) edits[change.path.real] = edited;
    }
    return Object.keys(edits).length === 0 ? undefined : edits;
  }

  close(requestId: string): void {
    const shown = this.#shown.get(requestId);
    if (shown === undefined) return;
    this.#shown.delete(requestId);
    attempt(this.#context, 'diff', async () => {
      const closed = await this.#closeTabs(this.#tabsOf(requestId));
      if (closed) for (const { place } of shown.files) this.#proposed.drop(place);
    });
  }

  dispose(): void {
    for (const id of [...this.#shown.keys()]) this.close(id);
    this.#providers.dispose();
  }

  async #openOne(file: DiffFile, options: vscode.TextDocumentShowOptions): Promise<void> {
    const { base, proposed } = addresses(file);
    await vscode.commands.executeCommand('vscode.diff', base, proposed, file.title, options);
  }

  #baseText(place: string): string {
    for (const { files } of this.#shown.values()) {
      const file = files.find((each) => each.place === place);
      if (file !== undefined) return file.change.before;
    }
    return 'This request has ended.\n';
  }

  #tabsOf(requestId: string): vscode.Tab[] {
    return vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => requestKeysOf(tab).has(keyOf(requestId)));
  }

  /**
   * Unsaved text is first saved into memory, so that closing asks nothing. A tab that cannot be saved stays.
   * True when all are closed.
   */
  async #closeTabs(tabs: readonly vscode.Tab[]): Promise<boolean> {
    const places = new Set(tabs.filter((tab) => tab.isDirty).flatMap((tab) => ourUris(tab).map(placeOf)));
    const unsaved = new Set<string>();
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme !== PROPOSED || !places.has(placeOf(document.uri)) || !document.isDirty) continue;
      if (!await document.save()) unsaved.add(placeOf(document.uri));
    }
    const closing = tabs.filter((tab) => !ourUris(tab).some((uri) => unsaved.has(placeOf(uri))));
    if (closing.length > 0) await vscode.window.tabGroups.close(closing, true);
    return closing.length === tabs.length;
  }

  /** Tabs the editor restored from before a reload, whose requests are gone. */
  #closeLeftovers(): void {
    attempt(this.#context, 'leftover tabs', async () => {
      await Promise.resolve();
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => {
        const keys = requestKeysOf(tab);
        return keys.size > 0 && [...keys].every((key) => !this.#waits(key));
      });
      const places = tabs.flatMap((tab) => ourUris(tab)).filter((uri) => uri.scheme === PROPOSED).map(placeOf);
      for (const place of places) this.#proposed.put(place, '', false);
      if (await this.#closeTabs(tabs)) for (const place of places) this.#proposed.drop(place);
    });
  }

  #waits(key: string): boolean {
    return [...this.#shown.keys(), ...this.#context.desk.pending().map((request) => request.id)].some((id) => keyOf(id) === key);
  }
}

function addresses(file: DiffFile): { readonly base: vscode.Uri; readonly proposed: vscode.Uri } {
  const { authority, path } = file;
  return { base: vscode.Uri.from({ scheme: BASE, authority, path }), proposed: vscode.Uri.from({ scheme: PROPOSED, authority, path }) };
}

function columnOf(place: Exclude<Placement, 'nowhere'>): vscode.ViewColumn {
  if (place === 'active') return vscode.ViewColumn.Active;
  return place === 'beside' ? vscode.ViewColumn.Beside : place.column;
}

