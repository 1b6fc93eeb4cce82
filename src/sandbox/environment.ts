import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';

/** A program that says why it fails; git hands the words to a shell. */
const NO_EDITOR = 'echo "No editor can open here; pass the text as an option, for example -m." >&2; false';

/** Variables a command may see, by exact name. Everything else of the editor's environment stays behind. */
const PASSED = new Set([
  'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TZDIR', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME',
  'NVM_DIR', 'NVM_BIN', 'VOLTA_HOME', 'FNM_DIR', 'N_PREFIX', 'PNPM_HOME', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR',
  'JAVA_HOME', 'JDK_HOME', 'MAVEN_HOME', 'M2_HOME', 'GRADLE_HOME', 'GRADLE_USER_HOME', 'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'SDKMAN_DIR',
  'GOPATH', 'GOROOT', 'GOBIN', 'GOCACHE', 'GOMODCACHE', 'CARGO_HOME', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN',
  'PYENV_ROOT', 'PYENV_VERSION', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'CONDA_DEFAULT_ENV', 'RBENV_ROOT', 'GEM_HOME', 'GEM_PATH',
  'DOTNET_ROOT', 'NIX_PATH', 'NIX_PROFILES', 'SSL_CERT_FILE', 'NIX_SSL_CERT_FILE',
  'SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'ProgramFiles', 'ProgramData',
]);

/**
 * What is the same for every command: no colours, no pager, no editor, no question on a terminal. `CI` is not
 * set on purpose: it changes what builds do (frozen lock files, unwritten snapshots), not only how they talk.
 */
const FIXED: Readonly<Record<string, string>> = {
  TERM: 'dumb', NO_COLOR: '1', PAGER: 'cat', MANPAGER: 'cat', GIT_PAGER: 'cat',
  GIT_EDITOR: NO_EDITOR, GIT_SEQUENCE_EDITOR: NO_EDITOR, EDITOR: 'false', VISUAL: 'false',
  GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'false', SSH_ASKPASS: 'false', SSH_ASKPASS_REQUIRE: 'never',
};

export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** The search path programs are resolved on, in order. */
  readonly path: readonly string[];
}

/** True when `path` is `folder` or lies in it. Both absolute. */
export function isInside(path: string, folder: string): boolean {
  const base = folder.endsWith(sep) ? folder : folder + sep;
  return path === folder || path.startsWith(base);
}

/** The real path, or the path itself when it does not exist or cannot be followed. */
export function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Entries of PATH that a repository cannot fill: absolute, and outside `folders` as written and as resolved. */
export function fixedPath(path: string | undefined, folders: readonly string[]): string[] {
  const entries = (path ?? '').split(delimiter).filter((entry) => isAbsolute(entry));
  const outside = entries.filter((entry) => !folders.some((folder) => isInside(resolve(entry), folder) || isInside(realOrSame(entry), folder)));
  return [...new Set(outside)];
}

/**
 * The environment of a command: an allow-list of `source`, never all but a few. `temp` is its private folder;
 * `folders` are the workspace folders, whose entries leave the search path.
 */
export function commandEnvironment(source: NodeJS.ProcessEnv, temp: string, folders: readonly string[]): CommandEnvironment {
  const kept = Object.entries(source).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    return value !== undefined && (PASSED.has(name) || /^LC_[A-Z]+$/.test(name));
  });
  const path = fixedPath(source['PATH'] ?? source['Path'], folders);
  const env = { ...Object.fromEntries(kept), ...FIXED, PATH: path.join(delimiter), TMPDIR: temp, TMP: temp, TEMP: temp };
  return { env, path };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The absolute path of a program: a bare name on the fixed search path, a name with a slash relative to `cwd`.
 * Undefined when there is none.
 */
export function resolveProgram(program: string, cwd: string, path: readonly string[], platform: NodeJS.Platform): string | undefined {
  if (program === '' || program.includes('\0')) return undefined;
  const explicit = program.includes('/') || (platform === 'win32' && program.includes('\\'));
  const places = explicit ? [resolve(cwd, program)] : path.map((entry) => join(entry, program));
  const endings = platform === 'win32' ? ['', '.exe', '.com'] : [''];
  return places.flatMap((place) => endings.map((ending) => place + ending)).find(isProgram);
}
