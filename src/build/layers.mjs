// @ts-check
/**
 * The import table: what each part of src may import from. One row a part; a part that is not named here may not
 * exist. `packages` are npm packages; `node:` and `vscode` must be named like packages. Checked by
 * test/unit/architecture.test.ts.
 *
 * @type {Readonly<Record<string, { parts: readonly string[], packages: readonly string[] }>>}
 */
export const LAYERS = Object.freeze({
  core: { parts: ['core'], packages: ['zod', 'canonicalize', 'minimatch', 'diff', 'web-tree-sitter'] },
  guards: { parts: ['core', 'guards'], packages: ['ipaddr.js'] },
  tools: { parts: ['core', 'tools'], packages: ['zod', 'diff'] },
  providers: { parts: ['core', 'providers'], packages: ['openai'] },
  sandbox: { parts: ['core', 'sandbox'], packages: ['node:', '@anthropic-ai/sandbox-runtime', 'minimatch'] },
  surfaces: { parts: ['core', 'surfaces'], packages: ['vscode', 'zod', 'diff', 'node:crypto'] },
  'surfaces/chat/view': { parts: ['core', 'surfaces/chat'], packages: ['lit', 'markdown-it', 'dompurify', 'zod'] },
  host: { parts: ['core', 'host', 'sandbox', 'providers', 'surfaces', 'tools', 'guards'], packages: ['vscode', 'node:', 'zod', 'diff', 'jsonc-parser'] },
  cli: { parts: ['core', 'cli', 'host', 'tools', 'guards'], packages: ['node:', 'zod', 'jsonc-parser'] },
  build: { parts: ['build', 'core', 'guards', '../esbuild.config.mjs'], packages: ['*'] },
});

/** The two wirings: they may import everything and are exempt from the limits on imports and functions. */
export const WIRINGS = Object.freeze(['src/extension.ts', 'src/cli.ts']);

/** Words a file may not be called by: they say nothing about what is inside. */
export const EMPTY_NAMES = /(^|[-.])(manager|helper|helpers|util|utils|service|handler)([-.]|$)/;

export const LIMITS = Object.freeze({ lines: 300, functionLines: 60, imports: 15 });
