// @ts-check
/** Builds for shipping and packs `sluice-<version>.vsix` in the root. The file appears by one rename, whole. */
import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMain, prepareRuntime, root } from './install.mjs';
import { run } from './processes.mjs';
import { createSteps } from './steps.mjs';

const limitBytes = 8 * 1024 * 1024;

/** @param {import('./steps.mjs').Say} say @returns {Promise<string>} the .vsix */
export async function makePackage(say) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  say('Building for the package');
  const { buildAll } = await import('../../esbuild.config.mjs');
  await buildAll({ forPackage: true });
  const vsix = join(root, `sluice-${version}.vsix`);
  const partial = join(root, `.${process.pid}.vsix`);
  say(`Packing sluice-${version}.vsix`);
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [vsce, 'package', '--no-dependencies', '--no-rewrite-relative-links', '--allow-missing-repository', '--out', partial];
  try {
    const result = await run(process.execPath, args, { cwd: root });
    if (result.code !== 0) throw new Error(`vsce failed:\n${result.output}`);
    const { size } = await stat(partial);
    if (size > limitBytes) throw new Error(`The package has ${size} bytes; the limit is ${limitBytes}.`);
    await rename(partial, vsix);
    say(`sluice-${version}.vsix: ${(size / 1024 / 1024).toFixed(2)} MB`);
    return vsix;
  } finally {
    await rm(partial, { force: true });
  }
}

if (isMain(import.meta.url)) {
  const say = createSteps();
  await prepareRuntime(say);
  await makePackage(say);
}
