/** The view as a page in a browser, without an editor: our own document and bundle, and a stand-in for the host. */
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import type { TaskEvent } from '../../../../src/core/agent/events.ts';
import type { ApprovalRequest } from '../../../../src/core/approval/request.ts';
import type { ChatEvent, ChatFacts, ChatState } from '../../../../src/surfaces/chat/items.ts';
import { pageOf } from '../../../../src/surfaces/chat/page.ts';
import { viewOf } from '../../../../src/surfaces/chat/request-view.ts';
import { initialState, reduce } from '../../../../src/surfaces/chat/state.ts';
import { facts } from './sample.ts';
import { THEMES } from './themes.ts';
import type { ThemeName } from './themes.ts';

const ORIGIN = 'http://chat.localhost';
export const TOKEN = '0123456789abcdef0123456789abcdef';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** In the order CHROMIUM_PATH, the usual names on the PATH, a browser Playwright installed. */
export function findBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const named = ['chromium', 'chromium-browser', 'google-chrome', 'microsoft-edge'].flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env['CHROMIUM_PATH'] ?? '', ...named, chromium.executablePath()].find((path) => path !== '' && existsSync(path));
}

export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}

export async function bundleView(): Promise<ReadonlyMap<string, string | Buffer>> {
  const result = await build({
    entryPoints: { chat: 'src/surfaces/chat/view/main.ts' }, bundle: true, write: false, outdir: '/', format: 'iife', platform: 'browser', target: 'chrome138',
  });
  const icons = 'node_modules/@vscode/codicons/dist';
  const files = new Map<string, string | Buffer>(result.outputFiles.map((file) => [file.path, file.text]));
  for (const name of ['codicon.css', 'codicon.ttf']) files.set(`/${name}`, readFileSync(join(icons, name)));
  return files;
}

export interface Stage {
  readonly page: Page;
  /** Every address the page asked for besides its own files: must stay empty. */
  readonly strays: string[];
  /** What the browser refused or reported as an error. */
  readonly complaints: string[];
  /** What the view sent, oldest first. */
  sent(): Promise<Record<string, unknown>[]>;
  emit(...events: readonly (TaskEvent | ChatEvent | ApprovalRequest)[]): Promise<void>;
  state(): ChatState;
  /** The view's clock stands still; this moves it on, in milliseconds. */
  pass(ms: number): Promise<void>;
}

export interface StageOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly facts?: ChatFacts;
}

export async function openStage(browser: Browser, files: ReadonlyMap<string, string | Buffer>, options: StageOptions = {}): Promise<Stage> {
  const { theme = 'dark', width = 420, height = 800 } = options;
  const context = await browser.newContext({ viewport: { width, height }, permissions: ['clipboard-write', 'clipboard-read'] });
  const page = await context.newPage();
  const strays: string[] = [];
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  await context.route('**/*', (route) => {
    const url = new URL(route.request().url());
    const body = url.origin !== ORIGIN ? undefined : url.pathname === '/' ? document() : files.get(url.pathname);
    if (body === undefined) {
      strays.push(url.href);
      return route.abort();
    }
    return route.fulfill({ body, contentType: TYPES[url.pathname.split('.').at(-1) ?? ''] ?? 'text/html' });
  });
  await page.addInitScript(standIn, THEMES[theme]);
  await page.goto(ORIGIN);
  let state = initialState(options.facts ?? facts);
  let revision = 0;
  await page.evaluate((message) => window.postMessage(message, '*'), { type: 'replace', revision, state });
  await page.waitForSelector('textarea');
  const sent = (): Promise<Record<string, unknown>[]> => page.evaluate(() => (window as unknown as { sent: Record<string, unknown>[] }).sent);
  const emit = async (...events: readonly (TaskEvent | ChatEvent | ApprovalRequest)[]): Promise<void> => {
    const chat = events.map((event): ChatEvent => ('card' in event ? { type: 'opened', request: viewOf(event) } : 'task' in event ? { type: 'task', event } : event));
    state = chat.reduce(reduce, state);
    await page.evaluate(async (message) => {
      window.postMessage(message, '*');
      // The message, the drawing, and one more for what the drawing causes.
      for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    }, { type: 'events', from: revision, to: revision + chat.length, events: chat });
    revision += chat.length;
  };
  const pass = (ms: number): Promise<void> => page.evaluate((by) => (window as unknown as { pass(by: number): void }).pass(by), ms);
  return { page, strays, complaints, sent, emit, state: () => state, pass };
}

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

function document(): string {
  return pageOf({ cspSource: ORIGIN, script: `${ORIGIN}/chat.js`, style: `${ORIGIN}/chat.css`, icons: `${ORIGIN}/codicon.css`, nonce: 'n0nce', token: TOKEN });
}

/** Runs in the page before anything else, as the editor's own preparation does. */
function standIn(theme: { readonly kind: string; readonly tokens: Readonly<Record<string, string>> }): void {
  const sent: unknown[] = [];
  let kept: unknown;
  let now = 1000;
  performance.now = () => now;
  Object.assign(window, {
    sent,
    pass: (by: number) => {
      now += by;
    },
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => sent.push(message),
      getState: () => kept,
      setState: (next: unknown) => {
        kept = next;
      },
    }),
  });
  globalThis.document.addEventListener('DOMContentLoaded', () => {
    const { style } = globalThis.document.documentElement;
    for (const [name, value] of Object.entries(theme.tokens)) style.setProperty(`--vscode-${name}`, value);
    style.setProperty('background', theme.tokens['sideBar-background'] ?? 'none');
    globalThis.document.body.classList.add(theme.kind);
  });
}
