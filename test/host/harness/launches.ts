/**
 * The launches of the in-host tests. Test files right in test/host share one launch: the sample workspace, trusted.
 * A folder with a launch.json gets a launch of its own over the test files in it:
 *
 *   { "restricted": true, "userSettings": { ... }, "env": { ... },
 *     "workspace": "test/fixtures/other", "files": { ".vscode/settings.json": "{}" } }
 *
 * Every field is optional; `files` are written over the copy of `workspace`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../src/build/install.mjs';

export interface LaunchOptions {
  readonly restricted?: boolean;
  readonly userSettings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly workspace?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export interface Launch {
  readonly name: string;
  /** Test files, from the root. */
  readonly files: readonly string[];
  readonly options: LaunchOptions;
}

const testFolder = 'test/host';

function testFiles(folder: string): string[] {
  return readdirSync(join(root, folder)).filter((name) => name.endsWith('.test.ts')).sort().map((name) => `${folder}/${name}`);
}

export function findLaunches(): Launch[] {
  const launches: Launch[] = [{ name: 'main', files: testFiles(testFolder), options: {} }];
  for (const entry of readdirSync(join(root, testFolder), { withFileTypes: true })) {
    const folder = `${testFolder}/${entry.name}`;
    const description = join(root, folder, 'launch.json');
    if (!entry.isDirectory() || !existsSync(description)) continue;
    launches.push({ name: entry.name, files: testFiles(folder), options: JSON.parse(readFileSync(description, 'utf8')) as LaunchOptions });
  }
  return launches.filter((launch) => launch.files.length > 0);
}
