import type { Guard } from '../../core/chain/04-guard.ts';
import { foldedSegments, isWrite, pathsOf } from './resources.ts';

/** Nothing the agent does writes Sluice's own files or git's: the record and the hooks are not its to change. */
export const ownFiles: Guard = {
  id: 'path/own-files',
  check: (resolved) => {
    const written = pathsOf(resolved).filter(isWrite).map((path) => foldedSegments(path.real));
    if (written.some((segments) => segments.includes('.sluice'))) {
      return {
        rule: 'path/own-files', action: 'deny', patternKey: 'own_files', approvalAction: 'write_file', sensitive: true,
        reason: 'It would change Sluice\'s own policy or audit files.', instead: 'The person can change settings in the editor.',
      };
    }
    if (written.some((segments) => segments.includes('.git'))) {
      return {
        rule: 'path/own-files', action: 'deny', patternKey: 'git_internals', approvalAction: 'write_file', sensitive: true,
        reason: 'It would write inside git\'s own folder.', instead: 'Use git commands instead.',
      };
    }
    return undefined;
  },
};
