import { canonical } from '../digest.ts';
import type { GuardDecision } from '../verdict.ts';
import { actorOf, argsOf, callOf, changesOf, decisionOf, resolvedOf, resourcesOf, riskOf, subjectOf, toolOf, type Rated } from '../chain/stages.ts';
import { buildCard } from './card.ts';
import type { ApprovalRequest } from './request.ts';

export interface RequestFacts {
  /** Unpredictable; it is what a click refers to. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly expiryMs: number;
  readonly taskTitle: string;
  /** Whether a standing grant may be offered. */
  readonly standing: boolean;
  /** The folder's or remote's name, as the card shows it. */
  readonly placeName: string;
}

/** The request for one rated call: everything needed to show it, to answer it and to find it after a restart. */
export function buildRequest(rated: Rated, facts: RequestFacts): ApprovalRequest {
  const { proposed } = resolvedOf(rated).parsed.visible;
  const actor = actorOf(rated);
  return {
    id: facts.id, fingerprint: resolvedOf(rated).fingerprint, session: actor.session, task: actor.task, taskTitle: facts.taskTitle,
    callId: callOf(rated).id, tool: toolOf(rated).name, risk: riskOf(rated), confinement: rated.elevated.confinement,
    patternKey: decisionOf(rated).patternKey, argumentsText: canonical(argsOf(rated)), changes: changesOf(rated),
    createdAt: facts.now, expiresAt: facts.now + facts.expiryMs,
    card: buildCard({
      subject: subjectOf(rated), resources: resourcesOf(rated), changes: changesOf(rated), decision: decisionShown(rated),
      confinement: rated.elevated.confinement, place: facts.placeName, network: 'closed',
      agentSays: proposed.agentSays, offerSession: facts.standing,
    }),
  };
}

/** Why a person is asked although no guard objects: because the settings say so. */
export function decisionShown(rated: Rated): GuardDecision {
  const decision = decisionOf(rated);
  if (decision.action !== 'allow') return decision;
  const reason = riskOf(rated) === 'write' ? 'Changes are shown to you before they are written.' : 'This kind of action asks first.';
  const patternKey = riskOf(rated) === 'write' ? 'sluice.approval.writes' : `risk_${riskOf(rated)}`;
  return { ...decision, action: 'ask', reason, patternKey };
}
