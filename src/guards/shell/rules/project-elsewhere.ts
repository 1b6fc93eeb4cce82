import { concernRule } from '../rule.ts';

export const projectElsewhere = concernRule({
  id: 'shell/project-elsewhere', keys: ['project_elsewhere'], sensitive: true,
  reason: 'It runs code or settings of another folder than the one you opened',
  instead: 'Open that folder as a workspace.',
  examples: {
    hit: ["git -C /tmp/evil status", "cargo -C /tmp/evil build", "npm --prefix /tmp/evil test", "npm run --pref=/tmp/evil test", "cd /tmp && make", "pytest /tmp/x"],
    miss: ["git -C packages/core status", "cargo test", "npm test"],
  },
});
