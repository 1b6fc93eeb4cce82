import { z } from 'zod';
import { CHANNELS } from '../core/call.ts';
import type { GrammarBytes } from '../core/command/grammar.ts';
import { mergeLayers, type Policy } from '../core/policy/layers.ts';
import { explainCall, type Explanation } from '../core/policy/explain.ts';
import type { JudgeParts } from '../core/chain/judge.ts';
import type { Reading } from '../core/ports.ts';
import { GUARDS } from '../guards/index.ts';
import { createReading } from '../host/reading.ts';
import { createShellAnalysis } from '../host/shell-analysis.ts';
import { sha256 } from '../host/system.ts';
import { TOOLS } from '../tools/index.ts';
import { createMadeUpReading, linkOf } from './made-up.ts';
import type { DecideOptions } from './options.ts';
import { judgedWebFetch } from './web-fetch.ts';

/** Longest line, in characters; a call's arguments are bounded by the schema stage as well. */
const LINE_LIMIT = 2_000_000;

const lineSchema = z.strictObject({
  id: z.union([z.string(), z.number()]).optional(),
  tool: z.string(),
  args: z.unknown().optional(),
  channel: z.enum(CHANNELS).optional(),
  shell: z.string().min(1).max(100).optional(),
});
type Line = z.infer<typeof lineSchema>;

/** One line of the output. `error` only when the line was no call at all. */
export type Decision = { readonly id: string | number | null } & Explanation & { readonly error?: string };

export interface Decider {
  readonly policy: Policy;
  /** Never rejects; one decision a line. Not to be called again before it has answered. */
  readonly decide: (line: string) => Promise<Decision>;
  readonly dispose: () => void;
}

/** Decides calls as the chain would, up to the point where a person would be asked. Runs and changes nothing. */
export function createDecider(options: DecideOptions, load: () => Promise<GrammarBytes>, warn: (text: string) => void): Decider {
  const current: { shell?: string | undefined; text?: string | undefined } = {};
  const { home, platform, workspaces, links } = options;
  const reading: Reading = links === undefined
    ? createReading({ folders: () => workspaces, home, platform })
    : createMadeUpReading({ workspaces, home, platform, links, text: () => current.text });
  const commands = createShellAnalysis({
    load, home, platform,
    folders: () => Promise.all(workspaces.map(async (given) => ({ given, real: (await reading.locate(given, 'list')).real }))),
    shell: () => current.shell ?? (platform === 'win32' ? 'pwsh' : 'bash'),
    ...(links === undefined ? {} : { link: linkOf({ links }) }),
    failed: () => warn('The shell grammar could not be loaded, so every shell line asks.'),
  });
  const policy = mergeLayers([{ name: 'user', values: options.settings }], options.trusted, sha256);
  const available = options.sandbox === 'available';
  const parts: JudgeParts = {
    tools: [...TOOLS, judgedWebFetch(options.hosts)], guards: GUARDS, guardContext: { policy, home, platform }, sha256,
    resolveContext: { reading, commands, defaults: { commandTimeoutMs: 120_000, maxCommandTimeoutMs: 600_000 } },
    sandbox: () => Promise.resolve({ available, detail: available ? 'Commands are confined.' : 'no sandbox is available.', fix: undefined }),
  };
  return {
    policy,
    decide: async (text) => {
      const line = readLine(text);
      if (typeof line === 'string') return malformed(line);
      current.shell = line.shell;
      current.text = expectedText(line);
      const call = { id: String(line.id ?? 'call'), tool: line.tool, argumentsText: JSON.stringify(line.args ?? {}), complete: true };
      const actor = { session: 'decide', task: 'decide', channel: line.channel ?? 'cli' } as const;
      const { action, confined, risk, reason, patternKey, stage, findings } = await explainCall({ stage: 'proposed', call, actor, agentSays: undefined }, parts);
      return { id: line.id ?? null, action, confined, risk, reason, patternKey, stage, findings };
    },
    dispose: () => commands.dispose(),
  };
}

function readLine(text: string): Line | string {
  if (text.length > LINE_LIMIT) return `the line is longer than ${LINE_LIMIT} characters`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'the line is not valid JSON';
  }
  const parsed = lineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return issue === undefined ? 'the line is no call' : `${issue.path.length === 0 ? 'the line' : `"${issue.path.join('.')}"`}: ${issue.message}`;
}

function malformed(error: string): Decision {
  return { id: null, action: 'deny', confined: false, risk: 'write', reason: `This is no call: ${error}.`, patternKey: 'malformed', stage: 'schema', findings: [], error };
}

const editSchema = z.object({ edits: z.array(z.object({ old_text: z.string() })) });

/** In a made-up file stands what an edit expects to find. */
function expectedText({ tool, args }: Line): string | undefined {
  if (tool !== 'edit_file') return undefined;
  const found = editSchema.safeParse(args);
  return found.success ? found.data.edits.map(({ old_text }) => old_text).join('\n') : undefined;
}
