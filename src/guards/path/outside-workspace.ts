import type { Guard } from '../../core/chain/04-guard.ts';
import { isWrite, pathsOf } from './resources.ts';

/** Writes stay inside the workspace folders, judged on the real path. Reads outside ask. */
export const outsideWorkspace: Guard = {
  id: 'path/outside-workspace',
  check: (resolved) => {
    const outside = pathsOf(resolved).filter((path) => path.folder === undefined);
    if (outside.some(isWrite)) {
      return {
        rule: 'path/outside-workspace', action: 'deny', patternKey: 'outside_workspace', approvalAction: 'write_file',
        reason: 'It would write outside the workspace.',
        instead: 'Write inside the workspace, or ask the person to open the other folder.',
      };
    }
    if (outside.length === 0) return undefined;
    return {
      rule: 'path/outside-workspace', action: 'ask', patternKey: 'outside_read', approvalAction: 'read_sensitive', sensitive: true,
      reason: 'It reads outside the workspace.',
    };
  },
};
