/** The first minute of a newcomer, with nothing configured: the rehearsal, one diff, one command that asks. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { openEditor, type Editor } from './harness/editor.ts';
import { ask, says, settle } from './harness/model.ts';

let editor: Editor | undefined;
afterEach(async () => {
  await editor?.dispose();
  editor = undefined;
});

test('the rehearsal with the settings as they come: two questions, both needed', async () => {
  editor = await openEditor({ workspace: 'test/fixtures/sample' });
  const chat = await ask(editor, 'Fix the failing test');
  await editor.titleAction('check').waitFor();
  await settle(editor);
  await editor.titleAction('check').click();
  await editor.toast('npm install').waitFor();
  await settle(editor);
  await editor.screenshot('first-minute-install-dark');
  await editor.clickToast('npm install', 'Approve');
  await says(chat, 'package-lock.json is there now');
  await editor.screenshot('first-minute-done-dark');
  expect(await readFile(editor.file('src/date.js'), 'utf8')).toContain('getUTCMonth() + 1');
  expect(existsSync(editor.file('package-lock.json'))).toBe(true);
});
