/** A denial: nothing happens, the reason reaches the model, the task ends politely. With a real provider over HTTP. */
import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { call, say, startScriptedModel, type ScriptedModel } from '../fakes/scripted-model.ts';
import { openEditor, type Editor } from './harness/editor.ts';
import { ask, connectedTo, says, settle } from './harness/model.ts';

let editor: Editor | undefined;
let model: ScriptedModel | undefined;
afterEach(async () => {
  await editor?.dispose();
  await model?.close();
  editor = undefined;
});

const EDIT = { path: 'src/date.js', edits: [{ old_text: 'date.getUTCMonth()', new_text: 'date.getUTCMonth() + 1' }] };

test('denying the diff with a reason leaves the bytes alone and tells the model', async () => {
  model = await startScriptedModel([call('edit_file', EDIT, { id: 'c1' }), say('Understood. I leave the file as it is.')], { strict: {} });
  editor = await openEditor({ workspace: 'test/fixtures/sample', userSettings: connectedTo(model) });
  const before = await readFile(editor.file('src/date.js'));
  const chat = await ask(editor, 'Fix the failing test');
  await editor.titleAction('check').waitFor();
  await settle(editor);
  await editor.titleAction('comment').click();
  const input = editor.page.locator('.quick-input-widget input.input');
  await input.fill('Use a library for dates instead');
  await editor.screenshot('deny-with-reason-dark');
  await input.press('Enter');
  await says(chat, 'I leave the file as it is.');
  await says(chat, /denied by you/i);
  await editor.screenshot('chat-denied-dark');
  expect(await readFile(editor.file('src/date.js'))).toEqual(before);
  expect(model.toolMessages(1).get('c1')).toContain('Use a library for dates instead');
  expect(model.requests.every((request) => request.breach === undefined)).toBe(true);
});

test('denying a command runs nothing, and the agent goes on another way', async () => {
  model = await startScriptedModel([
    call('run_command', { program: 'touch', args: ['ran.txt'] }, { id: 'c1' }),
    call('list_directory', { path: '.' }, { id: 'c2' }),
    say('There is no ran.txt.'),
  ], { strict: {} });
  editor = await openEditor({ workspace: 'test/fixtures/sample', userSettings: connectedTo(model) });
  const chat = await ask(editor, 'Make a file');
  await editor.toast('touch ran.txt').waitFor();
  await settle(editor);
  await editor.clickToast('touch ran.txt', 'Deny');
  await says(chat, 'There is no ran.txt.');
  expect(model.toolMessages(1).get('c1')).toMatch(/^Denied by the person/);
  expect(model.toolMessages(2).get('c2')).not.toContain('ran.txt');
});
