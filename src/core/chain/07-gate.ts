import type { ApprovalBroker, Outcome } from '../approval/broker.ts';
import { actionKey, mayStand, type SessionGrants } from '../approval/grants.ts';
import type { Answer, ApprovalRequest } from '../approval/request.ts';
import { isUnattended } from '../call.ts';
import type { Sha256 } from '../digest.ts';
import type { Policy } from '../policy/layers.ts';
import { isRefusal, refuse, type Refusal } from '../refusal.ts';
import type { ApprovalAction, Finding } from '../verdict.ts';
import { Granted, type Decider } from './grant.ts';
import { actorOf, changesOf, decisionOf, resolvedOf, riskOf, subjectOf, type Rated } from './stages.ts';

/** The gate's answer: a denial the model reads, or a grant with the actions it confirms. */
export type ApprovalCheck =
  | { readonly denial: Refusal; readonly approvedActions: readonly []; readonly decider: Decider | undefined }
  | { readonly denial: undefined; readonly approvedActions: readonly ApprovalAction[]; readonly granted: Granted };

export interface GateParts {
  readonly policy: Policy;
  readonly grants: SessionGrants;
  readonly denials: DenialMemory;
  readonly broker: ApprovalBroker;
  readonly sha256: Sha256;
  readonly now: () => number;
  /** Builds the request with its card; called only when a person is needed. */
  readonly buildRequest: (rated: Rated, standing: boolean) => ApprovalRequest;
  /** Records that a person is asked and shows it; a rejection means that nothing is asked and nothing runs. */
  readonly onWaiting: (request: ApprovalRequest) => Promise<void>;
  /** The same call with the texts the person changed, resolved, guarded and rated again. */
  readonly amend: (rated: Rated, edits: Readonly<Record<string, string>>) => Promise<Rated | Refusal>;
}

/** What a person denied in this task, by action: the same thing is not asked twice. */
export class DenialMemory {
  readonly #denied = new Map<string, string | undefined>();
  remember(key: string, reason: string | undefined): void {
    this.#denied.set(key, reason);
  }
  has(key: string): boolean {
    return this.#denied.has(key);
  }
  reasonFor(key: string): string | undefined {
    return this.#denied.get(key);
  }
}

/**
 * The order is fixed: guard deny, denied before, what runs without asking, standing grants, unattended, a
 * person. Nothing later overrides the guard.
 */
export async function passGate(rated: Rated, parts: GateParts, signal: AbortSignal): Promise<ApprovalCheck> {
  const decision = decisionOf(rated);
  if (decision.action === 'deny') return deny(guardRefusal(rated));
  const key = actionKey(rated, parts.sha256);
  if (parts.denials.has(key)) return deny(deniedEarlier(parts.denials.reasonFor(key)));
  const rule = freePass(rated, parts.policy);
  if (rule !== undefined) return grant(rated, { by: 'rule', source: rule, waitedMs: 0, scope: 'once', edited: false });
  const standing = parts.grants.use(rated, parts.sha256);
  if (standing !== undefined) {
    return grant(rated, { by: 'standing_grant', source: standing.covers, waitedMs: 0, scope: 'session', edited: false });
  }
  if (isUnattended(actorOf(rated).channel)) {
    return deny(refuse({
      stage: 'gate', code: 'denied_unattended', patternKey: decision.patternKey,
      forModel: `Not run: this needs a person's approval and nobody is there. ${decision.reason}`,
    }));
  }
  return askPerson(rated, key, parts, signal);
}

/** The rule by which a call needs nobody, or undefined. A finding that asks always needs somebody. */
export function freePass(rated: Rated, policy: Policy): string | undefined {
  if (decisionOf(rated).action !== 'allow') return undefined;
  const risk = riskOf(rated);
  if (risk === 'read_only') return 'read_only';
  if (risk === 'write' && policy.settings.approvalWrites === 'auto') return 'sluice.approval.writes';
  if (risk === 'exec' && rated.elevated.confinement === 'sandboxed') return 'confined';
  return undefined;
}

async function askPerson(rated: Rated, key: string, parts: GateParts, signal: AbortSignal): Promise<ApprovalCheck> {
  const request = parts.buildRequest(rated, mayStand(rated));
  await parts.onWaiting(request);
  const outcome = await parts.broker.ask(request, signal);
  const { answer } = outcome;
  if (outcome.how !== 'approved' || answer === undefined) {
    if (outcome.how === 'denied') parts.denials.remember(key, answer?.reason);
    return deny(refusalFor(outcome, rated), deciderOf(outcome, false));
  }
  const edits = realEdits(rated, answer);
  const final = edits === undefined ? rated : await parts.amend(rated, edits);
  if (isRefusal(final)) return deny(final, deciderOf(outcome, true));
  if (decisionOf(final).action === 'deny') return deny(guardRefusal(final), deciderOf(outcome, true));
  const stands = answer.scope === 'session' && edits === undefined && mayStand(final);
  if (stands) {
    const covers = request.card.choices.find((choice) => choice.scope === 'session')?.covers ?? subjectOf(final).target;
    parts.grants.give(final, covers, parts.now(), parts.sha256);
  }
  return grant(final, { ...deciderOf(outcome, edits !== undefined), scope: stands ? 'session' : 'once' });
}

/** Only texts that differ from what was proposed, and only for files of this request. */
function realEdits(rated: Rated, answer: Answer): Readonly<Record<string, string>> | undefined {
  const changed = Object.entries(answer.edits ?? {}).filter(([path, text]) => changesOf(rated)
    .some((change) => change.path.real === path && change.after !== text));
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function deciderOf(outcome: Outcome, edited: boolean): Decider {
  return { by: 'person', source: outcome.answer?.surface ?? 'nobody', waitedMs: outcome.waitedMs, scope: 'once', edited };
}

function grant(rated: Rated, decider: Decider): ApprovalCheck {
  const asked = decisionOf(rated).findings.filter((finding) => finding.action === 'ask').map((finding) => finding.approvalAction);
  return { denial: undefined, approvedActions: [...new Set(asked)], granted: Granted.issue(rated, decider) };
}

function deny(denial: Refusal, decider?: Decider): ApprovalCheck {
  return { denial, approvedActions: [], decider };
}

function guardRefusal(rated: Rated): Refusal {
  const decision = decisionOf(rated);
  const leading: Finding | undefined = decision.findings.find((finding) => finding.action === 'deny');
  const instead = leading?.instead === undefined ? '' : ` ${leading.instead}`;
  return refuse({
    stage: 'guard', code: leading?.patternKey === 'guard_failed' ? 'guard_failed' : 'guard_denied', patternKey: decision.patternKey,
    forModel: `Not run, and it will not be: ${decision.reason}${instead}`,
    forPerson: `${decision.reason}${instead}`,
  });
}

function deniedEarlier(reason: string | undefined): Refusal {
  const words = reason === undefined ? '' : ` They said: "${reason}"`;
  return refuse({
    stage: 'gate', code: 'denied_earlier', patternKey: 'denied_earlier',
    forModel: `Not run: the person already denied exactly this in this task.${words} Do not try it again; go another way or ask.`,
    forPerson: 'You denied exactly this before in this task.',
  });
}

function refusalFor(outcome: Outcome, rated: Rated): Refusal {
  const { patternKey } = decisionOf(rated);
  const base = { stage: 'gate' as const, patternKey };
  if (outcome.how === 'denied') {
    const reason = outcome.answer?.reason;
    const words = reason === undefined ? 'They gave no reason.' : `They said: "${reason}"`;
    return refuse({
      ...base, code: 'denied_by_person',
      forModel: `Denied by the person; nothing ran. ${words} Do not try the same thing again; go another way or ask.`,
      forPerson: reason === undefined ? 'You denied it.' : `You denied it: "${reason}"`,
    });
  }
  if (outcome.how === 'expired') {
    return refuse({ ...base, code: 'no_answer', retryable: true, forModel: 'No answer: nobody decided in time, so nothing ran. This is not a denial.', forPerson: 'Nobody answered in time. Nothing ran.' });
  }
  if (outcome.how === 'interrupted') {
    return refuse({ ...base, code: 'interrupted', retryable: true, forModel: 'Interrupted before anybody decided; nothing ran. This is not a denial.' });
  }
  return refuse({ ...base, code: 'cancelled', retryable: true, forModel: 'Cancelled before anybody decided; nothing ran.', forPerson: `Cancelled while waiting: ${resolvedOf(rated).resolution.subject.verb.toLowerCase()}. Nothing ran.` });
}
