import { minimatch } from 'minimatch';
import type { Channel } from '../call.ts';
import type { Tool } from '../tool.ts';
import type { Policy } from './layers.ts';

export interface VisibilityView {
  readonly policy: Policy;
  readonly channel: Channel;
}

/** Why a tool is not offered, or undefined when it is. The same answer decides what the model sees and what it may call. */
export function whyHidden(tool: Tool, view: VisibilityView): string | undefined {
  const { settings, trusted } = view.policy;
  if (!tool.profiles.includes(settings.profile)) return `profile ${settings.profile} does not include it`;
  const denied = settings.toolsDeny.find((pattern) => matchesTool(pattern, tool));
  if (denied !== undefined) return `denied by the setting sluice.tools.deny ("${denied}")`;
  if (!trusted && !tool.capabilities.every((capability) => UNTRUSTED.has(capability))) {
    return 'this workspace is not trusted: only reading is possible';
  }
  if (settings.networkPolicy === 'deny' && tool.capabilities.includes('network.outbound')) return 'the network is closed';
  return undefined;
}

const UNTRUSTED: ReadonlySet<string> = new Set(['fs.read', 'editor.read', 'ui.ask']);

/** A pattern names a tool exactly, a capability exactly, or a tool by glob (`run_*`). */
function matchesTool(pattern: string, tool: Tool): boolean {
  if (pattern === tool.name) return true;
  if ((tool.capabilities as readonly string[]).includes(pattern)) return true;
  // A workspace may bring patterns: no braces and no extended globs, which can take seconds each.
  return minimatch(tool.name, pattern, { nonegate: true, nocomment: true, nobrace: true, noext: true });
}

export function filterToolsByPolicy(tools: readonly Tool[], view: VisibilityView): readonly Tool[] {
  return tools.filter((tool) => whyHidden(tool, view) === undefined);
}
