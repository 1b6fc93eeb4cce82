/**
 * What one run of the click-through tests shares: the browser host, and an extensions folder into which the packaged
 * .vsix was installed once. The global setup makes it and hands the paths to the test processes by `provide`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowserHost, installExtension } from '../../../src/build/browser-host.mjs';
import { root } from '../../../src/build/install.mjs';
import { makePackage } from '../../../src/build/package.mjs';
import { createSteps } from '../../../src/build/steps.mjs';
import { tempFolder } from './workspace.ts';

export interface Prepared {
  /** The browser host's folder. */
  readonly host: string;
  /** To be copied, never used in place. */
  readonly extensionsTemplate: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    prepared: Prepared;
  }
}

/** Installs a .vsix into a fresh extensions folder. */
export async function installVsix(host: string, vsix: string, into: string): Promise<string> {
  const extensionsDir = join(into, 'extensions');
  await installExtension({ host, vsix, dataDir: join(into, 'install'), extensionsDir });
  return extensionsDir;
}

/** `SLUICE_VSIX` names a package that was made already; without it one is made now from the sources. */
export async function prepare(): Promise<Prepared & { dispose(): Promise<void> }> {
  const say = createSteps();
  const host = await ensureBrowserHost(say);
  const named = process.env['SLUICE_VSIX'];
  const vsix = named !== undefined && existsSync(named) ? named : await makePackage(say);
  const folder = await tempFolder('prepared');
  const extensionsTemplate = await installVsix(host, vsix, folder.path);
  say(`Installed ${vsix.slice(root.length + 1)} for the click-through tests`);
  return { host, extensionsTemplate, dispose: folder.dispose };
}
