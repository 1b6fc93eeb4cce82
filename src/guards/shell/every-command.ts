import type { Guard } from '../../core/chain/04-guard.ts';
import { commandsOf } from '../path/resources.ts';

/** Commands are not read any deeper yet, so each of them asks. */
export const everyCommand: Guard = {
  id: 'shell/every-command',
  check: (resolved) => {
    const [command] = commandsOf(resolved);
    if (command === undefined) return undefined;
    return {
      rule: 'shell/every-command', action: 'ask', patternKey: 'command_review', approvalAction: 'run_command',
      reason: 'Commands run programs of this project and this machine.',
    };
  },
};
