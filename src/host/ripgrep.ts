import { join } from 'node:path';
import { createSearch } from '../sandbox/search.ts';
import type { SearchPort } from './searching.ts';

/** The editor's own ripgrep where its versions keep it, then one on the search path. */
function candidatesIn(appRoot: string): readonly string[] {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const inside = [
    ['node_modules', '@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`],
    ['node_modules', '@vscode', 'ripgrep', 'bin'],
    ['node_modules.asar.unpacked', '@vscode', 'ripgrep', 'bin'],
  ].map((parts) => join(appRoot, ...parts, name));
  return [...inside, 'rg'];
}

export function ripgrepSearch(appRoot: string, env: NodeJS.ProcessEnv): SearchPort {
  return createSearch({ candidates: candidatesIn(appRoot), env });
}
