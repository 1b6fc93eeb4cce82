import { type PathRule } from '../subject.ts';

/** A pattern as the target of a change may reach more than was meant, links included. */
export const patternWrite: PathRule = {
  id: 'path/pattern-write', patternKey: 'pattern_write',
  reason: 'It changes whatever a pattern matches',
  instead: 'Write the names out.',
  judge: ({ operation, target }) => (target.glob && (operation === 'empty' || operation === 'permissions') ? 'ask' : undefined),
  examples: { hit: [{ operation: 'empty', path: 'logs/*' }], miss: [{ operation: 'empty', path: 'logs/a' }, { operation: 'read', path: 'src/*.ts' }] },
};
