import type { AddressResource } from '../../core/call.ts';
import type { Guard, GuardContext } from '../../core/chain/04-guard.ts';
import type { Finding } from '../../core/verdict.ts';
import { judgeAddress, judgeResolved, type AddressAnswer } from './address.ts';

/** Every address of a call, as written and as resolved. */
export const networkGuard: Guard = {
  id: 'network/address',
  check: (resolved, context) => resolved.resolution.resources.flatMap((resource) => (resource.kind === 'address' ? findingsOf(resource, context) : [])),
};

function findingsOf({ asked, resolved }: AddressResource, { policy: { settings } }: GuardContext): Finding[] {
  const rules = { policy: settings.networkPolicy, allowedHosts: settings.networkAllowedHosts, deniedHosts: settings.networkDeniedHosts };
  const answers: (AddressAnswer | undefined)[] = [judgeAddress(asked, rules)];
  if (resolved?.length === 0) answers.push({ action: 'deny', patternKey: 'address_unresolved', reason: 'The name leads nowhere' });
  for (const address of resolved ?? []) answers.push(judgeResolved(address));
  return answers.filter((answer) => answer !== undefined).map(({ action, patternKey, reason }) => ({
    rule: 'network/address', action, patternKey, reason: `${reason}.`, approvalAction: 'network_access', instead: action === 'deny' ? INSTEAD : undefined,
  }));
}

const INSTEAD = 'Use what is in the workspace, or ask the person for the text.';
