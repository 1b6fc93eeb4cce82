// @ts-check
/**
 * Puts the built extension into an extensions folder as an installed one, without packing: a development extension
 * of the browser host would draw no toasts.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exists } from './cache.mjs';
import { root } from './install.mjs';

const shipped = ['package.json', 'package.nls.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'dist', 'media', 'l10n'];

/** @param {string} extensionsDir */
export async function placeExtension(extensionsDir) {
  const { publisher, name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const folderName = `${publisher}.${name}-${version}`;
  const folder = join(extensionsDir, folderName);
  await mkdir(folder, { recursive: true });
  for (const part of shipped) {
    if (await exists(join(root, part))) await cp(join(root, part), join(folder, part), { recursive: true });
  }
  const location = { $mid: 1, path: pathToFileURL(folder).pathname, scheme: 'file' };
  const entry = { identifier: { id: `${publisher}.${name}` }, version, location, relativeLocation: folderName };
  await writeFile(join(extensionsDir, 'extensions.json'), JSON.stringify([entry]));
}
