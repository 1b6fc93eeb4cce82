import { z } from 'zod';
import { defineTool } from '../../core/tool.ts';
import { listed } from '../listing.ts';
import { commandPartParameter, pathParameter } from '../parameters.ts';
import { failed, plural, refuseResolve, shownPath } from '../subject.ts';

const LIMIT = 200;
/** UTF-16 units shown of a matching line; the search itself may already have clipped it with `...`. */
const LINE_LIMIT = 600;

const schema = z.strictObject({
  pattern: commandPartParameter(1_000).min(1),
  path: pathParameter.optional().describe('directory or file to search'),
  regex: z.boolean().optional(),
  case_sensitive: z.boolean().optional().describe('default true'),
  include: pathParameter.max(500).optional().describe('glob of file names'),
});

export const searchText = defineTool<z.infer<typeof schema>>({
  name: 'search_text',
  description: 'Search file contents, line by line; results are path:line: text. Skips ignored and credential files.',
  schema,
  capabilities: ['fs.read'],
  risk: 'read_only',
  profiles: ['minimal', 'messaging', 'coding', 'full'],
  resolve: async ({ pattern, path }, { reading }) => {
    const root = await reading.locate(path ?? '.', 'read');
    if (root.folder !== undefined && root.fileKind === 'missing') return refuseResolve('not_found', `${root.asked} does not exist.`);
    return {
      subject: { verb: 'Search text', target: `${pattern} in ${shownPath(root)}`, form: 'text' },
      resources: [root], changes: [],
    };
  },
  run: async (args, { resources }, effects) => {
    const root = resources[0];
    if (root?.kind !== 'path') return failed('Nowhere to search.', 'nowhere to search');
    const query = {
      pattern: args.pattern, regex: args.regex ?? false, caseSensitive: args.case_sensitive ?? true, include: args.include,
    };
    const found = await effects.searchText(root, query, LIMIT);
    return listed({
      what: `${args.pattern} in ${shownPath(root)}`, unit: (count) => plural(count, 'match').replace('matchs', 'matches'),
      lines: found.items.map(({ path, line, text }) => `${path}:${line}: ${shorten(text)}`),
      truncated: found.truncated, advice: 'Narrow the pattern, the path or include.',
    });
  },
});

function shorten(text: string): string {
  return text.length <= LINE_LIMIT ? text : `${text.slice(0, LINE_LIMIT).toWellFormed()} [cut]`;
}
