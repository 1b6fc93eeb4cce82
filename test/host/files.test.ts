import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isRefusal } from '../../src/core/refusal.ts';
import type { Resolution, Tool } from '../../src/core/tool.ts';
import { createEditorDocuments } from '../../src/host/documents.ts';
import { openEffects, type ExecutionParts } from '../../src/host/effects.ts';
import { encodeText, type Encoding } from '../../src/host/encoding.ts';
import { createProblems } from '../../src/host/problems.ts';
import { createReading } from '../../src/host/reading.ts';
import { writeFileAtomically } from '../../src/sandbox/files.ts';
import { editFile } from '../../src/tools/edit-file/edit-file.ts';
import { readDiagnostics } from '../../src/tools/read-diagnostics/read-diagnostics.ts';
import { readFile as readTool } from '../../src/tools/read-file/read-file.ts';
import { writeFile as writeTool } from '../../src/tools/write-file/write-file.ts';

const workspace = () => vscode.workspace.workspaceFolders![0]!.uri.fsPath;

function createParts(): ExecutionParts {
  const documents = createEditorDocuments();
  const folders = () => [workspace()];
  const reading = createReading({ folders, home: '/nowhere', platform: process.platform, documents });
  const unused = () => Promise.reject(new Error('not used here'));
  return {
    reading, folders, files: { writeFileAtomically }, editor: documents, problems: createProblems(reading), outputLimitBytes: () => 0,
    search: { findFiles: unused, searchText: unused }, runner: { status: unused, run: unused, dispose: unused }, askPerson: unused,
  };
}

async function plan(tool: Tool, args: unknown, parts: ExecutionParts): Promise<Resolution> {
  const resolution = await tool.resolve(args, { reading: parts.reading, defaults: { commandTimeoutMs: 1, maxCommandTimeoutMs: 1 } });
  if (isRefusal(resolution)) throw new Error(resolution.forModel);
  return resolution;
}

function execute(tool: Tool, args: unknown, resolution: Resolution, parts: ExecutionParts) {
  return tool.run(args, resolution, openEffects({ ...resolution, confined: true }, { onOutput: () => undefined, signal: new AbortController().signal }, parts));
}

async function run(tool: Tool, args: unknown) {
  const parts = createParts();
  return execute(tool, args, await plan(tool, args, parts), parts);
}

async function eventually(check: () => boolean, what: string): Promise<void> {
  for (let waited = 0; waited < 10_000 && !check(); waited += 50) await new Promise((done) => setTimeout(done, 50));
  ok(check(), what);
}

describe('files that are open in the editor', () => {
  let folder = '';
  const at = (name: string) => path.join(folder, name);
  const asked = (name: string) => path.relative(workspace(), at(name));
  const edit = (name: string, old_text: string, new_text: string) => ({ path: asked(name), edits: [{ old_text, new_text }] });

  async function show(name: string, bytes: string | Uint8Array): Promise<vscode.TextEditor> {
    await writeFile(at(name), bytes);
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at(name)), { preview: false });
  }

  async function type(editor: vscode.TextEditor, text: string): Promise<void> {
    const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    ok(await editor.edit((change) => change.insert(end, text)), 'the text was typed');
    ok(editor.document.isDirty, 'the document is dirty');
  }

  before(async () => { folder = await mkdtemp(path.join(await realpath(workspace()), 'open-')); });
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('dirty editor: unsaved text is what is read, is kept by an edit, and is saved with it (ED-08)', async () => {
    const editor = await show('a.ts', 'one\n');
    await type(editor, 'two\n');
    const read = await run(readTool, { path: asked('a.ts') });
    equal(read.text, `[${asked('a.ts')}: all 2 lines; unsaved editor text]\n1|one\n2|two`);

    editor.selection = new vscode.Selection(1, 3, 1, 3);
    const result = await run(editFile, edit('a.ts', 'one', 'ONE'));
    equal(result.status, 'succeeded');
    match(result.text, /unsaved text/);
    equal(editor.document.getText(), 'ONE\ntwo\n');
    equal(editor.document.isDirty, false);
    equal(await readFile(at('a.ts'), 'utf8'), 'ONE\ntwo\n');
    deepEqual([editor.selection.active.line, editor.selection.active.character], [1, 3]);

    await vscode.commands.executeCommand('undo');
    equal(editor.document.getText(), 'one\ntwo\n');
  });

  it('dirty editor: typing after the change was shown makes it stale and loses nothing (ED-09)', async () => {
    const editor = await show('b.ts', 'one\n');
    await type(editor, 'two\n');
    const parts = createParts();
    const args = edit('b.ts', 'one', 'ONE');
    const resolution = await plan(editFile, args, parts);
    await type(editor, 'three\n');
    await rejects(execute(editFile, args, resolution, parts), { name: 'StaleBase' });
    equal(editor.document.getText(), 'one\ntwo\nthree\n');
    equal(await readFile(at('b.ts'), 'utf8'), 'one\n');
  });

  it('clean editor: a file that the person starts to type in after the plan is stale', async () => {
    const editor = await show('c.ts', 'one\n');
    const parts = createParts();
    const args = edit('c.ts', 'one', 'ONE');
    const resolution = await plan(editFile, args, parts);
    await type(editor, 'two\n');
    await rejects(execute(editFile, args, resolution, parts), { name: 'StaleBase' });
    equal(editor.document.getText(), 'one\ntwo\n');
  });

  it('clean editor: the file is written and the editor follows, with CRLF and the rest as it was (ED-01)', async () => {
    const editor = await show('d.cs', 'a\r\nb\r\nc\r\n');
    equal((await run(editFile, edit('d.cs', 'b', 'b1\nb2'))).status, 'succeeded');
    equal(await readFile(at('d.cs'), 'latin1'), 'a\r\nb1\r\nb2\r\nc\r\n');
    await eventually(() => editor.document.getText() === 'a\r\nb1\r\nb2\r\nc\r\n', 'the editor shows the new text');
    equal(editor.document.isDirty, false);
  });

  it('dirty editor: CRLF stays CRLF, with model text that has LF (ED-01)', async () => {
    const editor = await show('e.cs', 'a\r\nb\r\n');
    await type(editor, 'c');
    await run(editFile, edit('e.cs', 'b', 'b1\nb2'));
    equal(await readFile(at('e.cs'), 'latin1'), 'a\r\nb1\r\nb2\r\nc');
    await type(editor, 'd');
    await run(writeTool, { path: asked('e.cs'), content: 'x\ny\n' });
    equal(await readFile(at('e.cs'), 'latin1'), 'x\r\ny\r\n');
  });

  for (const encoding of ['utf8bom', 'utf16le', 'utf16be'] satisfies Encoding[]) {
    it(`dirty editor: ${encoding} keeps its byte order mark, once (ED-02)`, async () => {
      const editor = await show(`${encoding}.txt`, encodeText('é\r\n', encoding));
      equal(editor.document.encoding, encoding);
      await type(editor, 'z');
      await run(editFile, edit(`${encoding}.txt`, 'é', 'ü'));
      deepEqual(await readFile(at(`${encoding}.txt`)), encodeText('ü\r\nz', encoding));
    });
  }

  it('a document in another encoding is refused, not re-encoded', async () => {
    await writeFile(at('old.txt'), Buffer.from('caf\u00e9\n', 'latin1'));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.file(at('old.txt')), { encoding: 'windows1252' }));
    await rejects(run(editFile, edit('old.txt', 'caf', 'CAF')), /windows1252/);
    equal(await readFile(at('old.txt'), 'latin1'), 'caf\u00e9\n');
  });

  it('an untitled document of the same name is another thing', async () => {
    const untitled = await vscode.workspace.openTextDocument(vscode.Uri.file(at('u.ts')).with({ scheme: 'untitled' }));
    await type(await vscode.window.showTextDocument(untitled), 'untitled\n');
    await writeFile(at('u.ts'), 'disk\n');
    match((await run(readTool, { path: asked('u.ts') })).text, /1\|disk$/);
    equal((await run(editFile, edit('u.ts', 'disk', 'DISK'))).status, 'succeeded');
    deepEqual([untitled.getText(), await readFile(at('u.ts'), 'utf8')], ['untitled\n', 'DISK\n']);
  });

  it('says that the file changed again when saving alters it', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('trimTrailingWhitespace', true, vscode.ConfigurationTarget.Workspace);
    try {
      const editor = await show('f.ts', 'one\n');
      await type(editor, 'two   \n');
      match((await run(editFile, edit('f.ts', 'one', 'ONE'))).text, /changed again/);
      equal(await readFile(at('f.ts'), 'utf8'), 'ONE\ntwo\n');
    } finally {
      await settings.update('trimTrailingWhitespace', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('tells the truth when a dirty document cannot be saved, and keeps its text', async () => {
    const editor = await show('g.ts', 'one\n');
    await type(editor, 'two\n');
    await writeFile(at('g.ts'), 'someone else\n');
    await new Promise((done) => setTimeout(done, 1_000));
    await rejects(run(editFile, edit('g.ts', 'one', 'ONE')), /could not be saved/);
    equal(editor.document.getText(), 'ONE\ntwo\n');
    equal(await readFile(at('g.ts'), 'utf8'), 'someone else\n');
  });

  it('a file that is open as a notebook is not changed as text (ED-20)', async () => {
    const json = JSON.stringify({ cells: [{ cell_type: 'code', source: ['x = 1'], metadata: {}, outputs: [], execution_count: null }], metadata: {}, nbformat: 4, nbformat_minor: 5 });
    await writeFile(at('nb.ipynb'), json);
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(at('nb.ipynb')));
    await vscode.window.showNotebookDocument(notebook);
    await rejects(run(editFile, edit('nb.ipynb', 'x = 1', 'x = 2')), /open as a notebook/);
    equal(await readFile(at('nb.ipynb'), 'utf8'), json);
  });

  it('reads the Problems panel', async () => {
    await writeFile(at('p.ts'), 'x\n');
    const collection = vscode.languages.createDiagnosticCollection('sluice-test');
    try {
      const range = new vscode.Range(0, 0, 0, 1);
      collection.set(vscode.Uri.file(at('p.ts')), [
        new vscode.Diagnostic(range, 'careful', vscode.DiagnosticSeverity.Warning), new vscode.Diagnostic(range, 'wrong', vscode.DiagnosticSeverity.Error),
      ]);
      collection.set(vscode.Uri.file('/elsewhere/q.ts'), [new vscode.Diagnostic(range, 'outside')]);
      const name = asked('p.ts');
      equal((await run(readDiagnostics, { path: name })).text, `[problems in ${name}: 2 problems]\n${name}:1:1: error: wrong\n${name}:1:1: warning: careful`);
      ok(!(await run(readDiagnostics, {})).text.includes('elsewhere'));
    } finally {
      collection.dispose();
    }
  });
});
