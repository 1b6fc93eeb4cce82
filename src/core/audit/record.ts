import type { Actor, Resource, Risk } from '../call.ts';
import type { RefusalCode, Stage } from '../refusal.ts';
import type { Action, Confinement } from '../verdict.ts';

/**
 * What the audit holds: decisions and results with digests, never contents. Kinds are apart but linked by
 * `callId`; a `decision` that allowed and has no `result` is an open record: the host ended while it ran.
 */
export type AuditEntry =
  | { readonly kind: 'opened'; readonly version: string; readonly session: string; readonly folder: string }
  | { readonly kind: 'task'; readonly task: string; readonly channel: Actor['channel']; readonly model: string; readonly profile: string; readonly policyVersion: string; readonly consent?: string | undefined; readonly promptDigest: string }
  /** `consent`: the key of the workspace's loosening lines that the person allowed, while they are in force. */
  | { readonly kind: 'policy'; readonly task: string; readonly policyVersion: string; readonly consent?: string | undefined }
  | AskedEntry
  | DecisionEntry
  | ResultEntry
  | { readonly kind: 'interrupted'; readonly task: string; readonly callId: string; readonly requestId: string }
  | { readonly kind: 'task_end'; readonly task: string; readonly how: string };

export interface AskedEntry {
  readonly kind: 'asked';
  readonly task: string;
  readonly callId: string;
  readonly requestId: string;
  readonly fingerprint: string;
  readonly patternKey: string;
}

export interface DecisionEntry {
  readonly kind: 'decision';
  readonly actor: Actor;
  readonly callId: string;
  readonly tool: string;
  /** Why the provider ended the message, verbatim up to 100 characters. Advice only. */
  readonly finishReason?: string | undefined;
  readonly argsDigest: string | undefined;
  readonly fingerprint: string | undefined;
  readonly resources: readonly ResourceNote[];
  readonly changes: readonly { readonly path: string; readonly base: string; readonly after: string }[];
  readonly policyVersion: string;
  readonly decision: 'allow' | 'deny';
  /** The stage that refused, or `gate`. */
  readonly stage: Stage;
  readonly code: RefusalCode | undefined;
  readonly patternKey: string | undefined;
  /** Every finding, so that "why" needs no second evaluation. */
  readonly findings: readonly { readonly rule: string; readonly action: Action; readonly patternKey: string }[];
  readonly risk: Risk | undefined;
  readonly confinement: Confinement | undefined;
  readonly decider: { readonly by: 'rule' | 'person' | 'standing_grant' | 'nobody'; readonly source: string; readonly waitedMs: number; readonly scope: 'once' | 'session'; readonly edited: boolean };
}

export interface ResultEntry {
  readonly kind: 'result';
  readonly task: string;
  readonly callId: string;
  readonly status: 'succeeded' | 'failed' | 'timed_out' | 'cancelled' | 'stale';
  readonly exitCode: number | undefined;
  readonly bytes: number;
  readonly digest: string;
  readonly durationMs: number;
}

/** A resource without contents. Command lines and addresses stand as digests: they may hold secrets. */
export type ResourceNote =
  | { readonly kind: 'path'; readonly operation: string; readonly path: string; readonly outside: boolean }
  | { readonly kind: 'address'; readonly host: string; readonly addressDigest: string }
  | { readonly kind: 'command'; readonly form: string; readonly program: string; readonly lineDigest: string; readonly cwd: string };

export function noteResource(resource: Resource, digest: (text: string) => string): ResourceNote {
  if (resource.kind === 'path') {
    return { kind: 'path', operation: resource.operation, path: resource.relative ?? resource.real, outside: resource.relative === undefined };
  }
  if (resource.kind === 'address') return { kind: 'address', host: hostOf(resource.asked), addressDigest: digest(resource.asked) };
  return {
    kind: 'command', form: resource.form, program: resource.argv[0] ?? 'shell',
    lineDigest: digest(resource.line), cwd: resource.cwd.relative ?? resource.cwd.real,
  };
}

/** The host alone: the rest of an address may hold secrets. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host.slice(0, 253) : 'an address that cannot be read';
}

/** Appends one entry; resolves only when it is durable. A rejection means nothing may run. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
}
