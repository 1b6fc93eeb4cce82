import { concernRule } from '../rule.ts';

export const deletes = concernRule({
  id: 'shell/delete', keys: ['delete'],
  reason: 'It deletes files',
  instead: 'Name the files; they can go to the trash instead.',
  examples: {
    hit: ["rm README.md", "rmdir folder", "find . -name x -delete", "rsync -a --delete a/ b/", "xargs rm < list"],
    miss: ["ls", "git status"],
  },
});
