import type { Guard } from '../../core/chain/04-guard.ts';
import { commandsOf } from '../path/resources.ts';

/** For people who want to see every command: the setting `sluice.approval.commands`. */
export const everyCommand: Guard = {
  id: 'shell/every-command',
  check: (resolved, { policy }) => {
    if (policy.settings.approvalCommands !== 'ask' || commandsOf(resolved).length === 0) return undefined;
    return {
      rule: 'shell/every-command', action: 'ask', patternKey: 'command_review', approvalAction: 'run_command',
      reason: 'Your settings ask before every command (sluice.approval.commands).',
    };
  },
};
