import { concernRule } from '../rule.ts';

export const interpreterInput = concernRule({
  id: 'shell/interpreter-input', keys: ['interpreter_input'],
  reason: 'An interpreter runs what it reads from elsewhere',
  instead: 'Run a file of the workspace instead.',
  examples: {
    hit: ["echo id | sh", "python3 <<'E'\nprint(1)\nE", "cat x | node", "sh < p"],
    miss: ["cat x | grep y", "bash -c ls"],
  },
});
