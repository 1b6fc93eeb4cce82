import { concernRule } from '../rule.ts';

export const unknownCommand = concernRule({
  id: 'shell/unknown-command', keys: ['unknown_command'],
  reason: 'Sluice does not know this program',
  examples: {
    hit: ["foo", "git status && madeup", "测试命令"],
    miss: ["ls", "rg x"],
  },
});
