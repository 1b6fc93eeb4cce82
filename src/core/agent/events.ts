import type { Subject } from '../call.ts';
import type { Usage } from './model.ts';

/**
 * What surfaces may show of a running task. Events flow one way; nothing reads them to decide.
 * Words of the states are the ones people see (`CALL_STATE_WORDS`).
 */
export type CallState =
  | 'judging' | 'waiting' | 'running' | 'done' | 'failed' | 'timed_out'
  | 'denied_by_rule' | 'denied_by_person' | 'no_answer' | 'cancelled' | 'invalid' | 'unknown';

/** Who let a call run. */
export type AllowedBy = 'rule' | 'person' | 'standing_grant';

export interface CallView {
  readonly callId: string;
  readonly tool: string;
  readonly state: CallState;
  readonly subject: Subject | undefined;
  readonly allowedBy?: AllowedBy | undefined;
  /** Why it was allowed, asked or refused, in plain words. */
  readonly reason?: string | undefined;
  readonly rule?: string | undefined;
  readonly summary?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly confined?: boolean | undefined;
  /** The pending request while `waiting`. */
  readonly requestId?: string | undefined;
  /** Lines added and removed, when it writes. */
  readonly changes?: readonly { readonly path: string; readonly added: number; readonly removed: number }[] | undefined;
}

export type TaskEnd = 'finished' | 'stopped' | 'failed' | 'step_limit' | 'interrupted';

export type TaskEvent = { readonly task: string } & (
  | { readonly type: 'task_started'; readonly title: string; readonly model: string; readonly notice: string | undefined; readonly profile: string }
  | { readonly type: 'user_message'; readonly text: string }
  | { readonly type: 'queued'; readonly texts: readonly string[] }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'message_ended' }
  /** The half answer just streamed is void; the same request is sent again. */
  | { readonly type: 'retrying'; readonly attempt: number; readonly limit: number; readonly waitMs: number; readonly reason: string }
  | { readonly type: 'call'; readonly view: CallView }
  | { readonly type: 'output'; readonly callId: string; readonly text: string }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'task_ended'; readonly how: TaskEnd; readonly text: string | undefined }
);
