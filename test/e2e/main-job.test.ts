/** The main job by clicks, with the rehearsal: ask, approve a command, approve a diff, approve again, green. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openEditor, type Editor } from './harness/editor.ts';

let editor: Editor | undefined;
afterEach(async () => {
  await editor?.dispose();
  editor = undefined;
});

/** Clicks right after a prompt appeared are taken for stray ones. */
async function settle({ page }: Editor): Promise<void> {
  await page.waitForTimeout(700);
}

test('ask, approve the test run, approve the diff, approve again: the test is green and the audit verifies', async () => {
  editor = await openEditor({ workspace: 'test/fixtures/sample' });
  await editor.openSluiceView();
  const chat = await editor.chatFrame();
  await editor.screenshot('chat-empty-dark');
  await chat.locator('textarea').fill('Fix the failing test');
  await chat.locator('textarea').press('Enter');
  await editor.toast('npm test').waitFor();
  await editor.screenshot('toast-command-dark');
  await settle(editor);
  await editor.clickToast('npm test', 'Approve');
  await editor.titleAction('check').waitFor();
  await editor.screenshot('diff-dark');
  await settle(editor);
  await editor.titleAction('check').click();
  await editor.toast('npm test').waitFor();
  await settle(editor);
  await editor.clickToast('npm test', 'Approve');
  await expect.poll(() => chat.locator('body').innerText(), { timeout: 30_000 }).toContain('all tests pass');
  await editor.screenshot('chat-done-dark');
  expect(await readFile(editor.file('src/date.js'), 'utf8')).toContain('getUTCMonth() + 1');
  const audit = await readdir(join(editor.workspace, '.sluice', 'audit'));
  expect(audit.length).toBe(1);
  await editor.palette('Sluice: Verify Audit');
  await editor.toast('The audit is whole').waitFor();
});
