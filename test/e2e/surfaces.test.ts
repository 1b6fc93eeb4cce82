/** Several surfaces show one request: one answers, the others close; none of them decides by closing. */
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

async function open(replies: Parameters<typeof startScriptedModel>[0]): Promise<Editor> {
  model = await startScriptedModel(replies, { strict: {} });
  editor = await openEditor({ workspace: 'test/fixtures/sample', userSettings: connectedTo(model) });
  return editor;
}

test('the tree answers; the toast, the chat card and the status bar close', async () => {
  const opened = await open([call('run_command', { program: 'touch', args: ['made.txt'] }), say('Made it.')]);
  const chat = await ask(opened, 'Make a file');
  await opened.toast('touch made.txt').waitFor();
  await chat.getByRole('button', { name: /^Approve/ }).first().waitFor();
  await opened.statusBar('1 waiting').waitFor();
  await settle(opened);
  const row = opened.treeRows('Approvals').first();
  await row.hover();
  await opened.screenshot('tree-dark');
  await row.locator('.codicon-check').click();
  await says(chat, 'Made it.');
  expect(existsSync(opened.file('made.txt'))).toBe(true);
  await expect.poll(() => opened.toast('touch made.txt').count()).toBe(0);
  await expect.poll(() => opened.statusBar('waiting').count()).toBe(0);
  await expect.poll(() => chat.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
});

test('the chat card answers a diff; its tab and the toast close', async () => {
  const opened = await open([call('write_file', { path: 'new.txt', content: 'new\n' }), say('Written.')]);
  const chat = await ask(opened, 'Write a file');
  await opened.titleAction('check').waitFor();
  await settle(opened);
  await chat.getByRole('button', { name: /^Approve/ }).first().click();
  await says(chat, 'Written.');
  expect(existsSync(opened.file('new.txt'))).toBe(true);
  await expect.poll(() => opened.page.locator('.tab').filter({ hasText: 'proposed by Sluice' }).count()).toBe(0);
  await expect.poll(() => opened.toast('new.txt').count()).toBe(0);
});

test('closing the toast and the tab answers nothing; the status bar brings the request back', async () => {
  const opened = await open([call('write_file', { path: 'new.txt', content: 'new\n' }), say('Written.')]);
  const chat = await ask(opened, 'Write a file');
  await opened.titleAction('check').waitFor();
  await opened.toast('new.txt').locator('.codicon-notifications-clear').click();
  const tab = opened.page.locator('.tab').filter({ hasText: 'proposed by Sluice' });
  await tab.hover();
  await tab.locator('.tab-actions a.action-label').click();
  await expect.poll(() => tab.count()).toBe(0);
  await opened.page.waitForTimeout(1_000);
  expect(existsSync(opened.file('new.txt'))).toBe(false);
  expect(model!.requests).toHaveLength(1);
  await opened.statusBar('1 waiting').click();
  await opened.titleAction('check').waitFor();
  await settle(opened);
  await opened.titleAction('check').click();
  await says(chat, 'Written.');
  expect(existsSync(opened.file('new.txt'))).toBe(true);
});
