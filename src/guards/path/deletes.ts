import { CHANGES, folded, passesThrough, type PathRule } from './subject.ts';
import { protectedFolder } from './system.ts';

/** A last component that stands for everything in its folder. */
const EVERYTHING = /^(?:\*+|\.\*|\.\[.*\]\*|\?+\*?|\[.*\]\*|\?{1,4}|\{?\*[^.]?)$/;

/** Deleting the system, the home folder or the whole workspace. */
export const rootDelete: PathRule = {
  id: 'path/root-delete', patternKey: 'root_delete', sensitive: true,
  reason: 'It deletes a system folder, your home folder or the whole workspace',
  instead: 'Name the files or the folder below that should go; a single folder can be deleted after you agree.',
  judge: (subject) => {
    const { operation, target } = subject;
    if ((operation !== 'delete_tree' && operation !== 'delete') || target.real === '') return undefined;
    const at = target.real.lastIndexOf('/');
    const last = target.real.slice(at + 1);
    if (target.glob && EVERYTHING.test(last)) return protectedFolder(target.real.slice(0, at) || '/', subject) ? 'deny' : undefined;
    if (operation === 'delete' || (target.uncertain && target.asked.includes('…'))) return undefined;
    return protectedFolder(target.real, subject) ? 'deny' : undefined;
  },
  examples: {
    hit: [{ operation: 'delete_tree', path: '/' }, { operation: 'delete_tree', path: '~' }, { operation: 'delete_tree', path: '/???' }, { operation: 'delete_tree', path: '~/../..' }, { operation: 'delete_tree', path: '/home/*' }, { operation: 'delete_tree', path: '.' }, { operation: 'delete_tree', path: '/etc' }, { operation: 'delete', path: '/*' }],
    miss: [{ operation: 'delete_tree', path: 'build' }, { operation: 'delete_tree', path: '/tmp/cache' }, { operation: 'delete_tree', path: '~/Documents/repo' }, { operation: 'delete_tree', path: '/var/log' }, { operation: 'delete', path: '*.log' }],
  },
};

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

/** The agent must not change what judges it. */
export const ownPolicy: PathRule = {
  id: 'path/own-policy', patternKey: 'own_policy', sensitive: true,
  reason: 'It changes the policy or the audit that judge the agent',
  instead: 'Change the policy yourself in the settings; nobody changes the audit.',
  judge: ({ operation, target }) => {
    if (!CHANGES.has(operation)) return undefined;
    const parts = folded(target.real);
    const ours = passesThrough(parts, ['.sluice']) || parts.some((part, index) => part.startsWith('sluice.') && passesThrough(parts.slice(Math.max(0, index - 1), index), ['.vscode']));
    return ours ? (target.uncertain ? 'ask' : 'deny') : undefined;
  },
  examples: {
    hit: [{ operation: 'write', path: '.sluice/policy.json' }, { operation: 'delete', path: '.sluice/audit.jsonl' }, { operation: 'empty', path: './.Sluice/audit.jsonl' }, { operation: 'delete_tree', path: '.sluice' }, { operation: 'write', path: '.vscode/sluice.tests.json' }],
    miss: [{ operation: 'read', path: '.sluice/policy.json' }, { operation: 'write', path: 'src/sluice.ts' }, { operation: 'list', path: '.sluice' }],
  },
};
