import { concernRule } from '../rule.ts';

export const environmentInjection = concernRule({
  id: 'shell/environment-injection', keys: ['environment_injection'], sensitive: true,
  reason: 'A variable changes which code is loaded',
  instead: 'Leave the variable out.',
  examples: {
    hit: ["LD_PRELOAD=./e.so ls", "PATH=.:$PATH ls", "BASH_ENV=./e bash -c ls", "GIT_SSH_COMMAND='sh -c id' git fetch", "export NODE_OPTIONS=--require=./e; npm test"],
    miss: ["NODE_ENV=test npm test", "FOO=bar ls", "PAGER=cat git log"],
  },
});
