import { concernRule } from '../rule.ts';

export const power = concernRule({
  id: 'shell/power', keys: ['power'], action: 'deny', sensitive: true,
  reason: 'It turns the machine off or restarts it',
  instead: 'Ask the person to do it when the work is saved.',
  examples: {
    hit: ["shutdown -h now", "sudo reboot", "systemctl poweroff", "halt -f", "init 0"],
    miss: ["cat docs/shutdown.md", "echo reboot", "systemctl status x"],
  },
});
