/** The pictures in media/, taken from the real editor while the rehearsal plays. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { root } from '../../../src/build/install.mjs';
import { openEditor, type Editor } from '../harness/editor.ts';
import { ask, says, settle } from '../harness/model.ts';

/** Largest picture that README.md and the walkthrough may bring along, in bytes. */
const LIMIT_BYTES = 150 * 1024;
/** The walkthrough shows pictures small, so less of the empty middle leaves more to read. */
const NARROW = { width: 800, height: 560 } as const;
const WIDE = { width: 1180, height: 580 } as const;

let editor: Editor | undefined;
afterEach(async () => {
  await editor?.dispose();
  editor = undefined;
});

test('the pictures of the main job', async () => {
  editor = await openEditor({ workspace: 'test/fixtures/sample', ...WIDE });
  const chat = await ask(editor, 'Fix the failing test');
  await editor.toast('npm test').waitFor();
  await editor.page.setViewportSize(NARROW);
  await take(editor, 'walkthrough/command.png');
  await editor.page.setViewportSize(WIDE);
  await editor.clickToast('npm test', 'Approve');
  await editor.titleAction('check').waitFor();
  await take(editor, 'approve-a-diff.png');
  await take(editor, 'walkthrough/diff.png', { x: 350, y: 34, width: 830, height: 330 });
  await editor.titleAction('check').click();
  await editor.toast('npm test').waitFor();
  await settle(editor);
  await editor.clickToast('npm test', 'Approve');
  await says(chat, 'all tests pass');
  expect(await readFile(editor.file('src/date.js'), 'utf8')).toContain('getUTCMonth() + 1');
  await editor.page.locator('.pane-header', { hasText: 'Activity' }).click();
  await editor.palette('Sluice: Verify Audit');
  await editor.toast('The audit is whole').waitFor();
  await editor.page.setViewportSize(NARROW);
  await take(editor, 'walkthrough/audit.png');
});

/** With the pointer out of the way, so that no hover text covers anything. */
async function take(opened: Editor, name: string, clip?: { x: number; y: number; width: number; height: number }): Promise<void> {
  await settle(opened);
  await opened.page.mouse.move(640, 400);
  await opened.page.waitForTimeout(1_500);
  const path = join(root, 'media', name);
  await opened.page.screenshot({ path, ...(clip === undefined ? {} : { clip }) });
  expect((await stat(path)).size).toBeLessThan(LIMIT_BYTES);
}
