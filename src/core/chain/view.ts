import type { AllowedBy, CallState, CallView } from '../agent/events.ts';
import { countLines } from '../approval/line-counts.ts';
import type { FileChange } from '../call.ts';
import type { Refusal } from '../refusal.ts';
import type { ToolResult } from '../tool.ts';
import type { Decider } from './grant.ts';
import { changesOf, decisionOf, subjectOf, type Proposed, type Rated } from './stages.ts';

/** What surfaces show of a call that is being judged; nothing is known but its name. */
export function viewOfProposed(proposed: Proposed): CallView {
  return { callId: proposed.call.id, tool: proposed.call.tool, state: 'judging', subject: undefined };
}

export function viewOfRated(base: CallView, rated: Rated, state: CallState): CallView {
  const decision = decisionOf(rated);
  return {
    ...base, state, subject: subjectOf(rated), reason: decision.reason, rule: decision.patternKey,
    confined: rated.elevated.confinement === 'none_needed' ? undefined : rated.elevated.confinement === 'sandboxed',
    changes: changesOf(rated).length === 0 ? undefined : changesOf(rated).map(changeLines),
  };
}

export function viewOfGranted(base: CallView, rated: Rated, decider: Decider): CallView {
  const allowedBy: AllowedBy = decider.by;
  return { ...viewOfRated(base, rated, 'running'), allowedBy, rule: decider.by === 'person' ? base.rule : decider.source };
}

export function viewOfResult(base: CallView, result: ToolResult, durationMs: number): CallView {
  const state: CallState = result.status === 'succeeded' ? 'done' : result.status;
  return { ...base, state, summary: result.summary, durationMs };
}

const REFUSED_STATE: Partial<Record<Refusal['code'], CallState>> = {
  guard_denied: 'denied_by_rule', guard_failed: 'denied_by_rule', hidden_tool: 'denied_by_rule', denied_unattended: 'denied_by_rule',
  denied_by_person: 'denied_by_person', denied_earlier: 'denied_by_person', no_answer: 'no_answer', interrupted: 'no_answer', cancelled: 'cancelled',
  unknown_tool: 'invalid', invalid_arguments: 'invalid', incomplete_arguments: 'invalid', duplicate_call: 'invalid',
};

export function viewOfRefusal(base: CallView, refusal: Refusal): CallView {
  return {
    ...base, state: REFUSED_STATE[refusal.code] ?? 'failed', reason: refusal.forPerson,
    rule: refusal.patternKey ?? base.rule, requestId: undefined,
  };
}

function changeLines(change: FileChange): { path: string; added: number; removed: number } {
  const { added, removed } = countLines(change);
  return { path: change.path.relative ?? change.path.real, added, removed };
}
