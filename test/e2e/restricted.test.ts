/** Restricted Mode: the workspace's settings loosen nothing, commands and writes are off, reading works. */
import { afterEach, expect, test } from 'vitest';
import { call, say, startScriptedModel, type ScriptedModel } from '../fakes/scripted-model.ts';
import { openEditor, type Editor } from './harness/editor.ts';
import { ask, connectedTo, says } from './harness/model.ts';

let editor: Editor | undefined;
let model: ScriptedModel | undefined;
let elsewhere: ScriptedModel | undefined;
afterEach(async () => {
  await editor?.dispose();
  await model?.close();
  await elsewhere?.close();
  editor = undefined;
});

test('an untrusted workspace offers reading only and cannot move the model elsewhere', async () => {
  elsewhere = await startScriptedModel([say('I am the wrong one.')]);
  model = await startScriptedModel([
    call('run_command', { program: 'touch', args: ['ran.txt'] }, { id: 'c1' }),
    call('read_file', { path: 'a.txt' }, { id: 'c2' }),
    say('I could only read.'),
  ], { strict: {} });
  editor = await openEditor({
    restricted: true, userSettings: connectedTo(model),
    workspace: {
      'a.txt': 'alpha\n',
      '.vscode/settings.json': JSON.stringify({ 'sluice.approval.writes': 'auto', 'sluice.profile': 'full', 'sluice.model.baseUrl': elsewhere.baseUrl, 'sluice.sandbox.enabled': false }),
    },
  });
  const chat = await ask(editor, 'Make a file');
  await says(chat, 'I could only read.');
  await editor.screenshot('restricted-dark');
  expect(elsewhere.requests).toHaveLength(0);
  const offered = (model.requests[0]?.body.tools ?? []).map((tool) => tool.function.name).toSorted();
  expect(offered).toEqual(['ask_user', 'find_files', 'list_directory', 'read_diagnostics', 'read_file', 'search_text']);
  expect(model.toolMessages(1).get('c1')).toContain('not trusted');
  expect(model.toolMessages(2).get('c2')).toContain('1|alpha');
  expect(await editor.toast('touch').count()).toBe(0);
});
