import { concernRule } from '../rule.ts';

export const processKill = concernRule({
  id: 'shell/process-kill', keys: ['process_kill'],
  reason: 'It ends other processes',
  instead: 'Stop what the agent itself started through its own tool.',
  examples: {
    hit: ["kill 1234", "pkill -9 -u $USER", "killall5 -9", "fuser -k 80/tcp"],
    miss: ["cat src/kill.ts", "kill -l"],
  },
});
