import { deepEqual, ok } from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as vscode from 'vscode';

/** Modules that the extension host has loaded, by file name, from the extension's own folder. */
function loadedParts(): string[] {
  const folder = vscode.extensions.getExtension('sluice.sluice')!.extensionPath;
  const { cache } = createRequire(path.join(folder, 'dist', 'extension.cjs'));
  return Object.keys(cache).filter((file) => file.startsWith(path.join(folder, 'dist'))).map((file) => path.basename(file)).sort();
}

describe('what activation loads', () => {
  it('is the one eager bundle: no model client and no sandbox before the first task', async () => {
    await vscode.extensions.getExtension('sluice.sluice')!.activate();
    ok(loadedParts().includes('extension.cjs'), `seen: ${loadedParts().join(', ')}`);
    deepEqual(loadedParts().filter((name) => ['openai-chat.cjs', 'sandbox-runtime.cjs'].includes(name)), []);
  });

  it('offers every command that the manifest names', async () => {
    const manifest = vscode.extensions.getExtension('sluice.sluice')!.packageJSON as { contributes: { commands: { command: string }[] } };
    const known = new Set(await vscode.commands.getCommands(true));
    deepEqual(manifest.contributes.commands.map(({ command }) => command).filter((command) => !known.has(command)), []);
  });
});
