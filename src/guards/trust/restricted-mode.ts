import type { Guard } from '../../core/chain/04-guard.ts';

const READS: ReadonlySet<string> = new Set(['fs.read', 'editor.read', 'ui.ask']);

/** In Restricted Mode nothing changes and nothing runs, whatever the tool list said a moment ago. */
export const restrictedMode: Guard = {
  id: 'trust/restricted-mode',
  check: (resolved, { policy }) => {
    if (policy.trusted || resolved.parsed.visible.tool.capabilities.every((capability) => READS.has(capability))) return undefined;
    return {
      rule: 'trust/restricted-mode', action: 'deny', patternKey: 'workspace_untrusted', approvalAction: 'use_tool', sensitive: true,
      reason: 'The workspace is not trusted, so only reading is possible.', instead: 'Trust the workspace in the editor, then ask again.',
    };
  },
};
