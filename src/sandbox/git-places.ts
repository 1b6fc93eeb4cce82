import { existsSync, lstatSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isInside } from './environment.ts';

/** How deep below `.git/modules` and in how many folders the repositories of submodules are looked for. */
const MODULE_DEPTH = 4;
const MODULE_FOLDERS = 500;
/** Most characters of a git configuration that are searched for the folder of its hooks. */
const CONFIG_LIMIT = 262_144;

export interface GitPlaces {
  /** What git runs or obeys: hooks and configuration, also of submodules and other work trees. */
  readonly paths: readonly string[];
  /** `commondir` files that are missing: whoever makes one gives git another configuration and other hooks. */
  readonly missingPointers: readonly string[];
}

/**
 * What a command must not write in one `.git`. A `.git` that is a file points elsewhere and is protected whole; a
 * missing one must not come about with hooks.
 */
export async function gitPlaces(dotGit: string): Promise<GitPlaces> {
  const found = await stat(dotGit).catch(() => undefined);
  if (found?.isFile() === true) return { paths: [dotGit], missingPointers: [] };
  const own = [join(dotGit, 'hooks'), join(dotGit, 'config')];
  if (!(await isRepository(dotGit))) return { paths: own, missingPointers: [] };
  const paths = [...own, ...(await worktreePlaces(dotGit)), ...(await chosenHooks(dotGit))];
  const missingPointers: string[] = [];
  for (const folder of [dotGit, ...(await modulesIn(join(dotGit, 'modules')))]) {
    if (folder !== dotGit) paths.push(join(folder, 'hooks'), join(folder, 'config'));
    paths.push(join(folder, 'config.worktree'), join(folder, 'commondir'));
    if (!existsSync(join(folder, 'commondir'))) missingPointers.push(join(folder, 'commondir'));
  }
  return { paths, missingPointers };
}

/** A folder of its own, not a link to one: in a link's target nothing is put. */
async function isRepository(folder: string): Promise<boolean> {
  const [own, head, objects] = await Promise.all(['.', 'HEAD', 'objects'].map((name) => lstat(name === '.' ? folder : join(folder, name)).catch(() => undefined)));
  return own?.isDirectory() === true && head?.isFile() === true && objects?.isDirectory() === true;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}

/** Names of submodules may hold slashes, so their repositories lie at any depth. */
async function modulesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  let level = await foldersIn(folder);
  let looked = 0;
  for (let depth = 0; depth < MODULE_DEPTH && level.length > 0 && looked < MODULE_FOLDERS; depth += 1) {
    const next: string[] = [];
    for (const path of level.slice(0, MODULE_FOLDERS - looked)) {
      looked += 1;
      if (await isRepository(path)) {
        found.push(path);
        next.push(...(await foldersIn(join(path, 'modules'))));
      } else next.push(...(await foldersIn(path)));
    }
    level = next;
  }
  return found;
}

async function worktreePlaces(dotGit: string): Promise<string[]> {
  const trees = (await foldersIn(join(dotGit, 'worktrees'))).slice(0, MODULE_FOLDERS);
  return trees.flatMap((tree) => ['commondir', 'gitdir', 'config.worktree'].map((name) => join(tree, name)));
}

/** Where `core.hooksPath` of the repository leads, when that is a place in its work tree that exists. */
async function chosenHooks(dotGit: string): Promise<string[]> {
  const config = (await readFile(join(dotGit, 'config'), 'utf8').catch(() => '')).slice(0, CONFIG_LIMIT);
  const tree = resolve(dotGit, '..');
  const named = [...config.matchAll(/^[ \t]*hookspath[ \t]*=[ \t]*"?([^"\r\n]+?)"?[ \t]*$/gim)].map((match) => resolve(tree, match[1] ?? ''));
  return named.filter((path) => path !== tree && isInside(path, tree) && existsSync(path));
}

/** Says "the common folder is this one": true of every repository that has no such file, so git works as before. */
const POINTER_TEXT = '.\n';

/** Stands in for missing `commondir` files while commands run, so that they can be protected like any other file. */
export interface Pointers {
  /** Puts files where there are none. The result takes them away again, once nobody else needs them. */
  hold(paths: readonly string[]): () => void;
}

export function createPointers(): Pointers {
  const held = new Map<string, number>();
  return {
    hold(paths) {
      const ours = paths.filter((path) => held.has(path) || put(path));
      for (const path of ours) held.set(path, (held.get(path) ?? 0) + 1);
      return () => {
        for (const path of ours.splice(0)) {
          const left = (held.get(path) ?? 1) - 1;
          if (left > 0) held.set(path, left);
          else {
            held.delete(path);
            takeAway(path);
          }
        }
      };
    },
  };
}

function put(path: string): boolean {
  try {
    writeFileSync(path, POINTER_TEXT, { flag: 'wx' });
    return true;
  } catch {
    // Made by somebody else meanwhile, or not writable: then a command cannot make it either.
    return false;
  }
}

function takeAway(path: string): void {
  try {
    if (lstatSync(path).isFile() && readFileSync(path, 'utf8') === POINTER_TEXT) unlinkSync(path);
  } catch {
    // Gone already. One that stays says what is true without it.
  }
}
