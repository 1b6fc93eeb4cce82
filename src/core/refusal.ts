/**
 * Every way a call can end without success, as one union. The model reads `forModel`, a person reads
 * `forPerson`; neither carries rule internals or paths that the model did not name itself.
 */
export const STAGES = [
  'visibility', 'schema', 'resolve', 'guard', 'elevate', 'risk', 'gate', 'lease', 'execute', 'settle',
] as const;
export type Stage = (typeof STAGES)[number];

export const REFUSAL_CODES = [
  'unknown_tool', 'hidden_tool', 'duplicate_call', 'incomplete_arguments', 'invalid_arguments', 'not_found', 'not_applicable',
  'guard_denied', 'guard_failed', 'denied_by_person', 'denied_earlier', 'denied_unattended', 'no_answer', 'cancelled',
  'interrupted', 'stale', 'audit_unavailable', 'execution_failed', 'internal_error',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

export interface Refusal {
  readonly refused: true;
  readonly stage: Stage;
  readonly code: RefusalCode;
  readonly forModel: string;
  readonly forPerson: string;
  readonly patternKey?: string | undefined;
  /** Whether the same call, unchanged, could succeed later. */
  readonly retryable: boolean;
}

type RefusalInit = Omit<Refusal, 'refused' | 'retryable' | 'forPerson'> & { retryable?: boolean; forPerson?: string };

export function refuse(init: RefusalInit): Refusal {
  return { refused: true, retryable: false, forPerson: init.forModel, ...init };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as { refused?: unknown }).refused === true;
}
