import { concernRule } from '../rule.ts';

export const gitRemote = concernRule({
  id: 'shell/git-remote', keys: ['git_remote'], approvalAction: 'network_access',
  reason: 'Git reaches a server',
  examples: {
    hit: ["git fetch", "git pull --rebase", "git clone https://x.test/a", "git ls-remote"],
    miss: ["git remote -v", "git log"],
  },
});
