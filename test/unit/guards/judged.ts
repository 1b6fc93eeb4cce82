import type { Resource } from '../../../src/core/call.ts';
import type { GuardContext } from '../../../src/core/chain/04-guard.ts';
import type { Resolved } from '../../../src/core/chain/stages.ts';
import { mergeLayers } from '../../../src/core/policy/layers.ts';
import type { Tool } from '../../../src/core/tool.ts';
import { sha256 } from '../../../src/host/system.ts';

/** A resolved call over these resources: all that a guard looks at. */
export function resolvedOver(resources: readonly Resource[], tool: Tool): Resolved {
  return {
    stage: 'resolved', fingerprint: 'sha256:0', resolution: { subject: { verb: 'Do', target: 'it', form: 'text' }, resources, changes: [] },
    parsed: {
      stage: 'parsed', args: {}, argsDigest: 'sha256:0',
      visible: {
        stage: 'visible', tool,
        proposed: {
          stage: 'proposed', agentSays: undefined, call: { id: 'call_1', tool: tool.name, argumentsText: '{}', complete: true },
          actor: { session: 's', task: 't', channel: 'editor' },
        },
      },
    },
  };
}

export function context(over: { readonly trusted?: boolean; readonly home?: string } = {}): GuardContext {
  return { policy: mergeLayers([], over.trusted ?? true, sha256), home: over.home ?? '/home/dev', platform: 'linux' };
}
