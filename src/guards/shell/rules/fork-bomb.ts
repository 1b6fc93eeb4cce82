import { concernRule } from '../rule.ts';

export const forkBomb = concernRule({
  id: 'shell/fork-bomb', keys: ['fork_bomb'], action: 'deny', sensitive: true,
  reason: 'It starts copies of itself until the machine stops',
  instead: 'Run the work once, with a limit.',
  examples: {
    hit: [":(){ :|:& };:", "bomb() { bomb | bomb & }; bomb"],
    miss: ["f(){ ls; }; f", "ls | ls"],
  },
});
