import { concernRule } from '../rule.ts';

export const ownership = concernRule({
  id: 'shell/ownership', keys: ['ownership'],
  reason: 'It changes who owns files',
  examples: {
    hit: ["chown root x", "chown -R user:group .", "chgrp staff x"],
    miss: ["ls -l"],
  },
});
