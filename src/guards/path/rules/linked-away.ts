import { isWithin } from '../../../core/command/place.ts';
import { CHANGES, type PathRule } from '../subject.ts';

/** A link that leads from one folder of the workspace into another, or out of it. */
export const linkedAway: PathRule = {
  id: 'path/linked-away', patternKey: 'linked_away',
  reason: 'A link leads somewhere else than the path says',
  instead: 'Name the file it really is.',
  judge: ({ operation, target, place }) => {
    if (!target.linked || !CHANGES.has(operation)) return undefined;
    const written = place.roots.find((root) => isWithin(target.asked, root)) ?? (target.asked.startsWith('/') ? undefined : place.roots[0]);
    return written !== undefined && isWithin(target.real, written) ? undefined : 'ask';
  },
  examples: { hit: [{ operation: 'write', path: 'src/a.ts', leads: '/workspace/other/a.ts' }, { operation: 'delete', path: 'out', leads: '/etc' }], miss: [{ operation: 'write', path: 'src/a.ts' }] },
};
