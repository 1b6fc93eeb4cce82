import * as vscode from 'vscode';
import { PROBLEM_SOURCE } from './policy-problems.ts';

/**
 * "Fix with Sluice" beside the editor's own fixes. The problem's text goes to the agent as data, quoted.
 * What is wrong with Sluice's own settings is not the agent's to fix.
 */
export function registerProblemFix(start: (prompt: string) => void): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: (document, _range, { diagnostics }) => diagnostics.filter(({ source }) => source !== PROBLEM_SOURCE).slice(0, 1).map((diagnostic) => {
      const action = new vscode.CodeAction('Fix with Sluice', vscode.CodeActionKind.QuickFix);
      action.diagnostics = [diagnostic];
      action.command = { command: 'sluice.fixProblem', title: 'Fix with Sluice', arguments: [document.uri, diagnostic.range, diagnostic.message] };
      return action;
    }),
  };
  return vscode.Disposable.from(
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, provider, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    vscode.commands.registerCommand('sluice.fixProblem', (uri: unknown, range: unknown, message: unknown) => {
      if (uri instanceof vscode.Uri && range instanceof vscode.Range && typeof message === 'string') start(promptFor(uri, range, message));
    }),
  );
}

function promptFor(uri: vscode.Uri, range: vscode.Range, message: string): string {
  const path = vscode.workspace.asRelativePath(uri);
  return `Fix this problem in ${path}, line ${range.start.line + 1}:\n\n> ${message.slice(0, 1_000).replaceAll('\n', '\n> ')}`;
}
