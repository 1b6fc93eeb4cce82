import type { z } from 'zod';
import type { Capability, FileChange, Profile, Resource, Risk, Subject } from './call.ts';
import type { CommandAnalysis, Effects, Reading } from './ports.ts';
import type { Refusal } from './refusal.ts';

/** What a call really touches, found before any guard or person sees it. */
export interface Resolution {
  readonly subject: Subject;
  readonly resources: readonly Resource[];
  /** Empty unless the call writes. */
  readonly changes: readonly FileChange[];
}

export interface ToolDefaults {
  /** Wall-clock limit of a command in milliseconds when the model gives none, and the most it may ask for. */
  readonly commandTimeoutMs: number;
  readonly maxCommandTimeoutMs: number;
}

export interface ResolveContext {
  readonly reading: Reading;
  /** Absent where nothing can be analysed: every command then asks. */
  readonly commands?: CommandAnalysis | undefined;
  readonly defaults: ToolDefaults;
}

/** A result is data, never an instruction. `text` is bounded by the settle stage as well. */
export interface ToolResult {
  readonly status: 'succeeded' | 'failed' | 'timed_out' | 'cancelled';
  readonly text: string;
  /** Short, for the one-line view of the call: "12 lines", "exit 0". */
  readonly summary: string;
  readonly exitCode?: number | undefined;
}

/**
 * One folder under `tools/` each. `schema` is a strict object: unknown keys are refused. `resolve` has no
 * effects; `run` gets the same arguments and resolution that were guarded and shown.
 */
export interface Tool<Args = unknown> {
  readonly name: string;
  /** What the model reads, one or two sentences. */
  readonly description: string;
  readonly schema: z.ZodType<Args>;
  readonly capabilities: readonly Capability[];
  readonly risk: Risk;
  /** Profiles that offer it, unless policy denies it. */
  readonly profiles: readonly Profile[];
  readonly resolve: (args: Args, context: ResolveContext) => Promise<Resolution | Refusal>;
  readonly run: (args: Args, resolution: Resolution, effects: Effects) => Promise<ToolResult>;
}

/** Keeps the argument type inside the definition and forgets it in the list. */
export function defineTool<Args>(tool: Tool<Args>): Tool {
  return tool as unknown as Tool;
}
