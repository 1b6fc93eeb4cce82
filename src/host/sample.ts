import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** Opens a fresh copy of the sample workspace in a new window; the copy lies in the system's temporary folder. */
export async function openSample(extensionUri: vscode.Uri): Promise<void> {
  const target = vscode.Uri.file(join(await mkdtemp(join(tmpdir(), 'sluice-')), 'sample'));
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(extensionUri, 'dist', 'sample'), target);
  await vscode.commands.executeCommand('vscode.openFolder', target, { forceNewWindow: (vscode.workspace.workspaceFolders ?? []).length > 0 });
}
