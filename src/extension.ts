import * as vscode from 'vscode';

/** The smallest extension that shows its view. */
export function activate(context: vscode.ExtensionContext): void {
  const provider: vscode.WebviewViewProvider = {
    resolveWebviewView(view) {
      view.webview.html = '<!doctype html><title>Sluice</title><p id="empty">No task yet.</p>';
    },
  };
  context.subscriptions.push(vscode.window.registerWebviewViewProvider('sluice.chat', provider));
  context.subscriptions.push(vscode.commands.registerCommand('sluice.hello', async () => {
    const answer = await vscode.window.showInformationMessage('Hello from Sluice', 'Approve', 'Deny');
    console.log(`sluice.hello answered ${answer}`);
  }));
}
