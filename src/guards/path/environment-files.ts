import type { Guard } from '../../core/chain/04-guard.ts';
import { foldedSegments, pathsOf } from './resources.ts';

const ENVIRONMENT_FILE = /^\.env(rc|[^a-z0-9].*)?$/;
const EXAMPLES = /\.(example|sample|template|dist)$/;

/** `.env` files usually hold secrets: reading and writing them asks each time, examples excepted. */
export const environmentFiles: Guard = {
  id: 'path/environment-files',
  check: (resolved) => {
    const hit = pathsOf(resolved).some((path) => {
      const name = foldedSegments(path.real).at(-1) ?? '';
      return path.operation !== 'list' && ENVIRONMENT_FILE.test(name) && !EXAMPLES.test(name);
    });
    if (!hit) return undefined;
    return {
      rule: 'path/environment-files', action: 'ask', patternKey: 'environment_file', approvalAction: 'read_sensitive', sensitive: true,
      reason: 'Environment files usually hold secrets; what is read goes to the model.', banner: 'This file may hold a secret.',
    };
  },
};
