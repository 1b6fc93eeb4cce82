import { NETWORK_CLOSED, whyHidden, type VisibilityView } from '../policy/profiles.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { Tool } from '../tool.ts';
import type { Proposed, Visible } from './stages.ts';

/** Names are compared exactly: no spelling is mended onto a real tool, which would dodge the rule for that tool. */
export function checkVisibility(proposed: Proposed, tools: readonly Tool[], view: VisibilityView): Visible | Refusal {
  const wanted = proposed.call.tool;
  const tool = tools.find((candidate) => candidate.name === wanted);
  if (tool === undefined) {
    const names = tools.filter((candidate) => whyHidden(candidate, view) === undefined).map((candidate) => candidate.name);
    return refuse({
      stage: 'visibility', code: 'unknown_tool',
      forModel: `There is no tool "${wanted.slice(0, 100)}". The tools are: ${names.join(', ')}.`,
      forPerson: `The agent asked for a tool that does not exist: ${wanted.slice(0, 100)}.`,
    });
  }
  const hidden = whyHidden(tool, view);
  if (hidden !== undefined) {
    return refuse({
      stage: 'visibility', code: 'hidden_tool', patternKey: hidden === NETWORK_CLOSED ? 'network_denied' : 'tool_hidden',
      forModel: `The tool ${tool.name} is not available in this session: ${hidden}.`,
    });
  }
  return { stage: 'visible', proposed, tool };
}
