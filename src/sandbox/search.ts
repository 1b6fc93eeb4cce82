import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, posix, relative, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { Minimatch } from 'minimatch';
import type { Bounded, Match, TextQuery } from '../core/ports.ts';
import { fixedPath, resolveProgram } from './environment.ts';

export interface SearchOptions {
  /** Where ripgrep may be, best first: absolute paths, or a bare name for the search path. */
  readonly candidates: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface SearchScope {
  /** The workspace folder results are relative to; absolute, real. */
  readonly folder: string;
  /** Where to look: the folder, or a folder or file in it; absolute, real. */
  readonly root: string;
  /** Most results. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** A last word on each path before it counts: the same rules as for reading a file. */
  readonly accept?: ((path: string) => boolean) | undefined;
}

/**
 * Looks through files as they are on the disk. Hidden files are included, `.gitignore` and its like are
 * respected, `.git` is never entered, links are not followed, files above 5 MB are not searched.
 */
export interface Search {
  /** Paths that match a glob, in order. A glob without `/` matches names at any depth, else paths from `root`. */
  findFiles(glob: string, scope: SearchScope): Promise<Bounded<string>>;
  searchText(query: TextQuery, scope: SearchScope): Promise<Bounded<Match>>;
}

/** A search is cut, and says so, after so many milliseconds or bytes of answers. */
const TIME_LIMIT_MS = 20_000;
const BYTES_LIMIT = 64 * 1024 * 1024;
/** Longest line of a match, in UTF-16 units. */
const TEXT_LIMIT = 500;

const COMMON = ['--no-config', '--hidden', '--no-follow', '--no-messages', '--glob=!**/.git', '--sort=path'] as const;

/** The functions reject when ripgrep is missing, the pattern or the glob is not valid, or the signal aborts. */
export function createSearch(options: SearchOptions): Search {
  const path = fixedPath(options.env['PATH'] ?? options.env['Path'], []);

  function program(): string {
    const found = options.candidates
      .map((candidate) => (isAbsolute(candidate) || !candidate.includes('/') ? resolveProgram(candidate, '/', path, process.platform) : undefined))
      .find((file) => file !== undefined);
    if (found === undefined) throw new Error('Files cannot be searched: ripgrep (rg) is missing. Install it and try again.');
    return found;
  }

  return {
    async findFiles(glob, scope) {
      const matches = globTest(glob);
      const place = await placeOf(scope);
      const items: string[] = [];
      const truncated = await run(program(), ['--files', ...COMMON, '--', place.argument], place.cwd, scope.signal, (line) => {
        const found = posix.normalize(line.replaceAll('\\', '/'));
        if (!matches(found)) return 'more';
        return collect(items, scope, place.prefix + found, (shown) => shown);
      });
      return { items, truncated };
    },
    async searchText(query, scope) {
      const matches = query.include === undefined ? () => true : globTest(query.include);
      const place = await placeOf(scope);
      const items: Match[] = [];
      const how = [query.caseSensitive ? '--case-sensitive' : '--ignore-case', ...(query.regex ? [] : ['--fixed-strings'])];
      const args = ['--json', ...COMMON, '--max-filesize=5M', ...how, `--regexp=${query.pattern}`, '--', place.argument];
      const truncated = await run(program(), args, place.cwd, scope.signal, (line) => {
        const hit = parseHit(line);
        if (hit === undefined || !matches(hit.path)) return 'more';
        return collect(items, scope, place.prefix + hit.path, (shown) => ({ path: shown, line: hit.line, text: hit.text }));
      });
      return { items, truncated };
    },
  };
}

/** Adds one result, or reports that there is one more than may be. */
function collect<T>(items: T[], scope: SearchScope, path: string, make: (path: string) => T): 'more' | 'enough' {
  if (scope.accept !== undefined && !scope.accept(path)) return 'more';
  if (items.length >= scope.limit) return 'enough';
  items.push(make(path));
  return 'more';
}

/**
 * Globs are matched here, not by ripgrep: there an include overrides `.gitignore`. Extended globs are off,
 * as they can take exponential time.
 */
function globTest(glob: string): (path: string) => boolean {
  const pattern = glob.replace(/^\.\//, '');
  if (pattern === '' || pattern.startsWith('!') || pattern.length > 1000) throw new Error(`The glob ${JSON.stringify(glob)} is not one that can be matched.`);
  const matcher = new Minimatch(pattern, { dot: true, matchBase: true, nocomment: true, nonegate: true, noext: true });
  return (path) => matcher.match(path);
}

interface Place {
  readonly cwd: string;
  readonly argument: string;
  /** From the workspace folder to `cwd`, with a slash at its end unless empty. */
  readonly prefix: string;
}

async function placeOf(scope: SearchScope): Promise<Place> {
  const isFile = (await stat(scope.root)).isFile();
  const cwd = isFile ? dirname(scope.root) : scope.root;
  const between = relative(scope.folder, cwd).split(sep).join('/');
  if (between.startsWith('..') || isAbsolute(between)) throw new Error('The place to search lies outside the workspace folder.');
  return { cwd, argument: isFile ? `./${basename(scope.root)}` : './', prefix: between === '' ? '' : `${between}/` };
}

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** ripgrep gives text, or base64 where the bytes are not UTF-8. */
type Text = { readonly text?: string; readonly bytes?: string };

function parseHit(line: string): Hit | undefined {
  const message = JSON.parse(line) as { type: string; data: { path?: Text; lines?: Text; line_number?: number | null } };
  if (message.type !== 'match') return undefined;
  const { path, lines, line_number: number } = message.data;
  const text = textOf(lines).replace(/\r?\n[\s\S]*$/, '');
  const clipped = text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}...`.toWellFormed() : text;
  return { path: posix.normalize(textOf(path).replaceAll('\\', '/')), line: number ?? 0, text: clipped };
}

function textOf(text: Text | undefined): string {
  return text?.text ?? Buffer.from(text?.bytes ?? '', 'base64').toString('utf8');
}

/** Resolves with whether something cut the answers: the limit, the time, the bytes. */
async function run(file: string, args: readonly string[], cwd: string, signal: AbortSignal, onLine: (line: string) => 'more' | 'enough'): Promise<boolean> {
  signal.throwIfAborted();
  const child = spawn(file, [...args], { cwd, env: {}, shell: false, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  let cut = false;
  const stop = (): void => { child.kill('SIGKILL'); };
  const cutOff = (): void => {
    cut = true;
    stop();
  };
  const timer = setTimeout(cutOff, TIME_LIMIT_MS);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const problem = await readAll(child, onLine, cutOff);
    signal.throwIfAborted();
    if (!cut && problem !== undefined) throw new Error(problem);
    return cut;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Resolves when ripgrep has ended, with what it complained about. */
function readAll(child: ChildProcess, onLine: (line: string) => 'more' | 'enough', cutOff: () => void): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let complaint = '';
    let bytes = 0;
    let enough = false;
    child.once('error', (error) => { reject(new Error(`ripgrep could not be started: ${error.message}`)); });
    child.stderr?.on('data', (chunk: Buffer) => { complaint = (complaint + chunk.toString()).slice(0, 1000); });
    if (child.stdout === null) return;
    const lines = createInterface({ input: child.stdout, crlfDelay: Infinity });
    lines.on('line', (line) => {
      bytes += line.length;
      if (enough || (onLine(line) === 'more' && bytes < BYTES_LIMIT)) return;
      enough = true;
      cutOff();
    });
    let code: number | null = null;
    let waiting = 2;
    const done = (): void => {
      waiting -= 1;
      if (waiting === 0) resolve(code === 2 ? `The search failed: ${complaint.trim() || 'ripgrep reported an error'}` : undefined);
    };
    lines.once('close', done);
    child.once('close', (ended) => {
      code = ended;
      done();
    });
  });
}
