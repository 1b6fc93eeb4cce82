// @ts-check
/** The titles of tests that cannot run here, read from their sources, so that they are listed as skipped. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @param {string} folder @param {string} ending @returns {Promise<string[]>} */
export async function titlesOf(folder, ending) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(ending)).sort();
  const titles = await Promise.all(names.map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8');
    return [...text.matchAll(/^\s*(?:it|test)(?:\.(?:each|for)\(.*?\))?\(\s*(['"`])(.*?)\1/gm)].map((match) => `${name} > ${match[2]}`);
  }));
  return titles.flat();
}
