// @ts-check
/**
 * The bundles. `buildAll` makes them once, `watchAll` keeps them fresh; as a program: `node esbuild.config.mjs
 * [--watch] [--package] [--sizes]`.
 *
 *   dist/extension.cjs   the extension host's side (CommonJS; `vscode` stays external)
 *   dist/cli.js          the terminal's side (an ES module, as package.json's "type" says)
 *   dist/chat.js, .css   the chat view, for the browser
 *   dist/<name>.cjs      lazy parts: see `lazyParts`
 *
 * A lazy part is a module that must not be read before it is needed. Name it in `lazyParts` and reach it only by
 * `await import(...)`: the plugin below turns that import into `./<name>.cjs` beside the bundle. A static import of
 * a lazy part (other than `import type`) from an eager bundle fails the build, so that laziness cannot be lost
 * unnoticed. Each bundle has its own copy of what it contains: pass data across, not classes to compare.
 */
import { chmod, cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');

/** Name of the part -> module (a file from the root, or a package). */
export const lazyParts = Object.freeze({
  'openai-chat': './src/providers/openai-chat/index.ts',
  'sandbox-runtime': '@anthropic-ai/sandbox-runtime',
  engine: './src/host/engine.ts',
  'shell-grammar': './src/core/command/grammar.ts',
});

/** The build of jsonc-parser that Node would take requires its parts by a name that no bundler sees. */
export const bundledAs = Object.freeze({ 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' });

/** Folders of sandbox-runtime's `vendor` that we ship. Without `seccomp` it would silently confine less. */
const vendorFolders = ['seccomp'];

/** @typedef {import('esbuild').BuildOptions & { outdir: string }} Bundle */

/** @param {boolean} eager @returns {import('esbuild').Plugin} */
function lazyPlugin(eager) {
  return {
    name: 'lazy-parts',
    setup(builder) {
      /** @type {Promise<Map<string, string>> | undefined} */
      let known;
      const find = async () => {
        const files = new Map();
        for (const [name, module] of Object.entries(lazyParts)) {
          const found = await builder.resolve(module, { kind: 'import-statement', resolveDir: root, pluginData: 'lazy' });
          if (found.errors.length === 0) files.set(found.path, name);
        }
        return files;
      };
      builder.onResolve({ filter: /./ }, async (args) => {
        if (args.pluginData === 'lazy' || args.kind === 'entry-point') return undefined;
        known ??= find();
        const { pluginData: _, path, ...rest } = args;
        const found = await builder.resolve(path, {
          kind: rest.kind, importer: rest.importer, resolveDir: rest.resolveDir, namespace: rest.namespace, with: rest.with, pluginData: 'lazy',
        });
        const name = (await known).get(found.path);
        if (name === undefined) return found;
        if (args.kind === 'dynamic-import') return { path: `./${name}.cjs`, external: true };
        if (!eager) return found;
        return { errors: [{ text: `"${path}" is a lazy part: reach it by await import(), or import only its types` }] };
      });
    },
  };
}

/**
 * zod brings its messages in fifty languages, half of its size and read at every start; ours are English. A
 * bundle that asks for another one fails at build time.
 *
 * @type {import('esbuild').Plugin}
 */
const englishOnly = {
  name: 'english-only',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';", resolveDir: dirname(path), loader: 'js',
    }));
  },
};

/** @param {boolean} forPackage */
export function bundles(forPackage) {
  const shared = {
    bundle: true, absWorkingDir: root, outdir: dist, metafile: true, minify: forPackage, keepNames: forPackage, legalComments: /** @type {const} */ ('none'),
    sourcemap: forPackage ? false : /** @type {const} */ ('linked'), logLevel: /** @type {const} */ ('warning'),
  };
  const node = { ...shared, platform: /** @type {const} */ ('node'), target: 'node22', alias: bundledAs };
  const commonJs = {
    ...node, format: /** @type {const} */ ('cjs'), outExtension: { '.js': '.cjs' }, external: ['vscode'],
    define: { 'import.meta.url': '__importMetaUrl', 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    banner: { js: "const __importMetaUrl=require('node:url').pathToFileURL(__filename).href;" },
  };
  const all = [
    { ...commonJs, entryPoints: { extension: './src/extension.ts' }, plugins: [englishOnly, lazyPlugin(true)] },
    { ...commonJs, entryPoints: lazyParts, plugins: [lazyPlugin(false)] },
    {
      ...node, entryPoints: { cli: './src/cli.ts' }, format: /** @type {const} */ ('esm'), plugins: [englishOnly, lazyPlugin(true)],
      banner: { js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);" },
    },
    {
      ...shared, entryPoints: { chat: './src/surfaces/chat/view/main.ts' }, platform: /** @type {const} */ ('browser'), target: 'chrome138',
      format: /** @type {const} */ ('iife'), loader: { '.ttf': /** @type {const} */ ('file') },
    },
  ];
  return all.map(withoutMissing).filter((bundle) => Object.keys(bundle.entryPoints).length > 0);
}

/**
 * Leaves out entries whose file is not there (an import of one still fails).
 * @template {{ entryPoints: Readonly<Record<string, string>> }} T @param {T} bundle
 */
function withoutMissing(bundle) {
  const present = Object.entries(bundle.entryPoints).filter(([, module]) => !module.startsWith('./') || existsSync(join(root, module)));
  return { ...bundle, entryPoints: Object.fromEntries(present) };
}

/** Files that are shipped as they are. Returns their paths. */
async function copyAssets() {
  const modules = join(root, 'node_modules');
  /** @type {string[]} */
  const copied = [];
  for (const name of ['codicon.css', 'codicon.ttf']) {
    await cp(join(modules, '@vscode', 'codicons', 'dist', name), join(dist, name));
    copied.push(join(dist, name));
  }
  for (const file of ['web-tree-sitter/web-tree-sitter.wasm', '@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm']) {
    const target = join(dist, file.slice(file.lastIndexOf('/') + 1));
    await cp(join(modules, ...file.split('/')), target);
    copied.push(target);
  }
  for (const name of vendorFolders) {
    const from = join(modules, '@anthropic-ai', 'sandbox-runtime', 'vendor', name);
    for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const source = join(entry.parentPath, entry.name);
      // Sources of the programs stay behind; a program has no ending.
      if (entry.name.includes('.')) continue;
      const target = join(dist, 'vendor', name, relative(from, source));
      await mkdir(dirname(target), { recursive: true });
      await cp(source, target);
      await chmod(target, 0o755);
      copied.push(target);
    }
  }
  return copied;
}

/** The sample workspace, which `Sluice: Open the Sample Workspace` copies. */
async function copySample() {
  const from = join(root, 'test', 'fixtures', 'sample');
  /** @type {string[]} */
  const copied = [];
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('.sluice')) continue;
    const target = join(dist, 'sample', relative(from, join(entry.parentPath, entry.name)));
    await mkdir(dirname(target), { recursive: true });
    await cp(join(entry.parentPath, entry.name), target);
    copied.push(target);
  }
  return copied;
}

/** Removes what an earlier build left and this one did not make. @param {Set<string>} keep */
async function prune(keep) {
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !keep.has(path)) await rm(path, { force: true });
  }
}

/** @param {{ forPackage?: boolean }} [options] @returns {Promise<{ file: string, bytes: number }[]>} */
export async function buildAll({ forPackage = false } = {}) {
  await mkdir(dist, { recursive: true });
  const results = await Promise.all(bundles(forPackage).map((bundle) => build(bundle)));
  const made = results.flatMap((result) => Object.keys(result.metafile?.outputs ?? {})).map((path) => resolve(root, path));
  const files = [...made, ...(await copyAssets()), ...(await copySample())];
  await prune(new Set(files));
  return Promise.all(files.map(async (path) => ({ file: relative(root, path), bytes: (await stat(path)).size })));
}

async function watchAll() {
  await copyAssets();
  await copySample();
  await Promise.all(bundles(false).map(async (bundle) => (await context({ ...bundle, logLevel: 'info' })).watch()));
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--watch')) {
    await mkdir(dist, { recursive: true });
    await watchAll();
  } else {
    const files = await buildAll({ forPackage: process.argv.includes('--package') });
    if (process.argv.includes('--sizes')) for (const { file, bytes } of files) console.log(`${(bytes / 1024).toFixed(1).padStart(9)} KB  ${file}`);
  }
}
