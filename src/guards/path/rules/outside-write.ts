import { CHANGES, inWorkspace, QUIET_DEVICES, type PathRule } from '../subject.ts';

/** Changing anything outside the workspace. */
export const outsideWrite: PathRule = {
  id: 'path/outside-write', patternKey: 'outside_write',
  reason: 'It changes something outside the workspace',
  instead: 'Write inside the workspace.',
  judge: (subject) => {
    if (!CHANGES.has(subject.operation) || subject.target.uncertain || QUIET_DEVICES.test(subject.target.real)) return undefined;
    return inWorkspace(subject) ? undefined : 'ask';
  },
  examples: {
    hit: [{ operation: 'write', path: '/tmp/out.txt' }, { operation: 'write', path: '../file.txt' }, { operation: 'write', path: '~/file.txt' }, { operation: 'delete', path: '/var/log/auth.log' }, { operation: 'write', path: '/workspace/project-evil/x' }],
    miss: [{ operation: 'write', path: 'src/a.ts' }, { operation: 'write', path: '/dev/null' }, { operation: 'read', path: '/tmp/x' }],
  },
};
