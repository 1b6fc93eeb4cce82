// @ts-check
/**
 * The cache folder outside the clone. An entry appears by one rename, so a half-made entry is never taken for a
 * finished one, and two that make the same entry at once both succeed.
 */
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';

/** @param {NodeJS.ProcessEnv} [env] @returns {string} */
export function cacheRoot(env = process.env) {
  if (env['SLUICE_CACHE']) return env['SLUICE_CACHE'];
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'sluice');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'sluice');
  if (process.platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'sluice');
  return join(homedir(), '.cache', 'sluice');
}

/** @param {string} path */
export async function exists(path) {
  return stat(path).then(() => true, () => false);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Removes what interrupted runs on this machine left; a partial folder of a living process is left alone.
 * @param {string} root @param {string} prefix
 */
async function removeAbandoned(root, prefix) {
  for (const name of await readdir(root)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length));
    if (Number.isInteger(pid) && pid !== process.pid && isAlive(pid)) continue;
    await rm(join(root, name), { recursive: true, force: true });
  }
}

/**
 * Returns the folder of cache entry `key`, made by `make(folder)` when it is not there yet.
 * @param {string} key @param {(folder: string) => Promise<void>} make
 */
export async function cached(key, make, root = cacheRoot()) {
  const finished = join(root, key);
  if (await exists(finished)) return finished;
  await mkdir(root, { recursive: true });
  const prefix = `.partial-${key}-${hostname()}-`;
  await removeAbandoned(root, prefix);
  const partial = `${join(root, prefix)}${process.pid}`;
  await mkdir(partial, { recursive: true });
  try {
    await make(partial);
    await rename(partial, finished).catch(async (error) => {
      // Someone else finished the same entry first: theirs serves.
      if (!(await exists(finished))) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return finished;
}
