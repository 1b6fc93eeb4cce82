// @ts-check
/** Finds programs that are already on the machine. Finds only; installs nothing. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** @param {string} path */
function isRunnable(path) {
  try {
    if (!statSync(path).isFile()) return false;
    accessSync(path, process.platform === 'win32' ? constants.F_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name @param {NodeJS.ProcessEnv} [env] @returns {string | undefined} */
export function onPath(name, env = process.env) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    for (const ending of endings) {
      const candidate = join(folder, name + ending);
      if (isRunnable(candidate)) return candidate;
    }
  }
  return undefined;
}

/** Chromium builds that Playwright installed for someone else, newest first. */
function playwrightChromium() {
  const root = process.env['PLAYWRIGHT_BROWSERS_PATH'] ?? {
    darwin: join(homedir(), 'Library', 'Caches', 'ms-playwright'),
    win32: join(process.env['LOCALAPPDATA'] ?? '', 'ms-playwright'),
  }[/** @type {string} */ (process.platform)] ?? join(homedir(), '.cache', 'ms-playwright');
  const inside = ['chrome-linux/chrome', 'chrome-linux64/chrome', 'chrome-win/chrome.exe', 'chrome-win64/chrome.exe',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium', 'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing'];
  /** @type {string[]} */
  let folders;
  try {
    folders = readdirSync(root).filter((name) => name.startsWith('chromium-')).sort().reverse();
  } catch {
    return [];
  }
  return folders.flatMap((folder) => inside.map((path) => join(root, folder, path)));
}

const browserPlaces = {
  darwin: ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => [
    join(process.env[name] ?? '', 'Google', 'Chrome', 'Application', 'chrome.exe'),
    join(process.env[name] ?? '', 'Microsoft', 'Edge', 'Application', 'msedge.exe')]),
};

/**
 * A Chromium for the click-through tests: CHROMIUM_PATH, then the PATH, then the usual places, then Playwright's.
 * @returns {string | undefined}
 */
export function findChromium() {
  const asked = process.env['CHROMIUM_PATH'];
  if (asked) return isRunnable(asked) ? asked : undefined;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']) {
    const found = onPath(name);
    if (found) return found;
  }
  const places = browserPlaces[/** @type {'darwin' | 'win32'} */ (process.platform)] ?? [];
  return [...places, ...playwrightChromium()].find(isRunnable);
}

const editorPlaces = {
  darwin: ['/Applications/Visual Studio Code.app/Contents/MacOS/Code', '/Applications/Visual Studio Code.app/Contents/MacOS/Electron',
    join(homedir(), 'Applications/Visual Studio Code.app/Contents/MacOS/Electron'), '/Applications/VSCodium.app/Contents/MacOS/VSCodium'],
  win32: [join(process.env['LOCALAPPDATA'] ?? '', 'Programs', 'Microsoft VS Code', 'Code.exe'),
    join(process.env['PROGRAMFILES'] ?? '', 'Microsoft VS Code', 'Code.exe')],
  linux: ['/usr/share/code/code', '/opt/visual-studio-code/code', '/usr/share/codium/codium', '/snap/code/current/usr/share/code/code'],
};

/**
 * A desktop VS Code: VSCODE_PATH, then the usual places, then `code` on the PATH. The places come first because
 * they name the program itself; the launcher on the PATH returns before the window closes.
 * @returns {string | undefined}
 */
export function findDesktopEditor() {
  const asked = process.env['VSCODE_PATH'];
  if (asked) return isRunnable(asked) ? asked : undefined;
  const places = editorPlaces[/** @type {'darwin' | 'win32' | 'linux'} */ (process.platform)] ?? [];
  return places.find(isRunnable) ?? onPath('code') ?? onPath('codium');
}
