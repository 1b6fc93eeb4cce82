import type { Argument } from './argument.ts';
import type { Doubt } from './limits.ts';
import type { Target } from './place.ts';

/**
 * The judged form of a command: what would really start, with wrappers taken off, and what each part would
 * touch. Made once when a call is resolved; guards, approvals, executor and audit read the same object.
 */
export interface ShellForm {
  readonly segments: readonly Segment[];
  /** Why the line cannot be fully judged. One doubt is enough: it never runs without a person. */
  readonly doubts: readonly Doubt[];
  /** Names of functions the line defines. */
  readonly functions: readonly string[];
}

/** One program start, or a redirect without one. */
export interface Segment {
  /** Program and arguments, wrappers removed. Empty for a bare redirect or assignment. */
  readonly argv: readonly Argument[];
  /** Base name of the program in lower case, without `.exe`; '' when there is none or it is not known. */
  readonly name: string;
  /** Where the program comes from: a bare name, a system folder, or a path of its own. */
  readonly origin: 'name' | 'system' | 'path';
  /** Names of the wrappers it was found in, outermost first. */
  readonly via: readonly string[];
  readonly assignments: readonly EnvironmentEntry[];
  readonly redirects: readonly ResolvedRedirect[];
  /** Possible current directories, the likeliest first; `undefined` = not known. */
  readonly directories: readonly (string | undefined)[];
  readonly input: Input;
  readonly background: boolean;
  readonly effects: readonly PathEffect[];
  readonly concerns: readonly Concern[];
}

export interface EnvironmentEntry {
  readonly name: string;
  readonly value: Argument;
}

export interface ResolvedRedirect {
  readonly operator: string;
  readonly descriptor: number | undefined;
  readonly target: Argument;
}

/** What a program reads on its standard input. */
export type Input =
  | { readonly kind: 'inherited' }
  /** The output of other segments; `text` when it is known beforehand. */
  | { readonly kind: 'pipe'; readonly from: readonly Segment[]; readonly text: string | undefined }
  | { readonly kind: 'text'; readonly text: string | undefined }
  | { readonly kind: 'file' };

/** `read_tree` reads everything below; `delete_tree` deletes it; `empty` truncates; `list` sees names only. */
export type EffectOperation = 'read' | 'read_tree' | 'list' | 'write' | 'empty' | 'delete' | 'delete_tree' | 'permissions';

export interface PathEffect {
  readonly operation: EffectOperation;
  readonly target: Target;
}

/**
 * Something about a segment that a guard has an opinion on. The key is the pattern key of the rule that
 * answers it; `project_code` alone is no objection, it says that code of the workspace runs.
 */
export type ConcernKey =
  | 'project_code' | 'unknown_command' | 'unknown_option' | 'dynamic_command' | 'dynamic_argument' | 'program_option' | 'script_file' | 'shell_state' | 'background'
  | 'privilege' | 'permissions' | 'ownership' | 'service_control' | 'process_kill' | 'power' | 'block_device' | 'fork_bomb' | 'kernel'
  | 'remote_code' | 'inline_code' | 'interpreter_input' | 'environment_injection' | 'environment_dump' | 'secret_store' | 'secret_variable'
  | 'git_write' | 'git_history' | 'git_discard' | 'git_push' | 'git_config' | 'git_remote' | 'project_elsewhere'
  | 'package_install' | 'package_publish' | 'package_run' | 'container' | 'infrastructure' | 'database' | 'destructive_sql' | 'persistence' | 'account_change'
  | 'hidden_write' | 'network' | 'listener' | 'desktop' | 'delete' | 'truncate' | 'archive_extract' | 'outside_link' | 'resource' | 'interactive' | 'process_list' | 'patch' | 'tampering';

export interface Concern {
  readonly key: ConcernKey;
  /** What exactly, for the sentence the person reads; bounded. */
  readonly detail: string;
  /** For `network`: the host or address as written, when one was. */
  readonly address?: string | undefined;
}
