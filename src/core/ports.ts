/**
 * Everything the decision needs from outside. An implementation lives in `host/`, `sandbox/`, `surfaces/`
 * or `providers/`; tests bring their own. No port decides anything.
 */
import type { CommandResource, FileChange, PathOperation, PathResource } from './call.ts';
import type { ShellForm } from './command/form.ts';

/** Milliseconds since the epoch; information only, never an order. `sleep` rejects when the signal aborts. */
export interface Clock {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Unpredictable identifiers (at least 120 random bits), safe in file names and URIs. */
export interface Ids {
  next(prefix: string): string;
}

export interface TextFile {
  /** Without byte order mark; line ends exactly as stored. */
  readonly text: string;
  readonly encoding: FileChange['encoding'];
  /** `sha256:<hex>` of the exact bytes this text stands for. */
  readonly digest: string;
  readonly bytes: number;
  /** `editor` when an open document has unsaved text: that text is the truth. */
  readonly source: 'disk' | 'editor';
}

export type ReadProblemCode = 'missing' | 'directory' | 'not_regular' | 'binary' | 'too_large' | 'encoding' | 'unreadable';
export interface ReadProblem {
  readonly problem: ReadProblemCode;
  /** For the model and the person: what and what to do, naming only the path as it was asked. */
  readonly message: string;
}

/** What may be looked at while a call is only being judged. Nothing here has an effect. */
export interface Reading {
  /** Relative paths start at the first workspace folder, or at a folder whose name is the first segment. Never throws. */
  locate(asked: string, operation: PathOperation): Promise<PathResource>;
  /** The text as the person sees it now: an open document wins over the disk. Never throws. */
  readText(path: PathResource): Promise<TextFile | ReadProblem>;
  /** The encoded bytes' digest for a text that would be written. */
  digestText(text: string, encoding: FileChange['encoding']): string;
}

/** Finds what a command would really do. Has no effects. */
export interface CommandAnalysis {
  /** Undefined when it cannot be known: then a person is asked. Never rejects. */
  analyse(command: Pick<CommandResource, 'form' | 'argv' | 'line' | 'cwd'>): Promise<ShellForm | undefined>;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly bytes: number | undefined;
}

export interface Match {
  /** Relative to the workspace folder, `/` separated. */
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Bounded<T> {
  readonly items: readonly T[];
  /** True when a limit cut the list: the label must say so. */
  readonly truncated: boolean;
}

export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  readonly source: string | undefined;
}

export type CommandEnd = 'exited' | 'signalled' | 'timed_out' | 'cancelled' | 'not_started';
/** How a command ended. Each way is a state of its own, never folded into an exit code. */
export interface CommandResult {
  readonly end: CommandEnd;
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Interleaved output, control sequences removed, bounded (head and tail kept). */
  readonly output: string;
  readonly droppedBytes: number;
  readonly durationMs: number;
  readonly confined: boolean;
  /** Why it did not start, or what could not be ended; for the person and the model. */
  readonly note: string | undefined;
}

/**
 * What a granted call may do. Made by `Execution.open` for one grant; an operation on a resource that the
 * grant does not name rejects.
 */
export interface Effects extends Reading {
  listDirectory(path: PathResource, limit: number): Promise<Bounded<DirectoryEntry> | ReadProblem>;
  findFiles(root: PathResource, glob: string, limit: number): Promise<Bounded<string>>;
  searchText(root: PathResource, query: TextQuery, limit: number): Promise<Bounded<Match>>;
  readProblems(path: PathResource | undefined, limit: number): Promise<Bounded<Problem>>;
  /** Writes exactly the bytes of `after`; rejects with `StaleBase` when a base digest no longer matches. */
  applyChanges(changes: readonly FileChange[]): Promise<void>;
  runCommand(command: CommandResource): Promise<CommandResult>;
  /** A clarifying question. Undefined = no answer. Never an approval. */
  askPerson(question: string, options: readonly string[]): Promise<string | undefined>;
}

export interface TextQuery {
  readonly pattern: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly include: string | undefined;
}

/** Thrown by `applyChanges`: the file is not what was approved any more. */
export class StaleBase extends Error {
  override readonly name = 'StaleBase';
  readonly path: string;
  constructor(path: string) {
    super(`${path} changed since it was shown`);
    this.path = path;
  }
}

/** Whether commands can be confined here, and if not, why and what to do. */
export interface SandboxStatus {
  readonly available: boolean;
  /** One sentence for a person: what holds, or what is missing with the fix. */
  readonly detail: string;
  /** The single command line that would install what is missing, when there is one. */
  readonly fix: string | undefined;
}

export interface RunOptions {
  /** False only for a command a person approved as unconfined. */
  readonly confined: boolean;
  /** Absolute, real paths that are writable besides a private temporary folder. */
  readonly writable: readonly string[];
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal;
  /** Most bytes of output kept for the result. */
  readonly outputLimitBytes: number;
}

/** Runs commands; the only port that starts processes. */
export interface CommandRunner {
  /** Self-tested once, then remembered; a write outside and a blocked host must have failed. Never throws. */
  status(): Promise<SandboxStatus>;
  /** Never rejects: how it ended is in the result. With `confined` and no sandbox it does not start. */
  run(command: CommandResource, options: RunOptions): Promise<CommandResult>;
  /** Ends every process it started. */
  dispose(): Promise<void>;
}
