import { concernRule } from '../rule.ts';

export const patch = concernRule({
  id: 'shell/patch', keys: ['patch'], approvalAction: 'write_file',
  reason: 'It changes whichever files a patch names',
  instead: 'Apply the change with the edit tool, so that it can be seen.',
  examples: {
    hit: ["patch -p1 < fix.patch", "git apply x.patch", "git am x"],
    miss: ["cat fix.patch"],
  },
});
