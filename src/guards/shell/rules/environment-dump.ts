import { concernRule } from '../rule.ts';

export const environmentDump = concernRule({
  id: 'shell/environment-dump', keys: ['environment_dump'], approvalAction: 'read_sensitive', sensitive: true,
  reason: 'It prints every variable, tokens included',
  instead: 'Ask for one variable by its name.',
  examples: {
    hit: ["env", "printenv", "export -p", "set", "jq -n 'env'"],
    miss: ["printenv PATH", "env NODE_ENV=test ls", "echo $HOME"],
  },
});
