import { folded, passesThrough, type PathRule } from '../subject.ts';

/** Deleting the history of the project. */
export const gitDelete: PathRule = {
  id: 'path/git-delete', patternKey: 'git_dir_delete', sensitive: true,
  reason: 'It deletes the repository itself, with everything that is not pushed',
  instead: 'Delete single branches or files through git.',
  judge: ({ operation, target }) => {
    const parts = folded(target.real);
    const last = parts[parts.length - 1] ?? '';
    const inside = parts[parts.length - 2] === '.git' && (/^\*+$/.test(last) || last === 'objects' || last === 'refs');
    return (operation === 'delete_tree' || operation === 'delete') && !target.uncertain && (passesThrough([last], ['.git']) || inside) ? 'deny' : undefined;
  },
  examples: {
    hit: [{ operation: 'delete_tree', path: '.git' }, { operation: 'delete_tree', path: './.GIT/' }, { operation: 'delete_tree', path: '.git/*' }, { operation: 'delete_tree', path: '.gi[t]' }],
    miss: [{ operation: 'delete_tree', path: 'build' }, { operation: 'delete', path: '.gitignore' }, { operation: 'read', path: '.git' }],
  },
};
