import { concernRule } from '../rule.ts';

export const programOption = concernRule({
  id: 'shell/program-option', keys: ['program_option'],
  reason: 'An option starts another program, or loads code or settings',
  examples: {
    hit: ["rg --pre cat x", "sort --co=sh big.txt", "git grep -O'sh -c id' x", "go build -toolexec ./e", "sed '1e id' f", "find . -fprint x", "node -r ./e.js a.js"],
    miss: ["rg x", "sort a", "git grep x"],
  },
});
