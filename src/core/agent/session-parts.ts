import type { Channel } from '../call.ts';
import type { ApprovalBroker } from '../approval/broker.ts';
import type { AuditLog } from '../audit/record.ts';
import type { Redactor } from '../audit/redact.ts';
import type { Execution, Guard, GuardContext } from '../chain/all-stages.ts';
import type { Sha256 } from '../digest.ts';
import type { Policy } from '../policy/layers.ts';
import type { Clock, CommandAnalysis, CommandRunner, Ids, Reading } from '../ports.ts';
import type { Tool } from '../tool.ts';
import type { TaskEvent } from './events.ts';
import type { LoopEnd } from './loop.ts';
import type { ModelMessage } from './model.ts';

/** One task as it is kept: enough to show it and to go on after a restart. */
export interface TaskRecord {
  readonly id: string;
  readonly title: string;
  readonly channel: Channel;
  readonly createdAt: number;
  readonly messages: readonly ModelMessage[];
  readonly end: LoopEnd['how'] | 'running';
}

/** What a session is made of. Nothing here is the editor: the terminal brings the same. */
export interface SessionParts {
  readonly session: string;
  readonly tools: readonly Tool[];
  readonly guards: readonly Guard[];
  /** Read at the start of every call. */
  readonly policy: () => Policy;
  readonly surroundings: Pick<GuardContext, 'home' | 'platform'> & { readonly folders: () => readonly string[]; readonly placeName: string };
  readonly reading: Reading;
  readonly commands?: CommandAnalysis | undefined;
  readonly runner: CommandRunner;
  readonly execution: Execution;
  readonly broker: ApprovalBroker;
  readonly audit: AuditLog;
  readonly redact: Redactor;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly emit: (event: TaskEvent) => void;
  readonly save: (record: TaskRecord) => Promise<void>;
}
