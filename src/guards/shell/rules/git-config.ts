import { concernRule } from '../rule.ts';

export const gitConfig = concernRule({
  id: 'shell/git-config', keys: ['git_config'], sensitive: true,
  reason: 'It changes how git behaves, and git can be told to start programs',
  examples: {
    hit: ["git config alias.st '!x'", "git -c core.pager=x log", "git -ccore.pager=cat status", "git config --global core.editor x", "git remote add x y"],
    miss: ["git config --get user.name", "git config user.name", "git remote -v"],
  },
});
