import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { FileChange } from '../core/call.ts';
import { StaleBase } from '../core/ports.ts';
import { minimalEdits } from './minimal-edits.ts';
import type { OpenDocuments } from './reading.ts';

/** The editor's side of a write: documents with unsaved text are changed where the person sees them. */
export interface EditorDocuments extends OpenDocuments {
  /**
   * Applies the change to the open document and saves it; cursor, undo and the rest of the text stay. Rejects with
   * `StaleBase` when the document is not `change.before` any more, and with a plain error when it could not be saved.
   * Saving is part of what was approved: the change was shown on top of the unsaved text.
   */
  write(change: FileChange): Promise<void>;
}

export function createEditorDocuments(): EditorDocuments {
  return {
    async find(real) {
      if (await notebookAt(real) !== undefined) return { text: '', encoding: 'utf8', notebook: true, dirty: (await notebookAt(real))!.isDirty };
      const document = await documentAt(real);
      return document && { text: document.getText(), encoding: document.encoding, dirty: document.isDirty, notebook: false };
    },
    async write(change) {
      const document = await documentAt(change.path.real);
      if (document === undefined || document.getText() !== change.before) throw new StaleBase(change.path.asked);
      await applyTo(document, change);
      if (document.isDirty && !(await document.save())) {
        throw new Error(`${change.path.asked} is changed in the editor but could not be saved; the file on disk may be newer. The person has to save it`);
      }
    },
  };
}

async function applyTo(document: vscode.TextDocument, change: FileChange): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const edits = minimalEdits(change.before, change.after).map(({ start, end, text }) =>
    vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), text));
  const crlf = change.after.includes('\r\n');
  const wanted = crlf ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  if (change.after.includes('\n') && wanted !== document.eol) edits.push(vscode.TextEdit.setEndOfLine(wanted));
  edit.set(document.uri, edits);
  if (!(await vscode.workspace.applyEdit(edit))) throw new StaleBase(change.path.asked);
  if (document.getText() !== change.after) {
    throw new Error(`${change.path.asked} was being edited at the same moment; the editor now holds both changes, unsaved`);
  }
}

/** The document of a file, opened by whatever name; one with unsaved text before one without. */
async function documentAt(real: string): Promise<vscode.TextDocument | undefined> {
  const found: vscode.TextDocument[] = [];
  for (const document of vscode.workspace.textDocuments) {
    if (document.uri.scheme === 'file' && !document.isClosed && await leadsTo(document.uri, real)) found.push(document);
  }
  return found.find((document) => document.isDirty) ?? found[0];
}

async function notebookAt(real: string): Promise<vscode.NotebookDocument | undefined> {
  for (const notebook of vscode.workspace.notebookDocuments) {
    if (notebook.uri.scheme === 'file' && await leadsTo(notebook.uri, real)) return notebook;
  }
  return undefined;
}

/** A document may have been opened through a link. */
export async function leadsTo(uri: vscode.Uri, real: string): Promise<boolean> {
  return uri.fsPath === real || await realpath(uri.fsPath).catch(() => undefined) === real;
}
