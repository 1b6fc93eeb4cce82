import type { CallView } from '../agent/events.ts';
import type { ApprovalRequest } from '../approval/request.ts';
import { Lifecycle, type RequestEvent } from '../approval/machine.ts';
import type { AuditEntry, AuditLog } from '../audit/record.ts';
import type { Redactor } from '../audit/redact.ts';
import type { FileChange } from '../call.ts';
import type { Clock, SandboxStatus } from '../ports.ts';
import { isRefusal, refuse, type Refusal } from '../refusal.ts';
import type { Tool, ToolResult } from '../tool.ts';
import * as stage from './all-stages.ts';
import { judgeCall, rateResolved } from './judge.ts';
import { allowEntry, denyEntry, resultEntry, type Trail } from './record.ts';
import type { Granted } from './grant.ts';
import { changesOf, type Proposed, type Rated } from './stages.ts';
import { viewOfGranted, viewOfProposed, viewOfRated, viewOfRefusal, viewOfResult } from './view.ts';

/** Everything one call needs. `policy` is frozen for this call. */
export interface ChainParts {
  readonly tools: readonly Tool[];
  readonly guards: readonly stage.Guard[];
  readonly guardContext: stage.GuardContext;
  readonly resolveContext: stage.ResolveContext;
  readonly gate: Omit<stage.GateParts, 'policy' | 'buildRequest' | 'onWaiting' | 'amend' | 'now'>;
  readonly buildRequest: (rated: Rated, standing: boolean) => ApprovalRequest;
  readonly sandbox: () => Promise<SandboxStatus>;
  readonly execution: stage.Execution;
  readonly budget: stage.CallBudget;
  readonly audit: AuditLog;
  readonly redact: Redactor;
  readonly clock: Clock;
  /** For surfaces only. Neither this nor `onOutput` throws. */
  readonly report: (view: CallView) => void;
  readonly onOutput: (callId: string, text: string) => void;
}

/** One call on its way: the parts plus what was learned so far. */
interface Passage {
  readonly proposed: Proposed;
  readonly parts: ChainParts;
  readonly signal: AbortSignal;
  readonly life: Lifecycle;
  readonly trail: Trail;
  view: CallView;
  /** Whether it may have had effects: from the start on, unless execution itself refused. */
  ran: boolean;
}

/**
 * The fold: every call goes through every stage in one order and ends in exactly one `Settled`. Never rejects;
 * an error anywhere is a refusal. This is the only try/catch around the stages. With `skip` the call is refused with
 * it before the first stage: it still has a record and a result.
 */
export async function runCall(proposed: Proposed, parts: ChainParts, signal: AbortSignal, skip?: Refusal): Promise<stage.Settled> {
  const passage: Passage = { proposed, parts, signal, life: new Lifecycle(), trail: {}, view: viewOfProposed(proposed), ran: false };
  const { id, tool } = proposed.call;
  let ended: ToolResult | Refusal;
  try {
    show(passage, passage.view);
    ended = await (skip === undefined ? pass(passage) : refused(passage, skip));
  } catch (error) {
    ended = await fallen(passage, error);
  }
  if (isRefusal(ended)) {
    const settled = stage.settleRefusal(id, tool, ended, parts.redact);
    show(passage, viewOfRefusal(passage.view, settled.refusal));
    return settled;
  }
  return stage.settleResult(id, tool, ended, parts.redact);
}

async function pass(passage: Passage): Promise<ToolResult | Refusal> {
  const { parts, proposed, trail, signal } = passage;
  const rated = await judgeCall(proposed, { ...parts, sha256: parts.gate.sha256 }, trail);
  if (isRefusal(rated)) return refused(passage, rated);
  trail.rated = rated;
  passage.view = viewOfRated(passage.view, rated, 'judging');
  const check = await stage.passGate(rated, gateParts(passage), signal);
  if (check.denial !== undefined) return refused(passage, check.denial, check.decider);
  const leased = stage.lease(check.granted, parts.budget);
  if (isRefusal(leased)) return refused(passage, leased);
  passage.life.advance(passage.life.state === 'pending' ? 'approve' : 'allow_by_rule');
  await record(parts, allowEntry(check.granted, parts.guardContext.policy, parts.gate.sha256));
  return run(passage, check.granted, leased, proposed);
}

function gateParts(passage: Passage): stage.GateParts {
  const { parts } = passage;
  return {
    ...parts.gate, policy: parts.guardContext.policy, buildRequest: parts.buildRequest, now: () => parts.clock.now(),
    onWaiting: async (request) => {
      await record(parts, {
        kind: 'asked', task: request.task, callId: request.callId, requestId: request.id, fingerprint: request.fingerprint, patternKey: request.patternKey,
      });
      passage.life.advance('ask');
      show(passage, { ...passage.view, state: 'waiting', requestId: request.id });
    },
    amend: async (rated, edits) => {
      const amended = stage.seal(rated.elevated.guarded.resolved.parsed, {
        ...rated.elevated.guarded.resolved.resolution,
        changes: changesOf(rated).map((change) => amendChange(change, edits[change.path.real], parts)),
      }, parts.gate.sha256);
      const again = await rateResolved(amended, parts);
      passage.trail.resolved = amended;
      passage.trail.rated = again;
      return again;
    },
  };
}

function amendChange(change: FileChange, text: string | undefined, parts: ChainParts): FileChange {
  if (text === undefined || text === change.after) return change;
  return { ...change, after: text, afterDigest: parts.resolveContext.reading.digestText(text, change.encoding) };
}

async function run(passage: Passage, granted: Granted, leased: stage.Leased, proposed: Proposed): Promise<ToolResult | Refusal> {
  const { parts, signal } = passage;
  show(passage, { ...viewOfGranted(passage.view, granted.rated, granted.decider), requestId: undefined });
  const started = parts.clock.now();
  passage.life.advance('start');
  passage.ran = true;
  const hooks = { signal, onOutput: (text: string) => parts.onOutput(proposed.call.id, parts.redact(text)) };
  const result = await stage.executeCall(leased, parts.execution, parts.resolveContext.reading, hooks);
  const durationMs = parts.clock.now() - started;
  passage.ran = !isRefusal(result);
  const status = isRefusal(result) ? REFUSED_STATUS[result.code] ?? 'failed' : result.status;
  passage.life.advance(END_EVENT[status]);
  const text = isRefusal(result) ? result.forModel : result.text;
  const exitCode = isRefusal(result) ? undefined : result.exitCode;
  await record(parts, resultEntry(proposed, { text, exitCode, status }, durationMs, parts.gate.sha256));
  if (isRefusal(result)) return result;
  show(passage, viewOfResult(passage.view, result, durationMs));
  return granted.decider.edited ? { ...result, text: `${result.text}\nThe person changed the text before approving it; read the file to see what was written.` } : result;
}

const END_EVENT = { succeeded: 'succeed', failed: 'fail', stale: 'fail', timed_out: 'time_out', cancelled: 'cancel' } as const;
const REFUSED_STATUS: Partial<Record<Refusal['code'], 'stale' | 'cancelled'>> = { stale: 'stale', cancelled: 'cancelled' };

/** Records a refusal; nothing runs whether or not that works. */
async function refused(passage: Passage, refusal: Refusal, decider?: stage.Decider): Promise<Refusal> {
  const { life } = passage;
  life.advance(REFUSAL_EVENT[refusal.code] ?? (life.state === 'proposed' || life.state === 'pending' ? 'deny' : 'fail'));
  await recordRefusal(passage, refusal, decider);
  return refusal;
}

async function recordRefusal({ parts, proposed, trail }: Passage, refusal: Refusal, decider?: stage.Decider): Promise<void> {
  await record(parts, denyEntry(proposed, trail, refusal, decider, parts.guardContext.policy, parts.gate.sha256));
}

const REFUSAL_EVENT: Partial<Record<Refusal['code'], RequestEvent>> = { no_answer: 'expire', cancelled: 'cancel', interrupted: 'interrupt' };

/** The audit could not take a record. Before a run this stops it; after one the model and the person are told. */
class AuditUnavailable extends Error {
  override readonly name = 'AuditUnavailable';
}

function record(parts: ChainParts, entry: AuditEntry): Promise<void> {
  return parts.audit.append(entry).catch((error: unknown) => {
    throw new AuditUnavailable(error instanceof Error ? error.message.slice(0, 300) : 'unknown error');
  });
}

/** An error after the start leaves the state of the world unknown, and says so. */
async function fallen(passage: Passage, error: unknown): Promise<Refusal> {
  const { ran } = passage;
  const what = error instanceof Error ? error.message.slice(0, 300) : 'unknown error';
  if (error instanceof AuditUnavailable) return auditRefusal(what, ran);
  const refusal = refuse({
    stage: ran ? 'execute' : 'gate', code: ran ? 'execution_failed' : 'internal_error',
    forModel: ran ? `Failed while running: ${what}. It may have had effects; look before trying again.` : `Not run: ${what}.`,
  });
  if (ran) await recordFailure(passage, what);
  else await recordRefusal(passage, refusal).catch(() => undefined);
  return refusal;
}

/** A failing record here leaves the decision open, which `verify` reports: exactly what is true. */
function recordFailure({ parts, proposed }: Passage, what: string): Promise<void> {
  return parts.audit.append(resultEntry(proposed, { text: what, exitCode: undefined, status: 'failed' }, 0, parts.gate.sha256)).catch(() => undefined);
}

const STOP = 'Nothing more runs until the audit can be written.';

/** For the person: what is wrong and what to do. */
export function auditTrouble(what: string): string {
  return `The audit cannot be written: ${what}. ${STOP} Free space or repair the folder .sluice/audit, then go on.`;
}

function auditRefusal(what: string, ran: boolean): Refusal {
  return refuse({
    stage: 'execute', code: 'audit_unavailable', retryable: true, patternKey: 'audit_unavailable',
    forModel: ran ? `It ran, but its result could not be recorded (${what}). ${STOP}` : `Not run: the decision could not be recorded (${what}). ${STOP}`,
    forPerson: auditTrouble(what),
  });
}

function show(passage: Passage, view: CallView): void {
  passage.view = view;
  passage.parts.report(view);
}
