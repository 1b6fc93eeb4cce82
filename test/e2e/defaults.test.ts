/** With the settings as they come: what no rule objects to runs confined without a word, what a rule objects to asks. */
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { call, say, startScriptedModel, type ScriptedModel } from '../fakes/scripted-model.ts';
import { openEditor, type Editor } from './harness/editor.ts';
import { ask, says, settle } from './harness/model.ts';

let editor: Editor | undefined;
let model: ScriptedModel | undefined;
afterEach(async () => {
  await editor?.dispose();
  await model?.close();
  editor = undefined;
});

test('tests run without a question and confined; a recursive delete and a push ask; a hard block is refused', async () => {
  model = await startScriptedModel([
    call('run_command', { program: 'npm', args: ['test'] }, { id: 'c1' }),
    call('run_shell', { command: 'grep -n getUTC src/date.js | head -2' }, { id: 'c2' }),
    call('run_shell', { command: 'cd src && rm -rf ../test' }, { id: 'c3' }),
    call('run_command', { program: 'git', args: ['push', '--force'] }, { id: 'c4' }),
    call('run_shell', { command: 'rm -rf .sluice' }, { id: 'c5' }),
    say('That was all.'),
  ], { strict: {} });
  editor = await openEditor({ workspace: 'test/fixtures/sample', userSettings: { 'sluice.model.baseUrl': model.baseUrl, 'sluice.model.name': 'scripted' } });
  const chat = await ask(editor, 'Try a few things');
  await editor.toast('rm -rf ../test').waitFor();
  expect(model.toolMessages(1).get('c1')).toMatch(/^\[exit code 1 .*confined\]/);
  expect(model.toolMessages(2).get('c2')).toContain('getUTCFullYear');
  await settle(editor);
  await editor.screenshot('defaults-delete-dark');
  await editor.clickToast('rm -rf ../test', 'Deny');
  await editor.toast('git push --force').waitFor();
  await settle(editor);
  await editor.clickToast('git push --force', 'Deny');
  await says(chat, 'That was all.');
  expect(model.toolMessages(5).get('c5')).toContain('Not run, and it will not be');
  expect(existsSync(editor.file('test/date.test.js'))).toBe(true);
  const [audit = ''] = await readdir(join(editor.workspace, '.sluice', 'audit'));
  const decisions = (await readFile(join(editor.workspace, '.sluice', 'audit', audit), 'utf8')).split('\n').filter((line) => line.includes('"kind":"decision"'));
  expect(decisions.map((line) => /"decision":"(\w+)"/.exec(line)?.[1])).toEqual(['allow', 'allow', 'deny', 'deny', 'deny']);
});
