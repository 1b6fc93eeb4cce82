import type { ShellForm } from './command/form.ts';

/**
 * The words every stage shares: what a model proposes, what it would touch, and who asks.
 * Nothing in `core` imports the editor, Node or the DOM; the outside world comes in through `ports.ts`.
 */

/** What a tool can do. Visibility and policy rules are written against these, never against tool names alone. */
export const CAPABILITIES = [
  'fs.read', 'fs.write', 'process.exec', 'code.exec', 'network.outbound', 'mcp.call', 'memory.write',
  'message.send', 'schedule.create', 'skill.install', 'ui.ask', 'editor.read',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Which tools a session sees. */
export const PROFILES = ['minimal', 'messaging', 'coding', 'full'] as const;
export type Profile = (typeof PROFILES)[number];

/** Where a task came from. `schedule` and `external` have nobody in front of the screen: they are unattended. */
export const CHANNELS = ['editor', 'code_action', 'cli', 'schedule', 'external'] as const;
export type Channel = (typeof CHANNELS)[number];

export function isUnattended(channel: Channel): boolean {
  return channel === 'schedule' || channel === 'external';
}

/** How much harm a call can do when nothing else limits it, from least to most. */
export const RISKS = ['read_only', 'write', 'exec', 'dangerous'] as const;
export type Risk = (typeof RISKS)[number];

/** Who proposes the call: one task of one session. Part of the fingerprint. */
export interface Actor {
  readonly session: string;
  readonly task: string;
  readonly channel: Channel;
}

/**
 * What a model proposes, exactly as it came: the arguments are still text. `complete` is false when the
 * stream ended inside the arguments; such a call is never repaired into one that runs.
 */
export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly argumentsText: string;
  readonly complete: boolean;
  /** The provider's own reason for ending the message, verbatim. Advice only. */
  readonly finishReason?: string | undefined;
}

export type PathOperation = 'read' | 'list' | 'write' | 'delete';
export type FileKind = 'file' | 'directory' | 'other' | 'missing';

/** A path as it really is: links followed as far as they exist, missing tails kept. */
export interface PathResource {
  readonly kind: 'path';
  readonly operation: PathOperation;
  /** As the model wrote it. */
  readonly asked: string;
  /** Absolute, symbolic links resolved up to the nearest existing ancestor. */
  readonly real: string;
  /** Relative to the workspace folder it lies in, with `/`; undefined outside every folder. */
  readonly relative: string | undefined;
  /** Absolute path of the workspace folder it lies in (judged on `real`), or undefined. */
  readonly folder: string | undefined;
  readonly fileKind: FileKind;
  /** True when following links changed where the path leads. */
  readonly linked: boolean;
}

/** A command in the form that runs. `argv` for a direct start, `shell` + `line` for a shell line. */
export interface CommandResource {
  readonly kind: 'command';
  readonly form: 'argv' | 'shell';
  /** `argv`: program and arguments. `shell`: empty until a parser fills it. */
  readonly argv: readonly string[];
  /** What a person reads: the exact shell line, or the quoted argv. */
  readonly line: string;
  readonly cwd: PathResource;
  /** Wall-clock limit in milliseconds. */
  readonly timeoutMs: number;
  /** What the command would really do. Absent: nobody analysed it, and a person has to. */
  readonly analysis?: ShellForm | undefined;
}

/** An address that would be fetched. */
export interface AddressResource {
  readonly kind: 'address';
  /** As the model wrote it; what is judged and what is fetched. */
  readonly asked: string;
  /** What the name resolves to, when that is known before the call; every one is judged. An empty list: it resolves to nothing. */
  readonly resolved?: readonly string[] | undefined;
}

export type Resource = PathResource | CommandResource | AddressResource;

/** One file as it was and as it would be. Texts are what the person sees; digests are of the exact bytes. */
export interface FileChange {
  readonly path: PathResource;
  readonly change: 'create' | 'modify' | 'delete';
  /** Text before, `''` for a new file. Line ends as in the file, without a byte order mark. */
  readonly before: string;
  /** Text after, line ends as they will be written. */
  readonly after: string;
  /** `sha256:<hex>` of the bytes that were judged, or `absent`. Compared again at execution. */
  readonly baseDigest: string;
  /** `sha256:<hex>` of the bytes that will be written. */
  readonly afterDigest: string;
  /** Where the base came from: a dirty editor has text that is not on disk. */
  readonly source: 'disk' | 'editor';
  readonly encoding: 'utf8' | 'utf8bom' | 'utf16le' | 'utf16be';
}

/** What a call is about, in words a person reads; the same on every surface. */
export interface Subject {
  /** Verb first: "Run a command", "Change a file". */
  readonly verb: string;
  /** The thing itself, in full and never cut: a command line, a path, a question. */
  readonly target: string;
  /** Which of the person's words the target is: decides the typeface. */
  readonly form: 'command' | 'path' | 'text';
}
