import type { PathRule } from '../subject.ts';

/** A path that is known only when the command runs. */
export const unknownPath: PathRule = {
  id: 'path/unknown', patternKey: 'dynamic_path',
  reason: 'Which file it touches is decided only when it runs',
  instead: 'Write the path out.',
  judge: ({ operation, target }) => (target.uncertain && operation !== 'list' ? 'ask' : undefined),
  examples: { hit: [{ operation: 'read', path: 'src/…', uncertain: true }, { operation: 'delete', path: '…', uncertain: true }], miss: [{ operation: 'read', path: 'src/a.ts' }, { operation: 'write', path: 'dist/app.js' }] },
};
