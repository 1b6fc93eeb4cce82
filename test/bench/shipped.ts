/** The package as it is installed: its size, the time to load it in bare Node, and its activation in a real editor. */
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { startServer, writeUserSettings } from '../../src/build/browser-host.mjs';
import { root } from '../../src/build/install.mjs';
import { launchChromium } from '../e2e/harness/chromium.ts';
import { prepare } from '../e2e/harness/prepared.ts';
import { until } from '../e2e/harness/waiting.ts';
import { fillWorkspace, tempFolder } from '../e2e/harness/workspace.ts';
import { median, report, type Missing, type Row } from './rows.ts';

const LOADS = 7;
const STARTS = 3;
const LIMIT_KB = 8 * 1_024;

/** Prints the milliseconds that `require` of the module in argv takes; `vscode` answers everything with itself. */
const LOADER = `
const Module = require('node:module');
const anything = new Proxy(function () {}, { get: (_, key) => (key === Symbol.toPrimitive ? () => '' : anything), apply: () => anything, construct: () => anything });
const load = Module._load;
Module._load = function (name, ...rest) { return name === 'vscode' ? anything : load.call(this, name, ...rest); };
const from = performance.now();
require(process.argv[2]);
console.log(performance.now() - from);
`;

/** The unpacked extension below an extensions folder. */
async function installedIn(extensionsDir: string): Promise<string> {
  const name = (await readdir(extensionsDir)).find((one) => one.startsWith('sluice.sluice-'));
  if (name === undefined) throw new Error('the package was not installed');
  return join(extensionsDir, name);
}

async function loadRow(extension: string, folder: string): Promise<Row> {
  const [loader, empty] = [join(folder, 'loader.cjs'), join(folder, 'empty.cjs')];
  await writeFile(loader, LOADER);
  await writeFile(empty, '');
  const times = async (module: string) => {
    const found: number[] = [];
    for (let n = 0; n < LOADS; n += 1) found.push(Number((await promisify(execFile)(process.execPath, [loader, module], { timeout: 20_000 })).stdout));
    return median(found);
  };
  return {
    what: 'require of dist/extension.cjs in bare Node, median', measured: { value: await times(join(extension, 'dist', 'extension.cjs')), unit: 'ms' },
    baseline: { what: 'require of an empty module', value: await times(empty), unit: 'ms' },
  };
}

async function sizeRows(extension: string, vsix: string): Promise<Row[]> {
  const kilobytes = async (path: string) => (await stat(path)).size / 1_024;
  const bundles = (await readdir(join(extension, 'dist'))).filter((name) => /\.(cjs|js)$/.test(name));
  const all = await Promise.all(bundles.map((name) => kilobytes(join(extension, 'dist', name))));
  return [
    {
      what: 'dist/extension.cjs, read at activation', measured: { value: await kilobytes(join(extension, 'dist', 'extension.cjs')), unit: 'KB' },
      baseline: { what: 'all bundles', value: all.reduce((sum, one) => sum + one, 0), unit: 'KB' },
    },
    { what: 'The package (.vsix)', measured: { value: await kilobytes(vsix), unit: 'KB' }, baseline: { what: 'the limit', value: LIMIT_KB, unit: 'KB' } },
  ];
}

interface Activations {
  readonly sluice: number;
  readonly git: number;
}

/** What *Developer: Show Running Extensions* says, in milliseconds. */
async function activations(page: Page): Promise<Activations> {
  const input = page.locator('.quick-input-widget input.input').first();
  const command = 'Developer: Show Running Extensions';
  await page.keyboard.press('F1');
  await input.fill(`>${command}`);
  await page.locator('.quick-input-list .monaco-list-row').filter({ has: page.getByText(command, { exact: true }) }).first().click();
  const time = (id: RegExp) => until(`the activation time of ${id.source}`, async () => {
    const row = page.locator('.runtime-extensions-editor .monaco-list-row').filter({ has: page.locator('.name', { hasText: id }) }).first();
    const text = await row.locator('.activation-time').innerText({ timeout: 2_000 }).catch(() => '');
    return /(\d+)\s*ms/.exec(text)?.[1];
  }, 20_000).then(Number);
  return { sluice: await time(/^Sluice$/), git: await time(/^Git$/) };
}

async function start(host: string, extensionsTemplate: string, folder: string): Promise<Activations> {
  const [dataDir, workspace] = [join(folder, 'server'), join(folder, 'workspace')];
  await fillWorkspace(workspace, join(root, 'test', 'fixtures', 'sample'));
  await cp(extensionsTemplate, join(dataDir, 'extensions'), { recursive: true });
  await writeUserSettings(dataDir, {});
  const server = await startServer({ host, dataDir });
  try {
    const browser = await launchChromium();
    try {
      const page = await (await browser.newContext({ viewport: { width: 1_280, height: 1_600 } })).newPage();
      await page.goto(server.url(workspace));
      await page.locator('.activitybar a[aria-label^="Sluice"]').first().waitFor({ timeout: 30_000 });
      await page.locator('.part.statusbar .statusbar-item').filter({ hasText: 'coding' }).waitFor({ timeout: 30_000 });
      return await activations(page);
    } finally {
      await Promise.race([browser.close(), new Promise((done) => setTimeout(done, 5_000).unref())]);
    }
  } finally {
    await server.stop();
  }
}

async function activationRow(host: string, extensionsTemplate: string): Promise<Row> {
  const found: Activations[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    const folder = await tempFolder('bench');
    try {
      found.push(await start(host, extensionsTemplate, folder.path));
    } finally {
      await folder.dispose();
    }
  }
  return {
    what: `Activation in the editor, median of ${STARTS} starts`, measured: { value: median(found.map(({ sluice }) => sluice)), unit: 'ms' },
    baseline: { what: 'the built-in Git extension', value: median(found.map(({ git }) => git)), unit: 'ms' },
  };
}

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
const prepared = await prepare();
const folder = await tempFolder('bench');
try {
  const extension = await installedIn(prepared.extensionsTemplate);
  const rows = [...(await sizeRows(extension, process.env['SLUICE_VSIX'] ?? join(root, `sluice-${version}.vsix`))), await loadRow(extension, folder.path)];
  const missing: Missing[] = [];
  await activationRow(prepared.host, prepared.extensionsTemplate).then((row) => rows.push(row), (error: unknown) => {
    missing.push({ what: 'Activation in the editor', why: error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error) });
  });
  report(rows, missing);
} finally {
  await folder.dispose();
  await prepared.dispose();
}
