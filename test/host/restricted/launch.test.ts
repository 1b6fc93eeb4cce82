import { equal } from 'node:assert/strict';
import * as vscode from 'vscode';

describe('restricted launch', () => {
  it('opens the folder untrusted and honours user settings', () => {
    equal(vscode.workspace.isTrusted, false);
    equal(vscode.workspace.getConfiguration('editor').get('tabSize'), 3);
  });
});
