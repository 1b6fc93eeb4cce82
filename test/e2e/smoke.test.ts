/** The harness itself: the packaged extension runs, and what the other tests click on can be reached. */
import { access } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { openEditor, type Editor } from './harness/editor.ts';
import { isRunning } from './harness/waiting.ts';

let editor: Editor | undefined;
afterEach(async () => {
  await editor?.dispose();
});

test('the packaged extension shows its view in a real editor', async () => {
  editor = await openEditor({ workspace: { 'hello.txt': 'hello\n' }, env: { SLUICE_E2E_PROBE: 'seen' } });
  await editor.openSluiceView();
  const chat = await editor.chatFrame();
  await expect.poll(() => chat.locator('body').innerText()).not.toBe('');
  await editor.openFile('hello.txt');
  const pid = await editor.extensionHostPid();
  expect(pid).toBeGreaterThan(1);
  await access(await editor.screenshot('smoke-dark'));
  const { workspace } = editor;
  await editor.dispose();
  editor = undefined;
  await expect.poll(() => isRunning(pid)).toBe(false);
  await expect(access(workspace)).rejects.toThrow();
});
