// @ts-check
/**
 * From rows of case files to calls of `sluice decide`. The strings of a row are only ever data: they go into JSON.
 *
 * @typedef {{ kind: string, input: any, expect: 'allow' | 'ask' | 'deny' | 'not_allow', note?: string, class?: string, origin?: string }} Row
 * @typedef {{ workspaces: readonly string[], home: string, platform: 'linux' | 'win32', trusted: boolean, settings: Readonly<Record<string, unknown>>,
 *   links: Readonly<Record<string, string>>, hosts: Readonly<Record<string, readonly string[]>> }} World
 * @typedef {{ tool: string, args: unknown, channel?: string, shell?: string }} Call
 */

const ROOT = '/workspace/project';

/** The world that case files mean when they say nothing else. @type {World} */
export const USUAL = Object.freeze({
  workspaces: [ROOT], home: '/home/user', platform: 'linux', trusted: true, links: {}, hosts: {},
  settings: { 'sluice.approval.writes': 'auto', 'sluice.network.policy': 'restricted', 'sluice.network.allowedHosts': ['allowed.test'] },
});

/** The call that a row stands for and the world it stands in; undefined when no tool of ours is meant. @param {Row} row @returns {{ world: World, call: Call } | undefined} */
export function callOf({ kind, input }) {
  if (kind === 'shell') return shellCall(typeof input === 'string' ? { command: input } : input);
  if (kind === 'path') return pathCall(input);
  if (kind === 'url') return addressCall(typeof input === 'string' ? { url: input } : input);
  if (kind === 'tool') return toolCall(input);
  return undefined;
}

/** @param {{ command: string, shell?: string, os?: string, cwd?: string }} input */
function shellCall({ command, shell = 'bash', os = 'linux', cwd }) {
  const windows = os === 'windows';
  const world = { ...USUAL, ...(windows ? { platform: /** @type {const} */ ('win32'), home: 'C:/Users/user' } : {}), ...(cwd?.startsWith('C:') ? { workspaces: [cwd.replaceAll('\\', '/')] } : {}) };
  return { world, call: { tool: 'run_shell', args: cwd === undefined ? { command } : { command, cwd }, shell } };
}

/** @param {{ path: string, op: string, roots?: string[], symlinks?: Record<string, string>, via?: string }} input */
function pathCall({ path, op, roots, symlinks = {}, via }) {
  const world = { ...USUAL, workspaces: roots ?? USUAL.workspaces, links: symlinks };
  const quoted = `'${path.replaceAll("'", "'\\''")}'`;
  if (via !== undefined) return { world, call: { tool: 'run_shell', args: { command: op === 'read' ? `cat -- ${quoted}` : `echo x > ${quoted}` } } };
  if (op === 'delete') return { world, call: { tool: 'run_shell', args: { command: `rm -r -- ${quoted}` } } };
  return { world, call: op === 'write' ? { tool: 'write_file', args: { path, content: 'x\n' } } : { tool: 'read_file', args: { path } } };
}

/** @param {{ url: string, allowedDomains?: string[], deniedDomains?: string[], resolvesTo?: string[] | 'error' }} input */
function addressCall({ url, allowedDomains, deniedDomains, resolvesTo }) {
  const settings = {
    ...USUAL.settings,
    ...(allowedDomains === undefined ? {} : { 'sluice.network.allowedHosts': allowedDomains }),
    ...(deniedDomains === undefined ? {} : { 'sluice.network.deniedHosts': deniedDomains }),
  };
  const name = URL.canParse(url) ? new URL(url).hostname : url;
  const hosts = resolvesTo === undefined ? {} : { [name]: resolvesTo === 'error' ? [] : resolvesTo };
  return { world: { ...USUAL, settings, hosts }, call: { tool: 'web_fetch', args: { url } } };
}

const OURS = new Set(['run_shell', 'run_command', 'read_file', 'write_file', 'edit_file', 'list_directory', 'find_files', 'search_text']);

/** Rows of other engines' rules, modes and tools have no counterpart. @param {any} input */
function toolCall({ tool, args, rules = [], mode, networkMode, workspaceTrusted = true }) {
  if (!OURS.has(tool) || rules.length > 0 || networkMode !== undefined || typeof args !== 'object' || (mode !== undefined && mode !== 'unattended')) return undefined;
  return { world: { ...USUAL, trusted: workspaceTrusted }, call: { tool, args, ...(mode === 'unattended' ? { channel: 'schedule' } : {}) } };
}
