import { concernRule } from '../rule.ts';

export const interactive = concernRule({
  id: 'shell/interactive', keys: ['interactive'],
  reason: 'It waits for someone to type',
  examples: {
    hit: ["vim x", "bash", "python3", "ed -s f <<< '!id'"],
    miss: ["cat x", "bash -c ls"],
  },
});
