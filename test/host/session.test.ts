import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { ApprovalBroker } from '../../src/core/approval/broker.ts';
import type { ApprovalRequest } from '../../src/core/approval/request.ts';
import type { ModelReply, ModelRequest } from '../../src/core/agent/model.ts';
import { Session } from '../../src/core/agent/session.ts';
import type { Task } from '../../src/core/agent/task.ts';
import { GUARDS } from '../../src/guards/index.ts';
import { createEditorDocuments } from '../../src/host/documents.ts';
import { createExecution } from '../../src/host/effects.ts';
import { createReading } from '../../src/host/reading.ts';
import { readPolicy } from '../../src/host/settings.ts';
import { randomIds, sha256, systemClock } from '../../src/host/system.ts';
import { writeFileAtomically } from '../../src/sandbox/files.ts';
import { TOOLS } from '../../src/tools/index.ts';

/** The real chain over the real editor's documents; the model is a list of calls, the person is the test. */
class World {
  readonly opened: ApprovalRequest[] = [];
  readonly closed: string[] = [];
  readonly requests: ModelRequest[] = [];
  readonly broker = new ApprovalBroker(systemClock, { save: () => Promise.resolve() });
  readonly task: Task;
  readonly #calls: { tool: string; args: unknown }[];

  constructor(calls: { tool: string; args: unknown }[]) {
    this.#calls = calls;
    this.broker.addSurface({ id: 'tree', open: (request) => this.opened.push(request), close: (_id, how) => this.closed.push(how) });
    const documents = createEditorDocuments();
    const folders = () => [workspace()];
    const reading = createReading({ folders, home: '/nowhere', platform: process.platform, documents });
    const runner = { status: () => Promise.resolve({ available: true, detail: 'confined', fix: undefined }), run: () => Promise.reject(new Error('nothing may run here')), dispose: () => Promise.resolve() };
    const unused = () => Promise.reject(new Error('not used here'));
    this.task = new Session({
      session: 's', tools: TOOLS, guards: GUARDS, policy: readPolicy, reading, runner, broker: this.broker, sha256, clock: systemClock, ids: randomIds,
      surroundings: { home: '/nowhere', platform: 'linux', folders, placeName: 'sample' }, redact: (text) => text,
      execution: createExecution({ reading, folders, runner, files: { writeFileAtomically }, editor: documents, outputLimitBytes: () => 1_000, search: { findFiles: unused, searchText: unused }, askPerson: unused }),
      audit: { append: () => Promise.resolve() }, emit: () => undefined, save: () => Promise.resolve(),
    }).create('do it', 'editor');
  }

  run() {
    return this.task.run({ id: 'scripted', label: 'scripted', notice: undefined, respond: (request) => Promise.resolve(this.#reply(request)) });
  }

  async waiting(): Promise<ApprovalRequest> {
    for (let waited = 0; waited < 10_000 && this.opened.length === 0; waited += 20) await new Promise((done) => setTimeout(done, 20));
    ok(this.opened[0], 'a request waits');
    return this.opened[0];
  }

  approve(request: ApprovalRequest): string {
    return this.broker.answer({ requestId: request.id, fingerprint: request.fingerprint, choice: 'approve', scope: 'once', reason: undefined, edits: undefined, surface: 'tree' });
  }

  result(): string {
    const message = this.requests.at(-1)?.messages.findLast((one) => one.role === 'tool');
    return message?.role === 'tool' ? message.text : '';
  }

  #reply(request: ModelRequest): ModelReply {
    this.requests.push(request);
    const next = this.#calls.shift();
    const calls = next === undefined ? [] : [{ id: `c${this.requests.length}`, tool: next.tool, argumentsText: JSON.stringify(next.args), complete: true }];
    return { text: '', reasoning: undefined, calls, finishReason: calls.length > 0 ? 'tool_calls' : 'stop', usage: undefined, model: undefined, responseId: undefined };
  }
}

const workspace = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;

describe('a task over the editor\'s documents', () => {
  let folder = '';
  const at = (name: string) => path.join(folder, name);
  const edit = (name: string, old_text: string, new_text: string) => ({ tool: 'edit_file', args: { path: path.relative(workspace(), at(name)), edits: [{ old_text, new_text }] } });

  beforeEach(async () => { folder = await mkdtemp(path.join(workspace(), 'task-')); });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await rm(folder, { recursive: true, force: true });
  });

  it('cancelled while a change waits: nothing is written, the surface closes, a late approval has no effect', async () => {
    await writeFile(at('a.txt'), 'one\n');
    const world = new World([edit('a.txt', 'one', 'two')]);
    const running = world.run();
    const request = await world.waiting();
    world.task.stop();
    equal((await running).how, 'stopped');
    deepEqual(world.closed, ['cancelled']);
    equal(world.broker.pending().length, 0);
    equal(world.approve(request), 'already_answered');
    equal(await readFile(at('a.txt'), 'utf8'), 'one\n');
  });

  it('text typed into the file while the change waits makes the approval stale; nothing of either text is lost', async () => {
    await writeFile(at('a.txt'), 'one\n');
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at('a.txt')));
    const world = new World([edit('a.txt', 'one', 'ONE')]);
    const running = world.run();
    const request = await world.waiting();
    await editor.edit((builder) => builder.insert(new vscode.Position(1, 0), 'typed\n'));
    equal(world.approve(request), 'accepted');
    equal((await running).how, 'finished');
    match(world.result(), /changed after it was shown/);
    equal(editor.document.getText(), 'one\ntyped\n');
    equal(await readFile(at('a.txt'), 'utf8'), 'one\n');
  });

  it('a change on top of unsaved text keeps it, with CRLF and a byte order mark as they were', async () => {
    await writeFile(at('a.txt'), '\uFEFFone\r\nlast\r\n');
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at('a.txt')));
    await editor.edit((builder) => builder.insert(new vscode.Position(1, 0), 'typed\n'));
    const world = new World([edit('a.txt', 'one', 'ONE\nmore')]);
    const running = world.run();
    const request = await world.waiting();
    equal(request.changes[0]?.source, 'editor');
    world.approve(request);
    equal((await running).how, 'finished');
    equal(editor.document.getText(), 'ONE\r\nmore\r\ntyped\r\nlast\r\n');
    equal(await readFile(at('a.txt'), 'utf8'), '\uFEFFONE\r\nmore\r\ntyped\r\nlast\r\n');
  });
});
