/** One launch in a desktop VS Code: `VSCODE_PATH`, an installed one, or the one that test-electron downloads. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { runTests } from '@vscode/test-electron';
import { quietSettings } from '../../../src/build/browser-host.mjs';
import { root } from '../../../src/build/install.mjs';
import { findDesktopEditor } from '../../../src/build/programs.mjs';
import type { LaunchInput, LaunchOutcome } from './browser-launch.ts';

export async function launchOnDesktop(input: LaunchInput): Promise<LaunchOutcome> {
  const userFolder = join(input.dataDir, 'User');
  await mkdir(userFolder, { recursive: true });
  await writeFile(join(userFolder, 'settings.json'), JSON.stringify({ ...quietSettings, ...input.options.userSettings }));
  const editor = findDesktopEditor();
  let log = '';
  const sink = new Writable({ write: (chunk, _encoding, done) => { log += String(chunk); done(); } });
  const code = await runTests({
    ...(editor === undefined ? {} : { vscodeExecutablePath: editor }),
    extensionDevelopmentPath: root,
    extensionTestsPath: input.bundle,
    extensionTestsEnv: { ...input.options.env, ...input.env },
    launchArgs: [input.workspace, '--user-data-dir', input.dataDir, '--extensions-dir', join(input.dataDir, 'extensions'), '--skip-welcome',
      ...(input.options.restricted === true ? [] : ['--disable-workspace-trust']),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    stdout: sink,
    stderr: sink,
  }).catch((error: unknown) => {
    log += String(error);
    return 1;
  });
  return { code, log };
}
