/** The main job by clicks, with the rehearsal: ask, approve a command, approve a diff, approve again, green. */
import { spawnSync } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openEditor, type Editor } from './harness/editor.ts';
import { ask, EVERY_COMMAND_ASKS, says, settle } from './harness/model.ts';

let editor: Editor | undefined;
afterEach(async () => {
  await editor?.dispose();
  editor = undefined;
});

test.for(['dark', 'light'] as const)('%s: approve the test run, the diff and the second run; the test is green and the audit verifies', async (theme) => {
  editor = await openEditor({ workspace: 'test/fixtures/sample', theme, userSettings: EVERY_COMMAND_ASKS });
  expect(testsPass(editor)).toBe(false);
  await editor.openSluiceView();
  await says(await editor.chatFrame(), 'No model is connected');
  await editor.screenshot(`chat-empty-${theme}`);
  const chat = await ask(editor, 'Fix the failing test');
  await says(chat, 'rehearsal: a prepared session, no model');
  await editor.toast('npm test').waitFor();
  await settle(editor);
  await editor.screenshot(`toast-command-${theme}`);
  await editor.clickToast('npm test', 'Approve');
  await editor.titleAction('check').waitFor();
  await settle(editor);
  expect(await editor.treeRows('Approvals').count()).toBe(1);
  await editor.screenshot(`diff-${theme}`);
  expect(await readFile(editor.file('src/date.js'), 'utf8')).not.toContain('getUTCMonth() + 1');
  await editor.titleAction('check').click();
  await editor.toast('npm test').waitFor();
  await settle(editor);
  await editor.clickToast('npm test', 'Approve');
  await editor.toast('npm install').waitFor();
  await settle(editor);
  await editor.clickToast('npm install', 'Deny');
  await says(chat, 'The lock file is left out');
  await editor.screenshot(`chat-done-${theme}`);
  expect(await readFile(editor.file('src/date.js'), 'utf8')).toContain('getUTCMonth() + 1');
  expect(testsPass(editor)).toBe(true);
  expect(await readdir(join(editor.workspace, '.sluice', 'audit'))).toHaveLength(1);
  await editor.palette('Sluice: Verify Audit');
  await editor.toast('The audit is whole').waitFor();
});

/** The sample's own test, run outside the editor. */
function testsPass({ workspace }: Editor): boolean {
  return spawnSync(process.execPath, ['--test'], { cwd: workspace, timeout: 30_000, env: { PATH: process.env['PATH'] } }).status === 0;
}
