/**
 * A real VS Code in a real browser, with the packaged Sluice installed, for click-through tests.
 *
 *   const editor = await openEditor({ workspace: 'test/fixtures/sample', userSettings: { 'sluice.model.baseUrl': url } });
 *   await editor.openSluiceView();
 *   const chat = await editor.chatFrame();              // the frame that holds our page
 *   await chat.locator('textarea').fill('Fix the failing test');
 *   await editor.clickToast('npm test', 'Approve');     // text in the toast, name of the button
 *   await editor.titleAction('check').click();          // codicon in the active editor's title bar
 *   await editor.screenshot('diff-dark');               // artifacts/diff-dark.png
 *   await editor.dispose();                             // in afterEach; bounded, ends all it started
 *
 * Every editor has its own server (127.0.0.1, free port), data folder, workspace copy and browser. `env` reaches the
 * extension host's process. A test that fails leaves a picture and the console in artifacts/. A locator waits by itself; the helpers here wait at most `waitMs`.
 */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { Browser, BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { inject, TestRunner } from 'vitest';
import { startServer, writeUserSettings, type Server } from '../../../src/build/browser-host.mjs';
import { root } from '../../../src/build/install.mjs';
import { launchChromium } from './chromium.ts';
import { installVsix } from './prepared.ts';
import { childrenOf, until } from './waiting.ts';
import { fillWorkspace, tempFolder, type Files, type TempFolder } from './workspace.ts';

export const waitMs = 30_000;

const themes = {
  dark: 'Dark Modern', light: 'Light Modern', 'hc-dark': 'Default High Contrast', 'hc-light': 'Default High Contrast Light',
} as const;

export interface EditorOptions {
  /** A folder to copy (absolute, or from the repository's root), or files to write. */
  readonly workspace: string | Files;
  readonly userSettings?: Readonly<Record<string, unknown>>;
  /** Added to the server's environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Opens the folder untrusted (Restricted Mode). */
  readonly restricted?: boolean;
  readonly theme?: keyof typeof themes;
  /** Another package than the one of this run. */
  readonly vsix?: string;
  readonly width?: number;
  readonly height?: number;
}

export interface Editor {
  readonly page: Page;
  /** Real path of the temporary copy that is open. */
  readonly workspace: string;
  /** Everything the page and the extension host wrote to the console so far. */
  readonly consoleLines: readonly string[];
  /** Path of a file in the workspace. */
  file(name: string): string;
  /** Runs a command by its title, exactly as the Command Palette shows it: `Sluice: Verify Audit`. */
  palette(title: string): Promise<void>;
  /** Visible toasts that contain the text. */
  toast(text: string | RegExp): Locator;
  clickToast(text: string | RegExp, button: string): Promise<void>;
  /** Opens a file of the workspace through quick open. */
  openFile(name: string): Promise<void>;
  openSluiceView(): Promise<void>;
  /** The frame that runs our chat page. Ask again after a reload or after the view was hidden. */
  chatFrame(): Promise<Frame>;
  /** Button in the active editor group's title bar, by codicon name. */
  titleAction(codicon: string): Locator;
  /** Rows of the view whose header has this title, e.g. `Approvals`. */
  treeRows(view: string): Locator;
  /** Status bar items that contain the text. */
  statusBar(text: string | RegExp): Locator;
  screenshot(name: string): Promise<string>;
  /** Reloads the window, as `Developer: Reload Window` does, and waits for the workbench. */
  reload(): Promise<void>;
  extensionHostPid(): Promise<number>;
  dispose(): Promise<void>;
}

export async function openEditor(options: EditorOptions): Promise<Editor> {
  const prepared = inject('prepared');
  const folder = await tempFolder('editor');
  const undo: (() => Promise<unknown>)[] = [folder.dispose];
  const dispose = async () => {
    for (const step of undo.splice(0).reverse()) await step().catch(() => undefined);
  };
  try {
    const workspace = join(folder.path, 'workspace');
    const source = options.workspace;
    await fillWorkspace(workspace, typeof source !== 'string' || isAbsolute(source) ? source : resolve(root, source));
    const server = await serve(folder, prepared, options);
    undo.push(server.stop);
    const browser = await launchChromium();
    undo.push(() => closeBrowser(browser));
    const context = await newContext(browser, options);
    const consoleLines: string[] = [];
    const page = await context.newPage();
    page.on('console', (message) => consoleLines.push(message.text()));
    page.on('pageerror', (error) => consoleLines.push(`page error: ${error.message}`));
    await page.goto(server.url(workspace));
    await workbenchReady(page).catch(async (error: unknown) => {
      throw new Error(`The editor did not come up, see ${await screenshot(page, 'editor-not-ready')}\n${server.log().slice(-2000)}`, { cause: error });
    });
    undo.push(() => keepTraces(page, consoleLines));
    return { page, workspace, consoleLines, ...actions(page, server, workspace), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function serve(folder: TempFolder, prepared: { host: string; extensionsTemplate: string }, options: EditorOptions): Promise<Server> {
  const dataDir = join(folder.path, 'server');
  const template = options.vsix === undefined ? prepared.extensionsTemplate : await installVsix(prepared.host, options.vsix, join(folder.path, 'vsix'));
  await cp(template, join(dataDir, 'extensions'), { recursive: true });
  await writeUserSettings(dataDir, { 'workbench.colorTheme': themes[options.theme ?? 'dark'], ...options.userSettings });
  return startServer({
    host: prepared.host, dataDir, trusted: options.restricted !== true, ...(options.env ? { env: options.env } : {}),
  });
}

async function newContext(browser: Browser, options: EditorOptions): Promise<BrowserContext> {
  const colorScheme = options.theme?.endsWith('light') ? 'light' : 'dark';
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 }, colorScheme, permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(waitMs);
  return context;
}

/** A browser that hangs must not hang the test. */
async function closeBrowser(browser: Browser): Promise<void> {
  await Promise.race([browser.close(), new Promise((done) => setTimeout(done, 10_000).unref())]);
}

async function workbenchReady(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
  await sluiceIcon(page).waitFor({ timeout: 60_000 });
}

type Actions = Omit<Editor, 'page' | 'workspace' | 'consoleLines' | 'dispose'>;

function actions(page: Page, server: Server, workspace: string): Actions {
  const toast = (text: string | RegExp) => page.locator('.notifications-toasts .notification-toast').filter({ hasText: text });
  return {
    file: (name) => join(workspace, ...name.split('/')),
    palette: (title) => runCommand(page, title),
    toast,
    clickToast: (text, button) => toast(text).getByRole('button', { name: button, exact: true }).first().click(),
    openFile: (name) => openFile(page, name),
    openSluiceView: () => openView(page),
    chatFrame: () => findChatFrame(page),
    titleAction: (codicon) => page.locator(`.editor-group-container.active .title .editor-actions .codicon-${codicon}`).first(),
    treeRows: (view) => page.locator('.pane').filter({ has: page.locator('.pane-header', { hasText: view }) }).locator('.monaco-list-row'),
    statusBar: (text) => page.locator('.part.statusbar .statusbar-item').filter({ hasText: text }),
    screenshot: (name) => screenshot(page, name),
    reload: async () => {
      await page.reload();
      await workbenchReady(page);
    },
    extensionHostPid: () => until('an extension host', () => childrenOf(server.child.pid ?? -1, '--type=extensionHost').at(-1)),
  };
}

/** The list is made once for what was typed, so it is asked again while the extension is still arriving. */
async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input.input').first();
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ has: page.getByText(title, { exact: true }) }).first();
  await page.keyboard.press('F1');
  await input.waitFor();
  await until(`the command "${title}"`, async () => {
    await input.fill('>');
    await input.fill(`>${title}`);
    return row.waitFor({ timeout: 1500 }).then(() => true, () => undefined);
  }, waitMs);
  await row.click();
}

async function openFile(page: Page, name: string): Promise<void> {
  const input = page.locator('.quick-input-widget input.input').first();
  const base = name.slice(name.lastIndexOf('/') + 1);
  await page.keyboard.press('ControlOrMeta+P');
  await input.waitFor();
  await input.fill(name);
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: base }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.editor-group-container.active .tab.active').filter({ hasText: base }).waitFor();
}

function sluiceIcon(page: Page): Locator {
  return page.locator('.activitybar .action-item').filter({ has: page.locator('a[aria-label^="Sluice"]') }).first();
}

/** A badge on the icon would intercept the click, hence `force`. A second click would close the view again. */
async function openView(page: Page): Promise<void> {
  const action = sluiceIcon(page);
  await action.waitFor();
  const isOpen = async () => (await action.getAttribute('class'))?.split(' ').includes('checked') === true
    && (await page.locator('.part.sidebar').isVisible());
  const title = page.locator('.part.sidebar .composite.title').filter({ hasText: /sluice/i });
  // While the window restores its side bar, a click may close what was just opened: look, then click again.
  await until('the Sluice view', async () => {
    if (!(await isOpen())) await action.locator('a.action-label').click({ force: true });
    return title.waitFor({ timeout: 3_000 }).then(() => true, () => undefined);
  }, waitMs);
}

async function findChatFrame(page: Page): Promise<Frame> {
  const ours = (frame: Frame) => frame.name() !== '' && frame.parentFrame()?.url().includes('extensionId=sluice.sluice') === true;
  // A view that is being restored replaces its frame once more.
  return until('the chat view', async () => {
    const frame = page.frames().findLast(ours);
    if (frame === undefined) return undefined;
    await page.waitForTimeout(200);
    return frame.locator('textarea').waitFor({ timeout: 5_000 }).then(() => frame, () => undefined);
  }, waitMs);
}

/** What a failed test leaves to look at: artifacts/failed-<test>.png and .log. */
async function keepTraces(page: Page, consoleLines: readonly string[]): Promise<void> {
  const test = TestRunner.getCurrentTest();
  if (test?.result?.state !== 'fail') return;
  const name = `failed-${test.name.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 60)}`;
  await writeFile((await screenshot(page, name)).replace(/png$/, 'log'), `${consoleLines.join('\n')}\n`);
}

async function screenshot(page: Page, name: string): Promise<string> {
  const folder = join(root, 'artifacts');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  return path;
}
