import { minimatch } from 'minimatch';
import { isUnattended, type Channel } from '../call.ts';
import type { Tool } from '../tool.ts';
import type { Policy } from './layers.ts';

export interface VisibilityView {
  readonly policy: Policy;
  readonly channel: Channel;
}

/** The reason of every tool that is hidden because the network is off. */
export const NETWORK_CLOSED = 'the network is closed';

/** Why a tool is not offered, or undefined when it is. The same answer decides what the model sees and what it may call. */
export function whyHidden(tool: Tool, view: VisibilityView): string | undefined {
  const { settings, trusted } = view.policy;
  if (!tool.profiles.includes(settings.profile)) return `profile ${settings.profile} does not include it`;
  const denied = settings.toolsDeny.find((pattern) => matchesTool(pattern, tool));
  if (denied !== undefined) return `denied by the setting sluice.tools.deny ("${denied}")`;
  if (!trusted && !tool.capabilities.every((capability) => UNTRUSTED.has(capability))) {
    return 'this workspace is not trusted: only reading is possible';
  }
  if (isUnattended(view.channel) && tool.capabilities.includes('ui.ask')) return 'nobody is there to answer';
  if (settings.networkPolicy === 'deny' && tool.capabilities.includes('network.outbound')) return NETWORK_CLOSED;
  return undefined;
}

const UNTRUSTED: ReadonlySet<string> = new Set(['fs.read', 'editor.read', 'ui.ask']);

/** A pattern names tools or capabilities, exactly or by glob (`run_*`, `fs.*`). */
function matchesTool(pattern: string, tool: Tool): boolean {
  return [tool.name, ...tool.capabilities].some((name) => name === pattern || minimatch(name, pattern, PLAIN_GLOB));
}

const PLAIN_GLOB = { nonegate: true, nocomment: true, nobrace: true, noext: true, dot: true } as const;

export function filterToolsByPolicy(tools: readonly Tool[], view: VisibilityView): readonly Tool[] {
  return tools.filter((tool) => whyHidden(tool, view) === undefined);
}
