import { concernRule } from '../rule.ts';

export const kernel = concernRule({
  id: 'shell/kernel', keys: ['kernel'], sensitive: true,
  reason: 'It changes the system itself: clock, network, kernel or its settings',
  examples: {
    hit: ["date --set=x", "date --se=2020-01-01", "setenforce 0", "sysctl -w a=b", "hostname evil"],
    miss: ["date +%F", "hostname", "uname -a"],
  },
});
