import { concernRule } from '../rule.ts';

export const background = concernRule({
  id: 'shell/background', keys: ['background'],
  reason: 'It goes on running after the line has ended',
  instead: 'Run it in the foreground with a time limit.',
  examples: {
    hit: ["sleep 100 &", "nohup ls", "setsid ls"],
    miss: ["ls && pwd"],
  },
});
