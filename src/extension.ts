import * as vscode from 'vscode';
import { ApprovalBroker } from './core/approval/broker.ts';
import type { TaskEvent } from './core/agent/events.ts';
import { createRedactor } from './core/audit/redact.ts';
import type { CommandRunner, SandboxStatus } from './core/ports.ts';
import { AuditFile } from './host/audit-file.ts';
import { registerCommands } from './host/commands.ts';
import { registerProblemFix } from './host/code-actions.ts';
import { PolicyReview } from './host/consent.ts';
import { Conversation } from './host/conversation.ts';
import type { Engine } from './host/engine.ts';
import { chooseModel, modelFacts, ModelKey } from './host/models.ts';
import { Questions } from './host/questions.ts';
import { RecordPages } from './host/record-pages.ts';
import { replayTask } from './host/replay.ts';
import { SessionFile, takeLeftover } from './host/session-file.ts';
import { createPolicyMemory } from './host/policy-memory.ts';
import { PolicyProblems } from './host/policy-problems.ts';
import { LivePolicy } from './host/settings.ts';
import { findStarters } from './host/starters.ts';
import { TaskFeed } from './host/task-feed.ts';
import { isAlive, randomIds, systemClock } from './host/system.ts';
import { createCommandRunner } from './sandbox/runner.ts';
import { CHAT_VIEW, createChatPanel, type ChatFacts, type ChatPanel, type Starter } from './surfaces/chat/panel.ts';
import { plainMessage } from './surfaces/plain-message.ts';
import { openNativeSurfaces } from './surfaces/index.ts';

/** Wires the editor. Everything here is cheap; the sandbox, the model's client and the self-test wait for the first task. */
export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('Sluice', { log: true });
  const policy = new LivePolicy({ memory: createPolicyMemory(context.workspaceState), ownFile: vscode.Uri.joinPath(context.globalStorageUri, '..', '..', 'settings.json').toString() });
  const key = new ModelKey(context.secrets);
  const redact = createRedactor(() => key.known());
  const log = (line: string): void => { output.info(redact(line)); };
  const session = randomIds.next('win').replaceAll(/[^\w]/g, '');
  const storage = (context.storageUri ?? vscode.Uri.joinPath(context.globalStorageUri, 'no-folder')).fsPath;
  const file = new SessionFile(storage, session, process.pid);
  const folders = (): readonly string[] => (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  const auditFolder = (): string => folders()[0] ?? context.globalStorageUri.fsPath;
  const placeName = vscode.workspace.name ?? 'no folder';

  let auditWarned = false;
  const audit = new AuditFile({
    folder: async () => {
      // The editor does not make its storage by itself; a folder that was opened is there.
      if (folders().length === 0) await vscode.workspace.fs.createDirectory(context.globalStorageUri);
      return auditFolder();
    },
    place: () => placeName, session, version: String((context.extension.packageJSON as { version?: unknown }).version), now: () => new Date(),
    log: (line) => { auditWarned = false; log(line); },
    failed: (what) => {
      output.error(redact(`The audit could not be written: ${what}`));
      if (auditWarned) return;
      auditWarned = true;
      void vscode.window.showErrorMessage(plainMessage(redact(`Sluice runs nothing: the audit cannot be written. ${what}`)), 'Show Log').then((picked) => { if (picked !== undefined) output.show(); });
    },
  });

  const broker = new ApprovalBroker(systemClock, file);
  let runner: CommandRunner | undefined;
  const commandRunner = (): CommandRunner => {
    runner ??= createCommandRunner({
      env: process.env, log, loadLibrary: () => import('@anthropic-ai/sandbox-runtime'),
      hidden: [storage, context.globalStorageUri.fsPath],
    });
    return runner;
  };
  const lazyRunner: CommandRunner = {
    status: () => sandboxStatus(),
    run: (command, options) => commandRunner().run(command, options),
    dispose: () => runner?.dispose() ?? Promise.resolve(),
  };

  let sandbox: SandboxStatus | undefined;
  let starters: readonly Starter[] = [];
  const sandboxStatus = async (): Promise<SandboxStatus> => {
    const found = policy.current.settings.sandboxEnabled
      ? await commandRunner().status()
      : { available: false, detail: 'The sandbox is switched off in your settings (sluice.sandbox.enabled).', fix: undefined };
    if (found.available !== sandbox?.available || found.detail !== sandbox.detail) {
      sandbox = found;
      log(`Sandbox: ${found.detail}`);
      showFacts();
    }
    return found;
  };

  const panelRef: { panel?: ChatPanel } = {};
  const surfaces = openNativeSurfaces({
    desk: broker, now: () => performance.now(), newToken: () => randomIds.next('row'), report: (line) => { output.warn(redact(line)); },
    openRecord: (record) => pages.open(record), keepTerminals: () => true,
  });
  const pages = new RecordPages(auditFolder);
  const feed = new TaskFeed({ activity: surfaces.activity, terminals: surfaces.terminals, log, now: () => Date.now() });
  const emit = (event: TaskEvent): void => {
    panelRef.panel?.onEvent(event);
    feed.onEvent(event);
  };
  const questions = new Questions((question, options) => {
    const text = options.length === 0 ? question : `${question} (${options.join(' / ')})`;
    emit({ task: conversation.taskId ?? '', type: 'notice', level: 'info', text: `The agent asks: ${text} Type your answer below.` });
  });

  const engine: { loading?: Promise<Engine>; open?: Engine } = {};
  const loadEngine = async (): Promise<Engine> => {
    const { openEngine } = await import('./host/engine.ts');
    engine.open = openEngine({
      session, policy: () => policy.current, runner: lazyRunner, broker, audit, redact, emit, folders, placeName,
      save: (record) => file.saveTask(record), appRoot: vscode.env.appRoot, dist: vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath,
      outputLimitBytes: () => policy.current.settings.outputLimitKilobytes * 1_024,
      askPerson: (question, options, signal) => questions.ask(question, options, signal),
      warn: (line) => { output.warn(redact(line)); },
    });
    return engine.open;
  };
  const whenLoaded = (act: (engine: Engine) => void): void => {
    void (engine.loading ??= loadEngine()).then(act, (error: unknown) => {
      delete engine.loading;
      void vscode.window.showErrorMessage(`Sluice could not start a task: ${error instanceof Error ? error.message : 'its engine could not be loaded'}. Reinstall the extension.`);
    });
  };

  const conversation = new Conversation({
    session: () => {
      if (engine.open === undefined) throw new Error('the engine is not loaded');
      return engine.open.session;
    },
    model: () => chooseModel(policy.current, key), emit,
    answerQuestion: (text) => questions.answerOldest(text),
    runningChanged: (running) => { void vscode.commands.executeCommand('setContext', 'sluice.running', running); },
  });

  const facts = (): ChatFacts => {
    const model = modelFacts(policy.current);
    return {
      model: { label: model.label, connected: model.notice === undefined }, notice: model.notice, profile: policy.current.settings.profile,
      sandbox, restricted: !vscode.workspace.isTrusted, starters,
    };
  };
  const showFacts = (): void => {
    panelRef.panel?.setFacts(facts());
    surfaces.statusBar.setState({
      profile: policy.current.settings.profile, detail: sandbox?.detail ?? 'The sandbox is checked when the first command needs it.',
      sandbox: sandbox === undefined ? 'unchecked' : sandbox.available ? 'confined' : 'unconfined',
    });
  };
  const renewStarters = async (): Promise<void> => {
    starters = await findStarters();
    showFacts();
  };

  const commands = registerCommands({ conversation, send: (text, channel) => { whenLoaded(() => { conversation.send(text, channel); }); }, key, output, pages, auditFolder, sandboxStatus, grants: () => engine.open?.session.grants, desk: surfaces.desk, show: (request) => surfaces.show(request), extensionUri: context.extensionUri });
  const panel = createChatPanel({ extensionUri: context.extensionUri, desk: surfaces.desk, commands: commands.chat, facts: facts() });
  panelRef.panel = panel;
  for (const surface of [...surfaces.list, panel]) broker.addSurface(surface);

  context.subscriptions.push(
    output, policy, surfaces, panel, pages, commands, questions,
    { dispose: () => engine.open?.dispose() },
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, panel),
    registerProblemFix((prompt) => { commands.startTask(prompt, 'code_action'); }),
    policy.onDidChange(showFacts),
    new PolicyProblems(policy, (line) => { output.warn(redact(line)); }),
    new PolicyReview(policy, log),
    vscode.workspace.onDidGrantWorkspaceTrust(showFacts),
    vscode.window.onDidChangeActiveTextEditor(() => { if (!conversation.running) void renewStarters(); }),
  );
  wiring.end = async () => {
    // In this order: what waits stays in the file as waiting, ends as interrupted, and then the loop ends.
    const released = file.release();
    broker.dispose();
    conversation.stop();
    await Promise.allSettled([released, lazyRunner.dispose()]);
    await audit.close();
  };
  showFacts();
  void renewStarters();
  void restore();

  async function restore(): Promise<void> {
    const leftover = await takeLeftover(storage, isAlive);
    if (leftover?.task === undefined || conversation.running) return;
    const { task, pending } = leftover;
    const interrupted = task.end === 'running' || pending.length > 0;
    await (engine.loading ??= loadEngine());
    if (conversation.running || conversation.taskId !== undefined) return;
    conversation.restore(task, leftover);
    for (const event of replayTask(task, modelFacts(policy.current).label, policy.current.settings.profile)) emit(event);
    const text = pending.length > 0
      ? 'The window closed while a request waited for you. Nothing ran, and nothing was denied. Continue to go on.'
      : 'The window closed while the task ran; what was running then may or may not have finished. Continue to go on.';
    emit({ task: task.id, type: 'task_ended', how: interrupted ? 'interrupted' : 'finished', text: interrupted ? text : undefined });
    for (const request of pending) {
      await audit.append({ kind: 'interrupted', task: request.task, callId: request.callId, requestId: request.id }).catch(() => undefined);
    }
  }
}

/** Waits, bounded by the editor, until processes are ended and files are closed. */
export async function deactivate(): Promise<void> {
  await wiring.end?.();
}

/** What `deactivate` needs of `activate`: the editor gives it nothing. */
const wiring: { end?: () => Promise<void> } = {};
