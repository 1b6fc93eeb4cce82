/** What was approved is what is written: a file that changed while the diff was open is left alone; an edited right side is what lands. */
import { readFile, writeFile } from 'node:fs/promises';
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

test('a file that changed while the diff was open is not written', async () => {
  model = await startScriptedModel([call('edit_file', { path: 'a.txt', edits: [{ old_text: 'v1', new_text: 'v2' }] }, { id: 'c1' }), say('It changed.')], { strict: {} });
  editor = await openEditor({ workspace: { 'a.txt': 'v1\n' }, userSettings: connectedTo(model) });
  const chat = await ask(editor, 'Change it');
  await editor.titleAction('check').waitFor();
  await writeFile(editor.file('a.txt'), 'user\nv1\n');
  await settle(editor);
  await editor.titleAction('check').click();
  await says(chat, 'It changed.');
  expect(await readFile(editor.file('a.txt'), 'utf8')).toBe('user\nv1\n');
  expect(model.toolMessages(1).get('c1')).toContain('changed after it was shown');
});

test('text that the person types on the right side is what is written, and the model is told', async () => {
  model = await startScriptedModel([call('edit_file', { path: 'a.txt', edits: [{ old_text: 'x=1', new_text: 'x=2' }] }, { id: 'c1' }), say('You changed it.')], { strict: {} });
  editor = await openEditor({ workspace: { 'a.txt': 'x=1\nend\n' }, userSettings: { ...connectedTo(model), 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 } });
  const chat = await ask(editor, 'Change it');
  await editor.titleAction('check').waitFor();
  await settle(editor);
  const right = editor.page.locator('.editor.modified .view-lines');
  await right.locator('.view-line').filter({ hasText: 'x=2' }).click();
  await editor.page.keyboard.press('End');
  await editor.page.keyboard.type('3');
  await editor.page.waitForTimeout(1_000);
  expect(await readFile(editor.file('a.txt'), 'utf8')).toBe('x=1\nend\n');
  await editor.titleAction('check').click();
  await says(chat, 'You changed it.');
  expect(await readFile(editor.file('a.txt'), 'utf8')).toBe('x=23\nend\n');
  expect(model.toolMessages(1).get('c1')).toContain('The person changed the text');
});
