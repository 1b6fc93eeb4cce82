import { concernRule } from '../rule.ts';

export const gitWrite = concernRule({
  id: 'shell/git-write', keys: ['git_write'],
  reason: 'It changes the repository',
  examples: {
    hit: ["git add -A", "git commit -m x", "git checkout -b f", "git tag -fd v1", "git branch new", "git notes add -m x", "git revert HEAD --no-edit"],
    miss: ["git status", "git branch -a", "git tag -l", "git stash list"],
  },
});
