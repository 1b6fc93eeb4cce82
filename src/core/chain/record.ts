import { noteResource, type DecisionEntry, type ResultEntry } from '../audit/record.ts';
import type { Sha256 } from '../digest.ts';
import type { Policy } from '../policy/layers.ts';
import type { Refusal } from '../refusal.ts';
import type { ToolResult } from '../tool.ts';
import type { Decider, Granted } from './grant.ts';
import { changesOf, decisionOf, type Parsed, type Proposed, type Rated, type Resolved } from './stages.ts';

/** How far a call came, for the record of a refusal at any stage. */
export interface Trail {
  parsed?: Parsed;
  resolved?: Resolved;
  rated?: Rated;
}

const NOBODY: DecisionEntry['decider'] = { by: 'nobody', source: 'none', waitedMs: 0, scope: 'once', edited: false };

export function allowEntry(granted: Granted, policy: Policy, sha256: Sha256): DecisionEntry {
  return { ...common(proposedOf(granted.rated), trailOf(granted.rated), policy, sha256), decision: 'allow', stage: 'gate', code: undefined, decider: noted(granted.decider) };
}

export function denyEntry(proposed: Proposed, trail: Trail, refusal: Refusal, decider: Decider | undefined, policy: Policy, sha256: Sha256): DecisionEntry {
  return {
    ...common(proposed, trail, policy, sha256), decision: 'deny', stage: refusal.stage, code: refusal.code,
    patternKey: refusal.patternKey ?? (trail.rated === undefined ? undefined : decisionOf(trail.rated).patternKey),
    decider: decider === undefined ? NOBODY : noted(decider),
  };
}

export function resultEntry(proposed: Proposed, result: Pick<ToolResult, 'text' | 'exitCode'> & { status: ResultEntry['status'] }, durationMs: number, sha256: Sha256): ResultEntry {
  return {
    kind: 'result', task: proposed.actor.task, callId: proposed.call.id, status: result.status, exitCode: result.exitCode,
    bytes: new TextEncoder().encode(result.text).length, digest: `sha256:${sha256(result.text)}`, durationMs: Math.round(durationMs),
  };
}

/** What a standing grant covers is told in words that hold the command line; the record names the fingerprint instead. */
function noted(decider: Decider): Decider {
  return decider.by === 'standing_grant' ? { ...decider, source: 'session' } : decider;
}

function common(proposed: Proposed, trail: Trail, policy: Policy, sha256: Sha256): Omit<DecisionEntry, 'decision' | 'stage' | 'code' | 'decider'> {
  const digest = (text: string): string => `sha256:${sha256(text)}`;
  const { rated, resolved, parsed } = trail;
  return {
    kind: 'decision', actor: proposed.actor, callId: proposed.call.id, tool: proposed.call.tool.slice(0, 200),
    finishReason: proposed.call.finishReason?.slice(0, 100), argsDigest: parsed?.argsDigest, fingerprint: resolved?.fingerprint, policyVersion: policy.version,
    resources: (resolved?.resolution.resources ?? []).slice(0, 200).map((resource) => noteResource(resource, digest)),
    changes: rated === undefined ? [] : changesOf(rated).slice(0, 200).map((change) => ({
      path: change.path.relative ?? change.path.real, base: change.baseDigest, after: change.afterDigest,
    })),
    patternKey: rated === undefined ? undefined : decisionOf(rated).patternKey,
    findings: rated === undefined ? [] : decisionOf(rated).findings.slice(0, 100).map(({ rule, action, patternKey }) => ({ rule, action, patternKey })),
    risk: rated?.rating.risk, confinement: rated?.elevated.confinement,
  };
}

function trailOf(rated: Rated): Trail {
  const { resolved } = rated.elevated.guarded;
  return { rated, resolved, parsed: resolved.parsed };
}

function proposedOf(rated: Rated): Proposed {
  return rated.elevated.guarded.resolved.parsed.visible.proposed;
}
