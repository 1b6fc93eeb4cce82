import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime';
import { isInside } from './environment.ts';
import { gitPlaces } from './git-places.ts';

/** Where people keep keys, tokens and passwords, relative to the home folder. Not readable in the sandbox. */
const SECRET_PLACES = [
  '.ssh', '.gnupg', '.aws', '.azure', '.kube', '.oci', '.config/gcloud', '.config/gh', '.config/hub', '.config/glab-cli', '.config/doctl',
  '.netrc', '_netrc', '.git-credentials', '.config/git/credentials', '.npmrc', '.yarnrc.yml', '.pypirc', '.docker', '.config/containers/auth.json',
  '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties',
  '.terraformrc', '.terraform.d', '.vault-token', '.pgpass', '.my.cnf', '.s3cfg', '.boto', '.config/rclone', '.config/op', '.password-store',
  '.local/share/keyrings', '.local/share/kwalletd', '.config/keybase', '.bash_history', '.zsh_history', '.node_repl_history', '.python_history',
  '.mozilla', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.config/microsoft-edge', '.thunderbird',
  '.config/Code', '.config/Code - Insiders', '.config/VSCodium', '.config/Cursor', '.config/Windsurf', '.vscode-server/data', '.local/share/code-server',
  '.claude', '.claude.json', '.codex', '.gemini', '.config/github-copilot', '.config/openai', '.openai', '.anthropic', '.config/anthropic', '.cache/huggingface/token',
  '.npm/_logs', '.claude/debug',
  'Library/Keychains', 'Library/Cookies', 'Library/Application Support/Code', 'Library/Application Support/Cursor',
  'Library/Application Support/Google/Chrome', 'Library/Application Support/Firefox',
] as const;

/**
 * Never writable in a workspace folder, present or not: they configure Sluice, the editor or another agent. A
 * missing folder is named by something inside it: then an empty folder stands in for it while a command runs,
 * which does no harm should it be left behind by a crash; a file in its place would.
 */
const MASKED_FOLDERS = ['.sluice', '.vscode', '.idea', '.claude/commands', '.claude/agents'] as const;
const MASKED_FILES = ['.mcp.json'] as const;
/** Not writable where they exist, at any depth that is looked at. */
const PROTECTED: ReadonlySet<string> = new Set<string>([
  ...MASKED_FOLDERS, ...MASKED_FILES, '.devcontainer', '.husky', '.envrc', '.cursor', '.codex', '.gemini', '.roo', '.windsurf', '.gitconfig', '.gitmodules', '.bashrc', '.bash_profile', '.zshrc', '.zprofile', '.profile', '.ripgreprc',
]);

/** How deep below a folder, and in how many folders, nested repositories and settings are looked for. */
const SCAN_DEPTH = 3;
const SCAN_FOLDERS = 2000;

export interface ConfinementRequest {
  /** Absolute, real. */
  readonly writable: readonly string[];
  /** The run's private folder; writable as well. */
  readonly temp: string;
  readonly home: string | undefined;
  /** More places that must not be readable, absolute: the editor's own data, key stores. */
  readonly hidden: readonly string[];
}

export interface Confinement {
  readonly config: Pick<SandboxRuntimeConfig, 'network' | 'filesystem'>;
  /** False when a folder was too large to look through whole; the first levels are protected all the same. */
  readonly complete: boolean;
  /** Files of git that are missing and must be there to be protected; see `createPointers`. */
  readonly missingPointers: readonly string[];
}

/** Nothing may be reached: no host, no local port, no socket file. */
export const CLOSED_NETWORK: SandboxRuntimeConfig['network'] = { allowedDomains: [], deniedDomains: [] };

/** What one run may touch, in the library's words. Every path is literal: brackets and stars in names are names. */
export async function confinementOf(request: ConfinementRequest): Promise<Confinement> {
  const scans = await Promise.all(request.writable.map(protectedIn));
  const hidden = [...(request.home === undefined ? [] : SECRET_PLACES.map((place) => join(request.home ?? '', place))), ...request.hidden];
  // The library opens these by default; a folder of ours below them stays writable.
  const opened = ['/tmp/claude', '/private/tmp/claude'].filter((path) => ![...request.writable, request.temp].some((folder) => isInside(folder, path)));
  return {
    config: {
      network: CLOSED_NETWORK,
      filesystem: {
        denyRead: hidden.map(literal),
        allowWrite: [...request.writable, request.temp].map(literal),
        denyWrite: [...opened, ...scans.flatMap((scan) => scan.paths)].map(literal),
      },
    },
    complete: scans.every((scan) => scan.complete),
    missingPointers: [...new Set(scans.flatMap((scan) => scan.missingPointers))],
  };
}

function literal(path: string): { path: string; literal: true } {
  return { path, literal: true };
}

interface Scan {
  readonly paths: readonly string[];
  readonly missingPointers: readonly string[];
  readonly complete: boolean;
}

async function protectedIn(folder: string): Promise<Scan> {
  const folders = await Promise.all(MASKED_FOLDERS.map((name) => existingOrInside(join(folder, name))));
  const own = await gitPlaces(join(folder, '.git'));
  const paths = new Set([...folders, ...MASKED_FILES.map((name) => join(folder, name)), ...own.paths]);
  const pointers = [...own.missingPointers];
  let level = [folder];
  let visited = 0;
  for (let depth = 0; depth < SCAN_DEPTH && level.length > 0; depth += 1) {
    const looked = level.slice(0, SCAN_FOLDERS - visited);
    visited += looked.length;
    const listings = await Promise.all(looked.map(async (path) => ({ path, entries: await entriesOf(path) })));
    for (const { path, entries } of listings) {
      for (const found of protectedEntries(path, entries)) paths.add(found);
      if (path === folder || !entries.some((entry) => entry.name === '.git')) continue;
      const nested = await gitPlaces(join(path, '.git'));
      for (const found of nested.paths) paths.add(found);
      pointers.push(...nested.missingPointers);
    }
    if (looked.length < level.length) return { paths: [...paths], missingPointers: pointers, complete: false };
    level = listings.flatMap(({ path, entries }) => entries.filter(isSearched).map((entry) => join(path, entry.name)));
  }
  return { paths: [...paths], missingPointers: pointers, complete: true };
}

/** Anything that is there counts, a link that leads nowhere too. */
async function existingOrInside(path: string): Promise<string> {
  return lstat(path).then(() => path, () => join(path, 'settings'));
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git';
}

function protectedEntries(folder: string, entries: readonly Dirent[]): string[] {
  const found: string[] = [];
  for (const { name } of entries) {
    const path = join(folder, name);
    // Folded, for file systems where another spelling is the same file.
    if (PROTECTED.has(name.toLowerCase()) || name.endsWith('.code-workspace')) found.push(path);
    if (name === '.claude') found.push(join(path, 'commands'), join(path, 'agents'));
  }
  return found;
}
