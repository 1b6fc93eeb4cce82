import { freePass } from '../chain/07-gate.ts';
import { ratingOf } from '../chain/06-risk.ts';
import { judgeCall, type JudgeParts, type JudgeTrail } from '../chain/judge.ts';
import { actorOf, decisionOf, riskOf, type Proposed, type Rated } from '../chain/stages.ts';
import { isUnattended, type Risk } from '../call.ts';
import { isRefusal, type Refusal, type Stage } from '../refusal.ts';
import type { Action, Finding } from '../verdict.ts';

/** What would happen to a call: stages 1 to 7 without a person, a budget or an effect. */
export interface Explanation {
  /** `allow`: it would run by itself. `ask`: a person would be asked. */
  readonly action: Action;
  /** It would run in the sandbox. */
  readonly confined: boolean;
  readonly risk: Risk;
  /** For a person: why. */
  readonly reason: string;
  readonly patternKey: string;
  /** The stage that gave the answer. */
  readonly stage: Stage;
  readonly findings: readonly Finding[];
}

/** The same stages a real call goes through, the same policy, the same guards. Never rejects: an error denies. */
export async function explainCall(proposed: Proposed, parts: JudgeParts): Promise<Explanation> {
  const trail: JudgeTrail = {};
  try {
    const rated = await judgeCall(proposed, parts, trail);
    return isRefusal(rated) ? refused(rated, proposed, parts) : explainRated(rated, parts);
  } catch (error) {
    const what = error instanceof Error ? error.message.slice(0, 300) : 'unknown error';
    return { ...unjudged(proposed, parts), reason: `It could not be judged, so it would not run: ${what}.`, patternKey: 'internal_error', stage: 'resolve' };
  }
}

function explainRated(rated: Rated, { guardContext }: JudgeParts): Explanation {
  const { action, reason, patternKey, findings } = decisionOf(rated);
  const { confinement } = rated.elevated;
  const common = { confined: confinement === 'sandboxed', risk: riskOf(rated), reason, patternKey, findings };
  if (action === 'deny') return { ...common, action, stage: 'guard' };
  if (freePass(rated, guardContext.policy) !== undefined) return { ...common, action: 'allow', stage: 'gate' };
  const asks = action === 'ask' ? common : { ...common, reason: REVIEW[common.risk], patternKey: 'approval_required' };
  if (isUnattended(actorOf(rated).channel)) {
    return { ...asks, action: 'deny', reason: `It needs a person's approval and nobody is there. ${asks.reason}`, stage: 'gate' };
  }
  return { ...asks, action: 'ask', stage: action !== 'ask' ? 'gate' : patternKey === 'unconfined_run' ? 'elevate' : 'guard' };
}

/** Why a call on which no guard asks still needs a person. */
const REVIEW: Readonly<Record<Risk, string>> = {
  read_only: 'It is shown before it happens.', exec: 'It would run without the sandbox.', dangerous: 'This kind of action is always asked.',
  write: 'Changes are shown before they are written (sluice.approval.writes).',
};

function refused(refusal: Refusal, proposed: Proposed, parts: JudgeParts): Explanation {
  return { ...unjudged(proposed, parts), reason: refusal.forPerson, patternKey: refusal.patternKey ?? refusal.code, stage: refusal.stage };
}

function unjudged({ call }: Proposed, { tools }: JudgeParts): Omit<Explanation, 'reason' | 'patternKey' | 'stage'> {
  return { action: 'deny', confined: false, risk: ratingOf(tools.find(({ name }) => name === call.tool)).risk, findings: [] };
}
