import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The parser's runtime and one grammar, from the installed packages. Development and tests only. */
export async function grammarBytes(language = 'bash') {
  const [runtime, grammar] = await Promise.all([
    readFile(require.resolve('web-tree-sitter/web-tree-sitter.wasm')),
    readFile(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`)),
  ]);
  return { runtime, grammar };
}
