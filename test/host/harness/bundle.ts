/**
 * Bundles the test files of a launch for the extension host: out/test/host/<launch>/index.cjs, with `vscode` from
 * the host and Mocha from node_modules. The tests hold their own copy of what they import from src; the running
 * extension is reached by `vscode.extensions.getExtension('sluice.sluice')`.
 */
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundledAs } from '../../../esbuild.config.mjs';
import { root } from '../../../src/build/install.mjs';
import type { Launch } from './launches.ts';

export async function bundleLaunch(launch: Launch): Promise<string> {
  const outfile = join(root, 'out', 'test', 'host', launch.name, 'index.cjs');
  const files = launch.files.map((file) => `[${JSON.stringify(file)}, () => require(${JSON.stringify(`./${file}`)})]`);
  await build({
    stdin: {
      contents: `import { runFiles } from './test/host/harness/in-host.ts';\nexport const run = () => runFiles([${files.join(', ')}]);\n`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true, outfile, absWorkingDir: root, platform: 'node', target: 'node22', format: 'cjs', sourcemap: 'inline',
    external: ['vscode', 'mocha'], alias: bundledAs, logLevel: 'warning',
    define: { 'import.meta.url': '__importMetaUrl' },
    banner: { js: "const __importMetaUrl=require('node:url').pathToFileURL(__filename).href;" },
  });
  return outfile;
}
