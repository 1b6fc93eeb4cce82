import type { Guard } from '../../core/chain/04-guard.ts';
import { pathsOf } from './resources.ts';

/** Devices, pipes and sockets are not files to read or write. */
export const specialFiles: Guard = {
  id: 'path/special-files',
  check: (resolved) => {
    if (!pathsOf(resolved).some((path) => path.fileKind === 'other')) return undefined;
    return {
      rule: 'path/special-files', action: 'deny', patternKey: 'special_file', approvalAction: 'use_tool',
      reason: 'It is not a regular file or folder.',
    };
  },
};
