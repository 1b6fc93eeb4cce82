import { concernRule } from '../rule.ts';

export const shellState = concernRule({
  id: 'shell/shell-state', keys: ['shell_state'],
  reason: 'It changes what later words of the line mean',
  examples: {
    hit: ["alias ls='rm x'; ls", "hash -p /tmp/e ls; ls", "enable -n echo", "exec 3<&0"],
    miss: ["set -e; ls", "shopt -s globstar"],
  },
});
