import { z } from 'zod';
import { defineTool } from '../../core/tool.ts';
import { listed } from '../listing.ts';
import { pathParameter } from '../parameters.ts';
import { failed, plural, refuseResolve, shownPath } from '../subject.ts';

const LIMIT = 200;

const schema = z.strictObject({
  pattern: pathParameter.max(500).describe('glob, e.g. **/*.ts'),
  path: pathParameter.optional().describe('directory to search'),
});

export const findFiles = defineTool<z.infer<typeof schema>>({
  name: 'find_files',
  description: 'Find files by name. Skips ignored and credential files.',
  schema,
  capabilities: ['fs.read'],
  risk: 'read_only',
  profiles: ['minimal', 'messaging', 'coding', 'full'],
  resolve: async ({ pattern, path }, { reading }) => {
    const root = await reading.locate(path ?? '.', 'list');
    if (root.folder !== undefined && root.fileKind === 'missing') return refuseResolve('not_found', `${root.asked} does not exist.`);
    return {
      subject: { verb: 'Find files', target: `${pattern} in ${shownPath(root)}`, form: 'text' },
      resources: [root], changes: [],
    };
  },
  run: async ({ pattern }, { resources }, effects) => {
    const root = resources[0];
    if (root?.kind !== 'path') return failed('Nowhere to search.', 'nowhere to search');
    const found = await effects.findFiles(root, pattern, LIMIT);
    return listed({
      what: `${pattern} in ${shownPath(root)}`, unit: (count) => plural(count, 'file'),
      lines: found.items, truncated: found.truncated, advice: 'Narrow the pattern or the path.',
    });
  },
});
