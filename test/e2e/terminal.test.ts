/** A running command streams into the chat and into a read-only terminal tab; the session approval covers exactly it. */
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

test('output shows in the chat and in a terminal; "for session" covers the same command and no other', async () => {
  const noisy = (word: string) => ({ program: 'sh', args: ['-c', `echo first-${word}; sleep 2; echo second-${word}`] });
  model = await startScriptedModel([
    call('run_command', noisy('one'), { id: 'c1' }), call('run_command', noisy('one'), { id: 'c2' }), call('run_command', noisy('two'), { id: 'c3' }), say('Over.'),
  ], { strict: {} });
  editor = await openEditor({ workspace: 'test/fixtures/sample', userSettings: connectedTo(model) });
  const chat = await ask(editor, 'Make noise');
  await editor.toast('first-one').waitFor();
  await settle(editor);
  await editor.clickToast('first-one', 'Approve for Session');
  await says(chat, 'first-one');
  await editor.palette('Terminal: Focus Terminal');
  await expect.poll(() => editor!.page.locator('.part.panel').innerText(), { timeout: 15_000 }).toContain('Sluice');
  await editor.screenshot('terminal-dark');
  await editor.toast('first-two').waitFor({ timeout: 30_000 });
  expect(model.toolMessages(2).get('c2')).toContain('second-one');
  await settle(editor);
  await editor.clickToast('first-two', 'Deny');
  await says(chat, 'Over.');
  expect(model.toolMessages(3).get('c3')).toMatch(/^Denied by the person/);
  await editor.screenshot('terminal-after-dark');
});
