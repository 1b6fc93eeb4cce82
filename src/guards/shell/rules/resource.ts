import { concernRule } from '../rule.ts';

export const resource = concernRule({
  id: 'shell/resource', keys: ['resource'],
  reason: 'It can use up memory, disk or processes',
  examples: {
    hit: ["sort -S 100G f", "fallocate -l 1T f", "column -c 10000 f"],
    miss: ["sort f", "column f"],
  },
});
