import { concernRule } from '../rule.ts';

export const dynamic = concernRule({
  id: 'shell/dynamic', keys: ['dynamic_command', 'dynamic_argument'],
  reason: 'Part of the command is decided only when it runs',
  instead: 'Write the command out.',
  examples: {
    hit: ["rg -g\"$VAR\" pattern", "$X ls", "sed \"$(cat x)\" f"],
    miss: ["echo \"hi $USER\"", "ls $(dirname src/a.ts)"],
  },
});
