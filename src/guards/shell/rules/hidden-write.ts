import { concernRule } from '../rule.ts';

export const hiddenWrite = concernRule({
  id: 'shell/hidden-write', keys: ['hidden_write'], approvalAction: 'write_file',
  reason: 'A command that usually only reads writes a file',
  instead: 'Let it print, and write the file with a tool.',
  examples: {
    hit: ["sort -o a b", "uniq a b", "git log --output x", "tree -o x", "base64 -ob64.txt", "sort --outp=x y"],
    miss: ["sort a", "uniq a", "base64 a"],
  },
});
