import { concernRule } from '../rule.ts';

export const gitPush = concernRule({
  id: 'shell/git-push', keys: ['git_push'], approvalAction: 'network_access',
  reason: 'It sends commits to a server',
  examples: {
    hit: ["git push", "git push -u origin feature"],
    miss: ["git log origin/main"],
  },
});
