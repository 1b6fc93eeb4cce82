import { z } from 'zod';
import { defineTool, type Tool } from '../core/tool.ts';

/**
 * Judges addresses ahead of the tool that will fetch them: nothing here can run. `hosts` says what a name resolves to;
 * a name that is not in it is judged as written.
 */
export function judgedWebFetch(hosts: Readonly<Record<string, readonly string[]>>): Tool {
  return defineTool<z.infer<typeof schema>>({
    name: 'web_fetch', description: 'Fetch a page.', schema, capabilities: ['network.outbound'], risk: 'read_only', profiles: ['minimal', 'messaging', 'coding', 'full'],
    resolve: ({ url }) => Promise.resolve({
      subject: { verb: 'Fetch a page', target: url, form: 'text' }, changes: [],
      resources: [{ kind: 'address', asked: url, resolved: resolvedOf(url, hosts) }],
    }),
    run: () => Promise.resolve({ status: 'failed', text: 'Nothing is fetched here.', summary: 'not possible' }),
  });
}

const schema = z.strictObject({ url: z.string().min(1).max(8_192) });

function resolvedOf(url: string, hosts: Readonly<Record<string, readonly string[]>>): readonly string[] | undefined {
  if (!URL.canParse(url)) return undefined;
  const name = new URL(url).hostname;
  return Object.hasOwn(hosts, name) ? hosts[name] : undefined;
}
