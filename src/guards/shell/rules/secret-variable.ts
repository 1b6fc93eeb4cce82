import { concernRule } from '../rule.ts';

export const secretVariable = concernRule({
  id: 'shell/secret-variable', keys: ['secret_variable'], approvalAction: 'read_sensitive', sensitive: true,
  reason: 'It uses a variable whose name says that it holds a secret',
  instead: 'Lend the credential for one call instead.',
  examples: {
    hit: ["echo $GITHUB_TOKEN", "printenv AWS_SECRET_ACCESS_KEY"],
    miss: ["echo $HOME", "TOKEN=x; echo $TOKEN"],
  },
});
