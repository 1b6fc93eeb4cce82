import { concernRule } from '../rule.ts';

export const unknownOption = concernRule({
  id: 'shell/unknown-option', keys: ['unknown_option'],
  reason: 'Sluice does not know this option or subcommand',
  examples: {
    hit: ["git logout", "find . -foo", "git --config a=b status", "date --foo"],
    miss: ["ls -la", "git log --oneline"],
  },
});
