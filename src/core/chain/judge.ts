import type { SandboxStatus } from '../ports.ts';
import type { Sha256 } from '../digest.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { ResolveContext, Tool } from '../tool.ts';
import { checkVisibility } from './01-visibility.ts';
import { parseArguments } from './02-schema.ts';
import { resolveCall } from './03-resolve.ts';
import { guardCall, type Guard, type GuardContext } from './04-guard.ts';
import { elevateCall } from './05-elevate.ts';
import { rateCall } from './06-risk.ts';
import type { Parsed, Proposed, Rated, Resolved } from './stages.ts';

/** What stages 1 to 6 need: nothing of it has an effect. */
export interface JudgeParts {
  readonly tools: readonly Tool[];
  readonly guards: readonly Guard[];
  readonly guardContext: GuardContext;
  readonly resolveContext: ResolveContext;
  readonly sandbox: () => Promise<SandboxStatus>;
  readonly sha256: Sha256;
}

/** How far the call came, kept when a later stage refuses. */
export interface JudgeTrail {
  parsed?: Parsed;
  resolved?: Resolved;
}

/** Stages 1 to 6 for one call: the same for a call that may run and for one that is only explained. */
export async function judgeCall(proposed: Proposed, parts: JudgeParts, trail: JudgeTrail): Promise<Rated | Refusal> {
  const { policy } = parts.guardContext;
  const visible = checkVisibility(proposed, parts.tools, { policy, channel: proposed.actor.channel });
  if (isRefusal(visible)) return visible;
  const parsed = parseArguments(visible, parts.sha256);
  if (isRefusal(parsed)) return parsed;
  trail.parsed = parsed;
  const resolved = await resolveCall(parsed, parts.resolveContext, parts.sha256);
  if (isRefusal(resolved)) return resolved;
  trail.resolved = resolved;
  return rateResolved(resolved, parts);
}

/** Stages 4 to 6; also the way of a call that the person amended. */
export async function rateResolved(resolved: Resolved, parts: Pick<JudgeParts, 'guards' | 'guardContext' | 'sandbox'>): Promise<Rated> {
  const guarded = guardCall(resolved, parts.guards, parts.guardContext);
  const needsSandbox = resolved.parsed.visible.tool.capabilities.some((capability) => capability === 'process.exec' || capability === 'code.exec');
  const sandbox = needsSandbox && guarded.decision.action !== 'deny' ? await parts.sandbox() : undefined;
  return rateCall(elevateCall(guarded, sandbox?.available === true, sandbox?.detail ?? 'not checked'));
}
