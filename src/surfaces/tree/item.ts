import * as vscode from 'vscode';
import type { RowLook } from './rows.ts';

/** A row as the editor's tree draws it. The tooltip is a code block: model text is never Markdown. */
export function treeItem(look: RowLook, token: string, command: vscode.Command): vscode.TreeItem {
  const item = new vscode.TreeItem(look.label, vscode.TreeItemCollapsibleState.None);
  item.id = token;
  item.description = look.description;
  item.tooltip = new vscode.MarkdownString().appendCodeblock(look.tooltip, 'plaintext');
  item.iconPath = new vscode.ThemeIcon(look.icon, look.color === undefined ? undefined : new vscode.ThemeColor(look.color));
  item.contextValue = look.contextValue;
  item.accessibilityInformation = { label: look.spoken, role: 'treeitem' };
  item.command = command;
  return item;
}
