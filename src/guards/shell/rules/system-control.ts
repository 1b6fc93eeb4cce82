import { concernRule } from '../rule.ts';

export const serviceControl = concernRule({
  id: 'shell/system-control', keys: ['service_control'], sensitive: true,
  reason: 'It starts or stops services of the system',
  examples: {
    hit: ["systemctl restart x", "service nginx stop", "launchctl kickstart x"],
    miss: ["echo systemctl"],
  },
});
