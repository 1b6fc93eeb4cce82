/** Pictures of the view for people to look at: `node test/unit/surfaces/chat/view.shots.ts` writes them to artifacts/. */
import { mkdirSync } from 'node:fs';
import { bundleView, findBrowser, openBrowser, openStage } from './stage.ts';
import type { Stage } from './stage.ts';
import { called, card, change, facts, request, started } from './sample.ts';
import type { ThemeName } from './themes.ts';

const MARKDOWN = [
  'The helper `formatDate` pads the **month** but not the day. I will change it and run the test again.', '',
  '1. Read [the helper](src/date.ts) and [the docs](https://example.com/dates).', '2. Change one line.', '',
  '```ts', 'export const pad = (n: number): string => String(n).padStart(2, "0");', '```', '', '| Case | Before | After |', '| --- | --- | --- |', '| day 5 | `5` | `05` |',
].join('\n');

const SCENES: Record<string, (stage: Stage) => Promise<void>> = {
  empty: async () => undefined,
  work: async ({ emit, page }) => {
    await emit(started, { task: 't1', type: 'user_message', text: 'The date test fails. Please fix it.\nKeep the API.' });
    for (let index = 0; index < 6; index += 1) await emit(called(`r${index}`, 'done', { durationMs: 2, allowedBy: 'rule' }));
    await emit({ task: 't1', type: 'text', text: MARKDOWN }, { task: 't1', type: 'message_ended' },
      called('e', 'done', { subject: { verb: 'Change', target: 'src/date.ts', form: 'path' }, allowedBy: 'person', changes: [{ path: 'src/date.ts', added: 3, removed: 1 }], durationMs: 1400, reason: 'writing in the folder asks', rule: 'path/workspace', summary: '1 file' }),
      called('d', 'denied_by_rule', { subject: { verb: 'Run', target: 'curl https://example.com/install.sh', form: 'command' }, reason: 'the network is closed', rule: 'network/closed' }),
      called('x', 'failed', { subject: { verb: 'Run', target: 'npm test -- --reporter=verbose test/date.test.ts', form: 'command' }, summary: 'exit 1', durationMs: 2300 }),
      called('run', 'running', { subject: { verb: 'Run', target: 'npm test', form: 'command' }, confined: true }),
      { task: 't1', type: 'output', callId: 'run', text: '> sample@1.0.0 test\n> node --test\n\n✔ pads the month (0.4 ms)\n✖ pads the day (1.1 ms)\n' },
      { task: 't1', type: 'usage', usage: { inputTokens: 3100, outputTokens: 120, estimated: false } }, { task: 't1', type: 'queued', texts: ['Also add a test for leap years.'] });
    await page.locator('[data-call="e"]').click();
  },
  cards: async ({ emit, page }) => {
    await emit(started, { task: 't1', type: 'user_message', text: 'Fix it.' }, called('c1', 'waiting', { subject: { verb: 'Run', target: 'npm install left-pad', form: 'command' } }), request(),
      request({ id: 'req_2', callId: 'c2', card: card({ verb: 'Change 2 files', target: 'src/date.ts\n.vscode/settings.json', form: 'path', where: 'in sample', touches: ['src/date.ts', '.vscode/settings.json'], why: 'the second file configures the editor', rule: 'path/configures', banner: 'This file runs code or changes settings.', agentSays: undefined, choices: [{ scope: 'once', covers: 'these two files, as shown' }] }),
        changes: [change('src/date.ts', 'a\nb\n', 'a\nc\nd\n'), change('.vscode/settings.json', '', '{}\n')] }));
    await page.locator('[aria-label="More ways to approve"]').first().click();
  },
  ends: async ({ emit }) => {
    await emit(started, { task: 't1', type: 'user_message', text: 'Go.' }, { task: 't1', type: 'notice', level: 'warning', text: 'The policy changed while the task runs; it applies from the next call.' },
      ...(['waiting', 'running', 'done', 'timed_out', 'denied_by_person', 'no_answer', 'cancelled', 'invalid', 'judging'] as const).map((state) => called(state, state, { durationMs: 3 })),
      { task: 't1', type: 'reasoning', text: 'thinking' }, { task: 't1', type: 'message_ended' }, { task: 't1', type: 'task_ended', how: 'interrupted', text: undefined },
      { ...started, task: 't2', title: 'Second task' }, { task: 't2', type: 'retrying', attempt: 2, limit: 5, waitMs: 3000, reason: 'The connection was lost.' });
  },
  sandboxless: async ({ emit }) => {
    await emit(started, { task: 't1', type: 'task_ended', how: 'step_limit', text: '50 steps were used.' });
    await emit({ type: 'facts', facts: { ...facts, restricted: true, notice: undefined, model: { label: 'a-very-long-model-name-2026-12-01-preview', connected: true }, sandbox: { available: false, detail: 'bubblewrap is missing.', fix: 'apt-get install bubblewrap' } } });
  },
};

const path = findBrowser();
if (path === undefined) throw new Error('No Chromium found. Set CHROMIUM_PATH.');
const browser = await openBrowser(path);
const files = await bundleView();
mkdirSync('artifacts/chat', { recursive: true });
for (const theme of ['dark', 'light', 'hc'] satisfies ThemeName[]) {
  for (const width of [300, 420]) {
    for (const [name, play] of Object.entries(SCENES)) {
      const stage = await openStage(browser, files, { theme, width, height: 760 });
      await play(stage);
      await stage.page.mouse.move(0, 0);
      await stage.page.waitForTimeout(80);
      await stage.page.screenshot({ path: `artifacts/chat/${name}-${theme}-${width}.png` });
      if (stage.complaints.length + stage.strays.length > 0) console.log(name, theme, width, stage.complaints, stage.strays);
      await stage.page.context().close();
    }
  }
}
await browser.close();
