import { concernRule } from '../rule.ts';

export const truncate = concernRule({
  id: 'shell/truncate', keys: ['truncate'],
  reason: 'It empties or overwrites a file without showing what comes in',
  instead: 'Write the file with a tool, so that the change can be seen.',
  examples: {
    hit: ["> src/index.ts", "cat /dev/null > src/index.ts", "truncate -s0 x", "cp /dev/null src/a.ts", "dd if=/dev/zero of=f"],
    miss: ["echo x > f", "cat a > b"],
  },
});
