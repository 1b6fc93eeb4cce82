import { z } from 'zod';
import type { DirectoryEntry } from '../../core/ports.ts';
import { defineTool } from '../../core/tool.ts';
import { listed } from '../listing.ts';
import { pathParameter } from '../parameters.ts';
import { failed, isProblem, pathSubject, plural, shownPath, unread } from '../subject.ts';

const DEFAULT_LIMIT = 200;

const schema = z.strictObject({
  path: pathParameter.optional().describe('default: the workspace folder'),
  limit: z.int().min(1).max(1_000).optional(),
});

export const listDirectory = defineTool<z.infer<typeof schema>>({
  name: 'list_directory',
  description: 'List one directory, not its subdirectories. Directories end in /.',
  schema,
  capabilities: ['fs.read'],
  risk: 'read_only',
  profiles: ['minimal', 'messaging', 'coding', 'full'],
  resolve: async ({ path }, { reading }) => {
    const located = await reading.locate(path ?? '.', 'list');
    return { subject: pathSubject('List a directory', located), resources: [located], changes: [] };
  },
  run: async ({ limit }, { resources }, effects) => {
    const path = resources[0];
    if (path?.kind !== 'path') return failed('Nothing to list.', 'nothing to list');
    const found = await effects.listDirectory(path, limit ?? DEFAULT_LIMIT);
    if (isProblem(found)) return unread(found);
    return listed({
      what: shownPath(path), unit: (count) => count === 1 ? '1 entry' : `${count} entries`,
      lines: found.items.map(entryLine), truncated: found.truncated, advice: 'Raise limit or use find_files.',
    });
  },
});

function entryLine({ name, kind, bytes }: DirectoryEntry): string {
  if (kind === 'directory') return `${name}/`;
  if (kind === 'link') return `${name} (link)`;
  if (kind === 'other') return `${name} (not a regular file)`;
  return bytes === undefined ? name : `${name} (${plural(bytes, 'byte')})`;
}
