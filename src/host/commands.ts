import * as vscode from 'vscode';
import type { ApprovalDesk, ApprovalRequest } from '../core/approval/request.ts';
import type { SessionGrants } from '../core/approval/grants.ts';
import type { Channel } from '../core/call.ts';
import type { SandboxStatus } from '../core/ports.ts';
import { plainMessage } from '../surfaces/plain-message.ts';
import { CHAT_VIEW, type ChatCommands, type CommandName } from '../surfaces/chat/panel.ts';
import { describeReports, verifyAudit } from './audit-reading.ts';
import type { Conversation } from './conversation.ts';
import { askForKey, connectModel, type ModelKey } from './models.ts';
import type { RecordPages } from './record-pages.ts';
import { openSample } from './sample.ts';

export interface CommandParts {
  readonly conversation: Conversation;
  /** A message of the person; the first one loads the engine. */
  readonly send: (text: string, channel: Channel) => void;
  readonly key: ModelKey;
  readonly output: vscode.LogOutputChannel;
  readonly pages: RecordPages;
  readonly auditFolder: () => string;
  readonly sandboxStatus: () => Promise<SandboxStatus>;
  readonly grants: () => SessionGrants | undefined;
  readonly desk: ApprovalDesk;
  readonly show: (request: ApprovalRequest) => void;
  readonly extensionUri: vscode.Uri;
}

export interface Commands {
  dispose(): void;
  readonly chat: ChatCommands;
  startTask(prompt: string, channel: Channel): void;
}

/** Every command of the palette, and what the chat may ask for. None of them answers an approval. */
export function registerCommands(parts: CommandParts): Commands {
  const { conversation, key, output } = parts;
  const startTask = (prompt: string, channel: Channel): void => {
    void vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
    parts.send(prompt, channel);
  };
  const actions: Readonly<Record<string, () => unknown>> = {
    'sluice.newTask': () => newTask(conversation),
    'sluice.stop': () => conversation.stop(),
    'sluice.continueTask': () => conversation.goOn(),
    'sluice.connectModel': () => connectModel(key),
    'sluice.setApiKey': () => askForKey(key),
    'sluice.clearApiKey': () => clearKey(key),
    'sluice.showSandboxStatus': () => showSandbox(parts),
    'sluice.showLog': () => output.show(),
    'sluice.verifyAudit': () => verify(parts),
    'sluice.revokeGrants': () => revokeGrants(parts.grants()),
    'sluice.openSample': () => openSample(parts.extensionUri),
  };
  const registered = Object.entries(actions).map(([id, run]) => vscode.commands.registerCommand(id, () => run()));
  return { startTask, chat: chatCommands(parts), dispose: () => { for (const one of registered) one.dispose(); } };
}

function chatCommands({ conversation, send, pages, desk, show }: CommandParts): ChatCommands {
  const showRequest = (id: string): void => {
    const request = desk.pending().find((one) => one.id === id);
    if (request !== undefined) show(request);
  };
  return {
    send: (text) => send(text, 'editor'),
    stop: () => conversation.stop(),
    continueTask: () => conversation.goOn(),
    openRequest: showRequest,
    openDiff: showRequest,
    openRecord: (callId) => pages.open(callId),
    openLink: (url) => { void openLink(url); },
    openFile: (path) => { void openFile(path); },
    runCommand: (name) => { void vscode.commands.executeCommand(...COMMANDS[name]); },
  };
}

const COMMANDS: Readonly<Record<CommandName, readonly [string, ...unknown[]]>> = {
  connect_model: ['sluice.connectModel'], start_rehearsal: ['sluice.openSample'], choose_profile: ['workbench.action.openSettings', 'sluice.profile'],
  sandbox_help: ['sluice.showSandboxStatus'], open_settings: ['workbench.action.openSettings', '@ext:sluice.sluice'],
  manage_trust: ['workbench.trust.manage'], new_task: ['sluice.newTask'], show_requests: ['sluice.approvals.focus'], show_activity: ['sluice.activity.focus'],
};

async function newTask(conversation: Conversation): Promise<void> {
  if (conversation.running) {
    const picked = await vscode.window.showWarningMessage('A task is running. Stop it and start a new one?', 'Stop and Start New');
    if (picked === undefined) return;
  }
  conversation.reset();
  await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
}

async function clearKey(key: ModelKey): Promise<void> {
  await key.clear();
  void vscode.window.showInformationMessage('The API key was removed from the secret storage.');
}

async function showSandbox({ sandboxStatus, pages }: CommandParts): Promise<void> {
  const { available, detail, fix } = await sandboxStatus();
  const lines = [available ? 'Commands run confined.' : 'Commands cannot be confined here, so each of them asks and runs unconfined.', '', detail];
  if (fix !== undefined) lines.push('', 'This line would install what is missing:', '', `    ${fix}`);
  await pages.openText('sandbox.txt', `${lines.join('\n')}\n`);
}

async function verify({ auditFolder, pages }: CommandParts): Promise<void> {
  const { ok, lines } = describeReports(await verifyAudit(auditFolder()), new Set());
  const headline = ok ? 'The audit is whole.' : 'The audit is damaged.';
  const show = ok ? vscode.window.showInformationMessage : vscode.window.showErrorMessage;
  void show(plainMessage(`${headline} ${lines[0] ?? ''}`), 'Details').then((picked) => {
    if (picked !== undefined) return pages.openText('audit.txt', `${headline}\n\n${lines.join('\n')}\n`);
    return undefined;
  });
}

async function revokeGrants(grants: SessionGrants | undefined): Promise<void> {
  const items = (grants?.list() ?? []).map((grant) => ({ label: grant.covers, description: `used ${grant.uses} times`, key: grant.key }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage('Nothing is approved for this session.');
    return;
  }
  const picked = await vscode.window.showQuickPick(items, { title: 'Revoke approvals of this session', canPickMany: true });
  for (const item of picked ?? []) grants?.revoke(item.key);
}

/** Addresses come out of the agent's text: the person sees the whole address before anything is opened. */
async function openLink(text: string): Promise<void> {
  // As the browser gets it: no hidden characters, no lookalike letters in the host's name.
  const url = new URL(text).href;
  // The first button is the one that Enter presses, so it opens nothing.
  const picked = await vscode.window.showWarningMessage('The agent\'s text links to this address. Open it in the browser?', { modal: true, detail: url }, 'Copy Address', 'Open');
  if (picked === 'Copy Address') await vscode.env.clipboard.writeText(url);
  if (picked === 'Open') await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

async function openFile(path: string): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) return;
  const uri = vscode.Uri.joinPath(folder.uri, path);
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined) return;
  await vscode.window.showTextDocument(uri, { preview: true }).then(() => undefined, () => vscode.window.showWarningMessage(plainMessage(`${path} could not be opened.`)));
}
