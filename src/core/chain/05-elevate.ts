import type { Confinement, Finding } from '../verdict.ts';
import type { Elevated, Guarded } from './stages.ts';

/**
 * Decides where the call would run. A process runs in the sandbox; without one it is `unconfined`, which adds
 * a finding that always needs a person, whatever rules and standing grants say.
 */
export function elevateCall(guarded: Guarded, sandboxAvailable: boolean, why: string): Elevated {
  const { tool } = guarded.resolved.parsed.visible;
  const starts = tool.capabilities.some((capability) => capability === 'process.exec' || capability === 'code.exec');
  if (!starts) return { stage: 'elevated', guarded, confinement: 'none_needed' };
  const confinement: Confinement = sandboxAvailable ? 'sandboxed' : 'unconfined';
  if (confinement === 'sandboxed') return { stage: 'elevated', guarded, confinement };
  const finding: Finding = {
    rule: 'sandbox/unconfined', action: 'ask', patternKey: 'unconfined_run', approvalAction: 'run_command', sensitive: true,
    reason: `It would run without the sandbox: ${why}`,
    banner: 'Runs unconfined: it can read and change everything you can.',
  };
  const { decision } = guarded;
  const leads = decision.action === 'allow';
  return {
    stage: 'elevated', confinement,
    guarded: {
      ...guarded,
      decision: {
        ...decision, findings: [...decision.findings, finding],
        ...(leads ? { action: 'ask' as const, reason: finding.reason, patternKey: finding.patternKey, approvalAction: finding.approvalAction } : {}),
      },
    },
  };
}
