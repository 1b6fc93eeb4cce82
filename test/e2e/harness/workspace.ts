/** Temporary folders for a run, and workspaces made in them. All are removed by `dispose`. */
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** File name (with `/`) to content. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface TempFolder {
  readonly path: string;
  dispose(): Promise<void>;
}

export async function tempFolder(name: string): Promise<TempFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), `sluice-${name}-`)));
  return { path, dispose: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) };
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, ...name.split('/'));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** Makes `target`: a copy of the folder `source`, or just the given files. */
export async function fillWorkspace(target: string, source: string | Files): Promise<void> {
  await mkdir(target, { recursive: true });
  if (typeof source === 'string') await cp(source, target, { recursive: true });
  else await writeFiles(target, source);
}
