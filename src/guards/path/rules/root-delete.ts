import { protectedFolder } from '../protected-folder.ts';
import { type PathRule } from '../subject.ts';

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
