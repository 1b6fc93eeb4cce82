import { z } from 'zod';
import type { Problem } from '../../core/ports.ts';
import { defineTool } from '../../core/tool.ts';
import { listed } from '../listing.ts';
import { pathParameter } from '../parameters.ts';
import { pathSubject, plural, shownPath } from '../subject.ts';

const LIMIT = 100;

const schema = z.strictObject({ path: pathParameter.optional() });

export const readDiagnostics = defineTool<z.infer<typeof schema>>({
  name: 'read_diagnostics',
  description: 'Read the editor\'s Problems panel, for one file or the whole workspace.',
  schema,
  capabilities: ['editor.read'],
  risk: 'read_only',
  profiles: ['minimal', 'messaging', 'coding', 'full'],
  resolve: async ({ path }, { reading }) => {
    if (path === undefined) {
      return { subject: { verb: 'Read problems', target: 'the whole workspace', form: 'text' }, resources: [], changes: [] };
    }
    const located = await reading.locate(path, 'read');
    return { subject: pathSubject('Read problems', located), resources: [located], changes: [] };
  },
  run: async (_args, { resources }, effects) => {
    const path = resources[0];
    const one = path?.kind === 'path' ? path : undefined;
    const found = await effects.readProblems(one, LIMIT);
    return listed({
      what: `problems in ${one === undefined ? 'the workspace' : shownPath(one)}`, unit: (count) => plural(count, 'problem'),
      lines: found.items.map(problemLine), truncated: found.truncated, advice: 'Ask for one file.',
    });
  },
});

function problemLine({ path, line, column, severity, message, source }: Problem): string {
  return `${path}:${line}:${column}: ${severity}: ${message}${source === undefined ? '' : ` (${source})`}`;
}
