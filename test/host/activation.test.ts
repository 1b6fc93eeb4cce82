import { deepEqual, equal, ok } from 'node:assert/strict';
import * as vscode from 'vscode';

describe('activation', () => {
  it('activates in a real extension host', async () => {
    const extension = vscode.extensions.getExtension('sluice.sluice');
    ok(extension, 'the extension is installed');
    await extension.activate();
    equal(extension.isActive, true);
  });

  it('opens the copy of the sample workspace', async () => {
    const folders = vscode.workspace.workspaceFolders ?? [];
    equal(folders.length, 1);
    const names = await vscode.workspace.fs.readDirectory(folders[0]!.uri);
    deepEqual(names.filter(([name]) => name === 'package.json').map(([, kind]) => kind), [vscode.FileType.File]);
  });
});
