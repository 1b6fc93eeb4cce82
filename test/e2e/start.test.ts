/** `npm start` reaches a usable editor: the input of the chat is there; Ctrl-C ends all of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { root } from '../../src/build/install.mjs';
import { launchChromium } from './harness/chromium.ts';
import { isRunning, until } from './harness/waiting.ts';

interface Announced {
  readonly url: string;
  readonly folder: string;
  readonly pid: number;
}

let starting: ChildProcess | undefined;
let browser: Browser | undefined;
afterEach(async () => {
  await browser?.close();
  starting?.kill('SIGINT');
});

/** The one line of JSON that the script prints for others. */
async function announced(child: ChildProcess): Promise<Announced> {
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line.startsWith('{')) return JSON.parse(line) as Announced;
  }
  throw new Error('npm start ended without saying where the editor is');
}

test('npm start opens an editor with the chat\'s input, and Ctrl-C leaves nothing', async () => {
  starting = spawn(process.execPath, [resolve(root, 'src/build/start.mjs'), '--browser', '--no-open', '--print-json'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((done) => starting!.once('exit', done));
  const { url, folder, pid } = await announced(starting);
  browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(url);
  const icon = page.locator('.activitybar .action-item a[aria-label^="Sluice"]').first();
  await icon.waitFor({ timeout: 60_000 });
  await icon.click({ force: true });
  const input = await until('the input of the chat', async () => {
    for (const frame of page.frames()) if (await frame.locator('textarea[placeholder]').first().isVisible().catch(() => false)) return frame;
    return undefined;
  }, 60_000);
  await input.locator('textarea[placeholder]').first().fill('Fix the failing test');
  expect(existsSync(resolve(folder, 'src/date.js'))).toBe(true);
  starting.kill('SIGINT');
  await ended;
  await until('the end of the server', () => (isRunning(pid) ? undefined : true));
  expect(existsSync(folder)).toBe(false);
});
