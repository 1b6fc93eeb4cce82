/** The window is reloaded while a request waits: nothing runs, nobody is said to have denied it, and the task can go on. */
import { existsSync } from 'node:fs';
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

test('a reload while a command waits runs nothing; Continue tells the model that nobody answered', async () => {
  model = await startScriptedModel([
    call('run_command', { program: 'touch', args: ['made.txt'] }, { id: 'c1' }),
    call('run_command', { program: 'touch', args: ['made.txt'] }, { id: 'c2' }),
    say('Made it after all.'),
  ], { strict: {} });
  editor = await openEditor({ workspace: 'test/fixtures/sample', userSettings: connectedTo(model) });
  await ask(editor, 'Make a file');
  await editor.toast('touch made.txt').waitFor();
  await editor.reload();
  await editor.openSluiceView();
  const chat = await editor.chatFrame();
  await says(chat, 'Nothing ran, and nothing was denied');
  await editor.screenshot('reloaded-dark');
  expect(existsSync(editor.file('made.txt'))).toBe(false);
  expect(await editor.statusBar('waiting').count()).toBe(0);
  expect(model.requests).toHaveLength(1);
  await chat.getByRole('button', { name: 'Continue' }).first().click();
  await editor.toast('touch made.txt').waitFor();
  await settle(editor);
  await editor.clickToast('touch made.txt', 'Approve');
  await says(chat, 'Made it after all.');
  const told = model.toolMessages(1).get('c1') ?? '';
  expect(told).toContain('before anybody answered');
  expect(told).toContain('not a denial');
  expect(existsSync(editor.file('made.txt'))).toBe(true);
  expect(model.requests.every((request) => request.breach === undefined)).toBe(true);
});

test('Stop while a diff waits closes every surface and leaves a history that goes on', async () => {
  model = await startScriptedModel([
    call('write_file', { path: 'new.txt', content: 'new\n' }, { id: 'c1' }),
    say('Good, I stop here.'),
  ], { strict: {} });
  editor = await openEditor({ workspace: 'test/fixtures/sample', userSettings: connectedTo(model) });
  const chat = await ask(editor, 'Write a file');
  await editor.titleAction('check').waitFor();
  await chat.getByRole('button', { name: /^Stop/ }).click();
  await expect.poll(() => editor!.page.locator('.tab').filter({ hasText: 'proposed by Sluice' }).count()).toBe(0);
  await expect.poll(() => editor!.statusBar('waiting').count()).toBe(0);
  expect(existsSync(editor.file('new.txt'))).toBe(false);
  await ask(editor, 'Never mind');
  await says(chat, 'Good, I stop here.');
  expect(model.toolMessages(1).get('c1')).toMatch(/^Cancelled/);
  expect(model.requests.every((request) => request.breach === undefined)).toBe(true);
});
