import { READS, contains, type PathRule } from '../subject.ts';

/** A folder whose contents are read whole, with credentials somewhere below. */
export const credentialTree: PathRule = {
  id: 'path/credential-tree', patternKey: 'credential_tree', sensitive: true,
  reason: 'It reads everything below a folder that also holds your keys and settings',
  instead: 'Name the folder that is needed.',
  judge: ({ operation, target, place }) => {
    if (!READS.has(operation) || target.real === '' || (operation === 'read' && !target.glob)) return undefined;
    const folder = target.real.replace(/\/[^/]*[*?[][^/]*$/, '') || '/';
    return operation === 'read_tree' && contains(folder, place.home) ? 'ask' : undefined;
  },
  examples: {
    hit: [{ operation: 'read_tree', path: '/' }, { operation: 'read_tree', path: '~/' }, { operation: 'read_tree', path: '/home' }],
    miss: [{ operation: 'read_tree', path: 'src' }, { operation: 'list', path: '/' }, { operation: 'read_tree', path: '~/Documents/notes' }],
  },
};
