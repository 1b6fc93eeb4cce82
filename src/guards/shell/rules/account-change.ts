import { concernRule } from '../rule.ts';

export const accountChange = concernRule({
  id: 'shell/account-change', keys: ['account_change'], sensitive: true,
  reason: 'It changes user accounts',
  examples: {
    hit: ["useradd x", "passwd root", "visudo"],
    miss: ["whoami", "groups"],
  },
});
