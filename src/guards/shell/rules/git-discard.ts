import { concernRule } from '../rule.ts';

export const gitDiscard = concernRule({
  id: 'shell/git-discard', keys: ['git_discard'],
  reason: 'It throws away changes, branches or stashes',
  instead: 'Commit or stash the changes first.',
  examples: {
    hit: ["git checkout -- .", "git restore .", "git reset --hard", "git clean -fdx", "git stash drop", "git branch -D main"],
    miss: ["git status", "git stash list"],
  },
});
