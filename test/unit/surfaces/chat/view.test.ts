import { afterAll, beforeAll, describe, expect, it as base } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import type { TaskEvent } from '../../../../src/core/agent/events.ts';
import { called, card, change, facts, request, started } from './sample.ts';
import { bundleView, findBrowser, openBrowser, openStage, TOKEN } from './stage.ts';
import type { Stage, StageOptions } from './stage.ts';

const found = findBrowser();
if (found === undefined) console.warn('Skipped: the chat view as a page. No Chromium was found; set CHROMIUM_PATH or install chromium.');

/** A little more than the guards, so that a click is meant. */
const READ_MS = 501;

type Open = (options?: StageOptions) => Promise<Stage>;
let browser: Browser;
let files: ReadonlyMap<string, string | Buffer>;

const it = base.extend<{ open: Open }>({
  open: async ({}, use) => {
    const stages: Stage[] = [];
    await use(async (options) => {
      const stage = await openStage(browser, files, options);
      stages.push(stage);
      return stage;
    });
    for (const { page, strays, complaints } of stages) {
      await page.context().close();
      // Whatever a test did: nothing was asked of any network, and nothing failed or was refused.
      expect({ strays, complaints }).toEqual({ strays: [], complaints: [] });
    }
  },
});

describe.skipIf(found === undefined)('the chat view as a page', { timeout: 30_000, concurrent: true }, () => {
  beforeAll(async () => {
    [browser, files] = await Promise.all([openBrowser(found ?? ''), bundleView()]);
  }, 30_000);
  afterAll(() => browser.close());
  const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
  const answers = async (stage: Stage): Promise<Record<string, unknown>[]> => (await stage.sent()).filter(({ type }) => type === 'answer');
  const say = (text: string): TaskEvent => ({ task: 't1', type: 'text', text });

  it('draws a stranger\'s text as text: no markup, no picture, no address that the browser follows', async ({ open }) => {
    const { page, emit } = await open();
    await emit(started, say([
      '<script>window.broken = 1</script><img src="https://evil.example/a.png" onerror="window.broken = 1">', '<iframe src="https://evil.example"></iframe>', '',
      '![secret](https://evil.example/pixel.png?q=1)', '![x](data:image/svg+xml,<svg onload="window.broken=1"/>)', '![y][ref]', '',
      '[a](javascript:alert(1)) [b](command:workbench.action.quit) [c](data:text/html,x) [d](JaVaScRiPt:alert(1)) [e](vscode://x/y) [f](file:///etc/hosts) [g](//evil.example/x)',
      '[h](https://good.example@evil.example/) [i](../outside)', '', '<https://auto.example/x> <command:quit>', '', '```"><img src=x onerror=alert(1)>', '</code><script>window.broken = 1</script>', '```', '',
      '[ref]: https://evil.example/ref.png', '', '<style>body { background: url(https://evil.example/css) }</style>', '<form action="https://evil.example"><input></form>',
    ].join('\n')));
    const shape = await page.locator('chat-markdown').evaluate((root) => ({
      forbidden: root.querySelectorAll('script, img, iframe, style, form, input, svg, object, embed, link, [href], [src], [style], [onerror], [onload], [onclick]').length,
      links: [...root.querySelectorAll<HTMLElement>('[data-link], [data-file]')].map(({ dataset }) => dataset['link'] ?? dataset['file']),
      text: root.textContent,
    }));
    expect(shape.forbidden).toBe(0);
    expect(shape.links).toEqual(['https://auto.example/x']);
    for (const word of ['<script>', '[picture: secret] https://evil.example/pixel.png?q=1', 'command:workbench.action.quit', 'onerror']) expect(shape.text).toContain(word);
    expect(await page.evaluate(() => 'broken' in window)).toBe(false);
  });

  it('shows the address of a link and hands it to the host, by mouse and by key', async ({ open }) => {
    const { page, emit, sent } = await open();
    await emit(started, say('See [the docs](https://docs.example/a?b=1&c=2) and [the file](src/date%20x.ts).'));
    await expect(page.locator('[data-link]').textContent()).resolves.toBe('the docs (https://docs.example/a?b=1&c=2)');
    await page.locator('[data-link]').click();
    await page.locator('[data-file]').focus();
    await page.keyboard.press('Enter');
    expect(await sent()).toEqual([{ type: 'ready' }, { type: 'open_link', url: 'https://docs.example/a?b=1&c=2' }, { type: 'open_file', path: 'src/date x.ts' }]);
    expect(page.url()).toBe('http://chat.localhost/');
  });

  it('leaves finished paragraphs alone while text streams in', async ({ open }) => {
    const { page, emit } = await open();
    await emit(started, say('First paragraph.\n\nSecond'));
    await page.evaluate(() => Object.assign(window, { first: document.querySelector('chat-markdown p') }));
    await emit(say(' goes on.\n\n```js\nconst a = 1;\n```\n'));
    expect(await page.evaluate(() => (window as unknown as { first: Element }).first === document.querySelector('chat-markdown p'))).toBe(true);
    await button(page, 'Copy code').click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('const a = 1;\n');
  });

  it('shows a card whole: 20 kB with 200 line breaks', async ({ open }) => {
    const { page, emit } = await open({ width: 300 });
    const target = Array.from({ length: 201 }, (_, index) => `${index} ${String.fromCodePoint(33 + (index % 90)).repeat(98)}`).join('\n');
    expect(target.length).toBeGreaterThan(20_000);
    await emit(started, request({ card: card({ target, why: 'w'.repeat(500), agentSays: 'a'.repeat(3000) }) }));
    const whole = page.locator('[data-card] pre');
    const shown = await whole.evaluate((element) => ({ text: (element as HTMLElement).innerText, wide: element.scrollWidth - element.clientWidth, ellipsis: getComputedStyle(element).textOverflow, mono: getComputedStyle(element).fontFamily }));
    expect(shown.text.replace(/\s/g, '')).toBe(target.replace(/\s/g, ''));
    expect(shown.wide).toBeLessThanOrEqual(0);
    expect([shown.ellipsis, shown.mono]).toEqual(['clip', expect.stringContaining('monospace')]);
    const all = await page.locator('[data-card]').innerText();
    for (const part of ['Run a command', 'in sample · confined · no network', 'reaches the npm registry (asked)', 'package_install', 'w'.repeat(500), 'a'.repeat(3000), 'this call, once']) expect(all).toContain(part);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(300);
  });

  it('never offers to approve what it cannot show', async ({ open }) => {
    const stage = await open();
    await stage.emit(started, request({ card: card({ target: 'x'.repeat(300_000) }) }));
    expect(await button(stage.page, 'Approve').count()).toBe(0);
    await button(stage.page, 'Review').click();
    expect((await stage.sent()).at(-1)).toEqual({ type: 'open_request', requestId: 'req_1' });
  });

  it('ignores clicks on a card that has just appeared, then answers once with id, fingerprint and token', async ({ open }) => {
    const stage = await open();
    await stage.emit(started, request());
    await stage.pass(499);
    await button(stage.page, 'Approve').click();
    expect(await answers(stage)).toEqual([]);
    await stage.pass(2);
    await button(stage.page, 'Approve').dblclick();
    expect(await answers(stage)).toEqual([{ type: 'answer', requestId: 'req_1', fingerprint: 'sha256:aa', choice: 'approve', scope: 'once', token: TOKEN }]);
    await stage.page.getByText('Answer sent.').waitFor();
    await stage.emit({ type: 'receipt', requestId: 'req_1', receipt: 'fingerprint_mismatch' });
    expect(await stage.page.locator('.receipt').innerText()).toMatch(/no effect/);
    expect(await button(stage.page, 'Approve').count()).toBe(1);
  });

  it('ignores a pointer when the card moved under it', async ({ open }) => {
    const stage = await open();
    await stage.emit(started, request());
    await stage.pass(READ_MS);
    await stage.emit({ type: 'opened', request: { ...stage.state().waiting[0]!.request, id: 'req_2', callId: 'c2' } }, say('A paragraph that pushes the cards down.'));
    await button(stage.page, 'Approve').first().click();
    expect(await answers(stage)).toEqual([]);
  });

  it('ignores clicks that no person made', async ({ open }) => {
    const stage = await open();
    await stage.emit(started, request());
    await stage.pass(READ_MS);
    await button(stage.page, 'Approve').evaluate((element) => (element as HTMLElement).click());
    expect(await answers(stage)).toEqual([]);
  });

  it('can be approved for the session and denied with a reason by keyboard alone, and takes no focus itself', async ({ open }) => {
    const stage = await open();
    const { page, emit } = stage;
    await page.locator('textarea').focus();
    await page.keyboard.type('half a thought');
    await emit(started, request());
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    await stage.pass(READ_MS);
    const tabTo = async (name: string): Promise<void> => {
      for (let step = 0; step < 30; step += 1) {
        await page.keyboard.press('Shift+Tab');
        if (await button(page, name).evaluate((element) => element === document.activeElement)) return;
      }
      throw new Error(`${name} cannot be reached by Tab`);
    };
    await tabTo('More ways to approve');
    await page.keyboard.press('Enter');
    const choice = page.getByRole('button', { name: /Approve for this session/ });
    expect(await choice.innerText()).toContain('npm install in sample, until the window closes');
    await stage.pass(READ_MS);
    for (let step = 0; step < 10 && !(await choice.evaluate((element) => element === document.activeElement)); step += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await answers(stage)).toMatchObject([{ choice: 'approve', scope: 'session' }]);
    await emit({ type: 'closed', requestId: 'req_1', how: 'approved' }, request({ id: 'req_2', fingerprint: 'sha256:bb' }));
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    await stage.pass(READ_MS);
    await tabTo('More ways to deny');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Use the local copy.');
    await stage.pass(READ_MS);
    await page.keyboard.press('Enter');
    expect((await answers(stage))[1]).toEqual({ type: 'answer', requestId: 'req_2', fingerprint: 'sha256:bb', choice: 'deny', scope: 'once', reason: 'Use the local copy.', token: TOKEN });
    expect(await page.locator('textarea').inputValue()).toBe('half a thought');
  });

  it('lists changed files and opens the diff', async ({ open }) => {
    const stage = await open();
    await stage.emit(started, request({ changes: [change('src/date.ts', 'a\n', 'b\nc\n'), change('new.ts', '', 'x\n')], card: card({ banner: 'This file runs code or changes settings.' }) }));
    expect((await stage.page.locator('.files').innerText()).replace(/\s+/g, ' ')).toBe('src/date.ts changed +2 -1 new.ts new +1');
    expect(await stage.page.locator('.banner').innerText()).toBe('This file runs code or changes settings.');
    await button(stage.page, 'Open diff').click();
    expect((await stage.sent()).at(-1)).toEqual({ type: 'open_diff', requestId: 'req_1' });
  });

  it('sends with Enter, breaks with Shift+Enter, and leaves Enter to an input method', async ({ open }) => {
    const { page, sent } = await open();
    const input = page.locator('textarea');
    await input.focus();
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await input.evaluate((element) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })));
    expect(await sent()).toEqual([{ type: 'ready' }]);
    await page.keyboard.press('Enter');
    expect((await sent()).at(-1)).toEqual({ type: 'send', text: 'one\ntwo' });
    expect(await input.inputValue()).toBe('');
    await page.keyboard.press('Enter');
    expect(await sent()).toHaveLength(2);
  });

  it('queues while a task runs, shows what is queued, and stops', async ({ open }) => {
    const { page, sent, emit } = await open();
    await emit(started, { task: 't1', type: 'queued', texts: ['also the docs'] });
    expect((await page.getByRole('list', { name: 'Queued messages' }).innerText()).replace(/\s+/g, ' ')).toContain('queued also the docs');
    await page.locator('textarea').fill('more');
    await button(page, 'Queue').click();
    await button(page, 'Stop').click();
    expect((await sent()).slice(1)).toEqual([{ type: 'send', text: 'more' }, { type: 'stop' }]);
  });

  it('names every state by a word beside an icon', async ({ open }) => {
    const { page, emit } = await open();
    const states = ['waiting', 'running', 'done', 'denied_by_rule', 'denied_by_person', 'no_answer', 'cancelled', 'failed', 'timed_out', 'unknown'] as const;
    await emit(started, ...states.map((state) => called(state, state)), called('y', 'done', { allowedBy: 'person' }), called('r', 'done', { allowedBy: 'rule', reason: 'reading in the folder', rule: 'path/read' }));
    const words = ['waiting', 'running', 'done', 'denied by rule', 'denied by you', 'no answer', 'cancelled', 'failed', 'timed out', 'unknown', 'done', 'done'];
    expect(await page.locator('.call-line .state-word').allInnerTexts()).toEqual(words);
    expect(await page.locator('.call-line .codicon').count()).toBe(words.length);
    await page.locator('[data-call="y"]').click();
    await page.locator('[data-call="r"]').click();
    const details = await page.locator('.call-details').allInnerTexts();
    expect(details[0]).toContain('allowed by you');
    expect(details[1]).toMatch(/allowed by rule[\s\S]*reading in the folder \(rule path\/read\)/);
  });

  it('opens a call by key, with its output and its record', async ({ open }) => {
    const { page, emit, sent } = await open();
    await emit(started, called('c1', 'running'), { task: 't1', type: 'output', callId: 'c1', text: Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join('') });
    expect((await page.locator('.output.live').innerText()).split('\n')).toEqual(Array.from({ length: 8 }, (_, index) => `line ${index + 22}`));
    await page.locator('[data-call="c1"]').focus();
    await page.keyboard.press('Space');
    expect(await page.locator('[data-call="c1"]').getAttribute('aria-expanded')).toBe('true');
    expect(await page.getByLabel('Output').innerText()).toContain('line 0\n');
    await button(page, 'Record').click();
    expect((await sent()).at(-1)).toEqual({ type: 'open_record', callId: 'c1' });
  });

  it('offers to continue a task that can go on, and only the last one', async ({ open }) => {
    const { page, emit, sent } = await open();
    await emit(started, { task: 't1', type: 'task_ended', how: 'step_limit', text: undefined });
    await button(page, 'Continue').click();
    expect((await sent()).at(-1)).toEqual({ type: 'continue' });
    await emit(started, { task: 't1', type: 'task_ended', how: 'stopped', text: undefined });
    expect(await button(page, 'Continue').count()).toBe(1);
    await emit(started, { task: 't1', type: 'task_ended', how: 'finished', text: undefined });
    expect(await button(page, 'Continue').count()).toBe(0);
  });

  it('greets with three starting points, the model line and the rehearsal notice', async ({ open }) => {
    const { page, emit, sent } = await open({ width: 300 });
    expect(await page.getByRole('note').innerText()).toBe('rehearsal: a prepared session, no model');
    expect(await page.getByRole('group', { name: 'Starting points' }).getByRole('button').count()).toBe(3);
    await page.getByRole('button', { name: /Make the failing tests pass/ }).click();
    await button(page, 'Connect a model').click();
    await emit({ type: 'facts', facts: { ...facts, sandbox: { available: false, detail: 'bubblewrap is missing', fix: 'apt-get install bubblewrap' } } });
    await page.getByRole('button', { name: /no sandbox/ }).click();
    expect((await sent()).slice(1)).toEqual([{ type: 'pick_starter', id: 'tests' }, { type: 'command', name: 'connect_model' }, { type: 'command', name: 'sandbox_help' }]);
    await emit(started, say('hello'));
    expect(await page.getByRole('note').innerText()).toBe('rehearsal: a prepared session, no model');
  });

  it('tells a screen reader what waits and how it ended, and names every control', async ({ open }) => {
    const { page, emit } = await open();
    const status = page.getByRole('status');
    await emit(started, request());
    expect(await status.textContent()).toBe('Waiting for you: Run a command: npm install left-pad');
    expect(await status.getAttribute('aria-live')).toBe('polite');
    expect(await page.getByRole('group', { name: 'Run a command' }).count()).toBe(1);
    expect(await page.getByRole('log').getAttribute('aria-live')).toBe('off');
    await emit(called('c9', 'failed'), called('c1', 'denied_by_person'));
    expect(await status.textContent()).toBe('Read src/date.ts: denied by you');
    const nameless = await page.evaluate(() => [...document.querySelectorAll('button, textarea, input, [tabindex="0"]')]
      .filter((element) => ((element.getAttribute('aria-label') ?? '') + (element.textContent ?? '')).trim() === '').map(({ outerHTML }) => outerHTML));
    expect(nameless).toEqual([]);
  });

  it('keeps the scroll where the person put it, and follows at the end', async ({ open }) => {
    const { page, emit } = await open({ height: 500 });
    const top = (): Promise<number> => page.locator('.log').evaluate((log) => Math.round(log.scrollTop));
    const gap = (): Promise<number> => page.locator('.log').evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
    const lines = (count: number): string => 'A line of text.\n\n'.repeat(count);
    await emit(started, say(lines(60)));
    expect(await gap()).toBeLessThan(2);
    await page.locator('.log').hover();
    await page.mouse.wheel(0, -300);
    await page.waitForTimeout(150);
    const before = await top();
    await emit(say(lines(20)), request());
    await emit(say(lines(20)));
    expect(await top()).toBe(before);
    await page.locator('.jumps').getByRole('button', { name: 'Newest' }).click();
    await page.waitForTimeout(100);
    expect(await gap()).toBeLessThan(2);
  });

  it('shows the beginning of a card that does not fit, not its buttons, and follows again afterwards', async ({ open }) => {
    const { page, emit } = await open({ width: 300, height: 360 });
    await emit(started, say('A line of text.\n\n'.repeat(20)), called('c1', 'waiting'), request());
    const places = await page.evaluate(() => ({ log: document.querySelector('.log')!.getBoundingClientRect().top, card: document.querySelector('.card header')!.getBoundingClientRect().top }));
    expect(places.card).toBeGreaterThanOrEqual(places.log);
    await emit(say('More text.\n\n'.repeat(10)), { type: 'closed', requestId: 'req_1', how: 'approved' }, called('c1', 'done'));
    expect(await page.locator('.log').evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight)).toBeLessThan(2);
  });

  it('stays smooth with 10,000 lines of history', async ({ open }) => {
    const { page, emit } = await open();
    const history = Array.from({ length: 350 }, (_, index): TaskEvent => (index % 2 === 0
      ? { task: 't1', type: 'user_message', text: 'line\n'.repeat(29) } : { task: 't1', type: 'text', text: 'One line.\n\n'.repeat(29) }));
    await emit(started, ...history);
    expect(await page.locator('.row').count()).toBeGreaterThanOrEqual(350);
    const times: number[] = [];
    for (let step = 0; step < 12; step += 1) {
      const start = Date.now();
      await emit(say(`piece ${step} `));
      times.push(Date.now() - start);
    }
    // Two frames are waited for each time (33 ms when nothing is slow); the bound leaves room for a busy machine.
    expect(times.sort((a, b) => a - b)[6]).toBeLessThan(250);
  });

  it('asks for the whole state when it missed something', async ({ open }) => {
    const { page, sent } = await open();
    await page.evaluate(() => window.postMessage({ type: 'events', from: 41, to: 42, events: [] }, '*'));
    await page.waitForTimeout(50);
    expect((await sent()).map(({ type }) => type)).toEqual(['ready', 'ready']);
  });

  it.for(['dark', 'light', 'hc'] as const)('fits the narrowest and lowest side bar in %s, with no sideways scroll', async (theme, { open }) => {
    // 300 px at 200 % zoom leaves the room of 150 px; the editor itself gives at least 170.
    const { page, emit } = await open({ theme, width: 150, height: theme === 'light' ? 320 : 600 });
    await emit(started, { task: 't1', type: 'user_message', text: 'w'.repeat(200) }, say(`${'long'.repeat(60)}\n\n| a | b |\n| - | - |\n| ${'x'.repeat(90)} | y |`), called('c1', 'waiting'),
      request({ card: card({ where: `in ${'folder'.repeat(20)}`, touches: ['t'.repeat(200)] }) }), { task: 't1', type: 'queued', texts: ['q'.repeat(200)] });
    const over = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll('.log, .top, .bottom, .card, .actions')].filter((element) => element.scrollWidth > element.clientWidth + 1).map(({ className }) => className));
    expect(over).toEqual([]);
  });
});
