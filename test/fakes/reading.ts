import path from 'node:path';
import type { CommandResource, FileChange, PathOperation, PathResource } from '../../src/core/call.ts';
import { StaleBase, type CommandResult, type Effects, type Reading } from '../../src/core/ports.ts';
import { isRefusal, type Refusal } from '../../src/core/refusal.ts';
import type { Resolution, Tool, ToolResult } from '../../src/core/tool.ts';
import { decodeText, digestBytes, encodeText } from '../../src/host/encoding.ts';

/** A workspace in memory: `/w` is the only folder. Paths in `files` are absolute or relative to it. */
export interface World {
  readonly reading: Reading;
  readonly effects: Effects;
  /** Bytes by absolute path. */
  readonly files: Map<string, Buffer>;
  /** Unsaved editor texts by absolute path; what is here wins over `files`. */
  readonly unsaved: Map<string, string>;
  readonly commands: CommandResource[];
  readonly questions: string[];
}

export interface WorldOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly result?: Partial<CommandResult>;
  readonly answer?: string | undefined;
  readonly overrides?: Partial<Effects>;
}

const FOLDER = '/w';

export function createWorld(options: WorldOptions = {}): World {
  const files = new Map(Object.entries(options.files ?? {}).map(([name, content]) => [path.posix.resolve(FOLDER, name), Buffer.from(content as string)]));
  const unsaved = new Map<string, string>();
  const commands: CommandResource[] = [];
  const questions: string[] = [];
  const reading: Reading = {
    locate: (asked, operation) => Promise.resolve(locate(files, asked, operation)),
    digestText: (text, encoding) => digestBytes(encodeText(text, encoding)),
    readText: ({ real, asked, fileKind }) => {
      if (fileKind === 'directory') return Promise.resolve({ problem: 'directory', message: `${asked} is a directory; list_directory shows it.` });
      const bytes = files.get(real);
      if (bytes === undefined) return Promise.resolve({ problem: 'missing', message: `${asked} does not exist.` });
      const decoded = decodeText(bytes);
      if (typeof decoded === 'string') return Promise.resolve({ problem: decoded, message: `${asked} is ${decoded}.` });
      const text = unsaved.get(real);
      if (text === undefined) return Promise.resolve({ ...decoded, digest: digestBytes(bytes), bytes: bytes.length, source: 'disk' as const });
      const encoded = encodeText(text, decoded.encoding);
      return Promise.resolve({ text, encoding: decoded.encoding, digest: digestBytes(encoded), bytes: encoded.length, source: 'editor' as const });
    },
  };
  const effects: Effects = {
    ...reading,
    listDirectory: () => Promise.resolve({ items: [], truncated: false }),
    findFiles: () => Promise.resolve({ items: [], truncated: false }),
    searchText: () => Promise.resolve({ items: [], truncated: false }),
    readProblems: () => Promise.resolve({ items: [], truncated: false }),
    applyChanges: async (changes) => {
      for (const change of changes) await apply(change, reading, files, unsaved);
    },
    runCommand: (command) => {
      commands.push(command);
      return Promise.resolve({
        end: 'exited', exitCode: 0, signal: undefined, output: '', droppedBytes: 0, durationMs: 1_200, confined: true, note: undefined, ...options.result,
      });
    },
    askPerson: (question) => {
      questions.push(question);
      return Promise.resolve(options.answer);
    },
    ...options.overrides,
  };
  return { reading, effects, files, unsaved, commands, questions };
}

function locate(files: Map<string, Buffer>, asked: string, operation: PathOperation): PathResource {
  const real = path.posix.resolve(FOLDER, asked);
  const relative = path.posix.relative(FOLDER, real);
  const inside = relative !== '..' && !relative.startsWith('../');
  const directory = real === FOLDER || [...files.keys()].some((name) => name.startsWith(`${real}/`));
  return {
    kind: 'path', operation, asked, real, relative: inside ? relative : undefined, folder: inside ? FOLDER : undefined, linked: false,
    fileKind: files.has(real) ? 'file' : directory ? 'directory' : 'missing',
  };
}

async function apply(change: FileChange, reading: Reading, files: Map<string, Buffer>, unsaved: Map<string, string>): Promise<void> {
  const now = await reading.readText(change.path);
  const digest = 'problem' in now ? 'absent' : now.digest;
  if (digest !== change.baseDigest) throw new StaleBase(change.path.asked);
  files.set(change.path.real, encodeText(change.after, change.encoding));
  unsaved.delete(change.path.real);
}

export const DEFAULTS = { commandTimeoutMs: 120_000, maxCommandTimeoutMs: 600_000 };

/** Stages 2 and 3 for one tool; throws when the arguments do not parse. */
export async function resolveWith(tool: Tool, args: unknown, world: World): Promise<Resolution | Refusal> {
  return tool.resolve(tool.schema.parse(args), { reading: world.reading, defaults: DEFAULTS });
}

/** Resolve and run as an allowed call would; a refusal is thrown as an error with its text. */
export async function allow(tool: Tool, args: unknown, world: World): Promise<ToolResult> {
  const resolution = await resolveWith(tool, args, world);
  if (isRefusal(resolution)) throw new Error(`${resolution.code}: ${resolution.forModel}`);
  return tool.run(tool.schema.parse(args), resolution, world.effects);
}

/** The refusal's text; throws when the call was not refused. */
export async function refusalOf(tool: Tool, args: unknown, world: World): Promise<string> {
  const resolution = await resolveWith(tool, args, world);
  if (!isRefusal(resolution)) throw new Error('the call was not refused');
  return `${resolution.code}: ${resolution.forModel}`;
}
