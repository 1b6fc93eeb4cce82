import { concernRule } from '../rule.ts';

export const gitHistory = concernRule({
  id: 'shell/git-history', keys: ['git_history'],
  reason: 'It rewrites history, here or on the server',
  instead: 'Make a new commit instead.',
  examples: {
    hit: ["git push --force", "git push -f", "git push origin +main", "git push --delete origin main", "git filter-branch --all", "git rebase main", "git commit --amend"],
    miss: ["git log", "git reflog"],
  },
});
