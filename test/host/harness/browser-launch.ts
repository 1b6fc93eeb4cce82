/** One launch in the browser host: server with the test driver, page with the payload, until the host says it is done. */
import { join } from 'node:path';
import { ensureBrowserHost, startServer, writeUserSettings, type Server } from '../../../src/build/browser-host.mjs';
import { root } from '../../../src/build/install.mjs';
import { createSteps } from '../../../src/build/steps.mjs';
import { launchChromium } from '../../e2e/harness/chromium.ts';
import type { LaunchOptions } from './launches.ts';

export interface LaunchInput {
  readonly bundle: string;
  readonly workspace: string;
  /** An empty folder for the editor's data. */
  readonly dataDir: string;
  readonly options: LaunchOptions;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface LaunchOutcome {
  readonly code: number;
  readonly log: string;
}

export async function launchInBrowser(input: LaunchInput): Promise<LaunchOutcome> {
  const host = await ensureBrowserHost(createSteps());
  await writeUserSettings(input.dataDir, { ...input.options.userSettings });
  const server = await startServer({
    host, dataDir: input.dataDir, driver: true, trusted: input.options.restricted !== true, env: { ...input.options.env, ...input.env },
  });
  try {
    return await lookAt(server, input);
  } finally {
    await server.stop();
  }
}

async function lookAt(server: Server, input: LaunchInput): Promise<LaunchOutcome> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const lines: string[] = [];
    await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
      lines.push(`[${type}] ${args.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' ')}`);
    });
    const ended = new Promise<number>((resolve) => {
      void page.exposeFunction('codeAutomationExit', (code: number) => resolve(code)).then(() => page.goto(address(server, input)));
      setTimeout(() => resolve(124), input.timeoutMs).unref();
    });
    const code = await ended;
    if (code === 124) lines.push(`No end after ${input.timeoutMs} ms.`, server.log());
    return { code, log: lines.join('\n') };
  } finally {
    await Promise.race([browser.close(), new Promise((done) => setTimeout(done, 10_000).unref())]);
  }
}

function address(server: Server, input: LaunchInput): string {
  const remote = (path: string) => `vscode-remote://127.0.0.1:${server.port}${path}`;
  const payload = [
    ['extensionDevelopmentPath', remote(root)],
    ['extensionTestsPath', remote(join(input.bundle))],
    ['enableProposedApi', ''],
    ['skipWelcome', 'true'],
  ];
  return server.url(input.workspace, { payload: JSON.stringify(payload) });
}
