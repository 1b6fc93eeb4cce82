import type { FileChange, Resource } from '../call.ts';
import { StaleBase, type Effects, type Reading } from '../ports.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { ToolResult } from '../tool.ts';
import type { Granted } from './grant.ts';
import type { Leased } from './08-lease.ts';
import { argsOf, changesOf, resolvedOf, resourcesOf, toolOf } from './stages.ts';

export interface ExecutionHooks {
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Opens the effects of one grant: operations on a resource that the grant does not name reject. */
export interface Execution {
  open(granted: Granted, hooks: ExecutionHooks): Effects;
}

/**
 * Looks again at everything that was judged; a difference refuses with `stale`. Spends the grant, then runs.
 * The caller has already made the decision record durable.
 */
export async function executeCall(leased: Leased, execution: Execution, reading: Reading, hooks: ExecutionHooks): Promise<ToolResult | Refusal> {
  const { granted } = leased;
  const changed = await firstChange(resourcesOf(granted.rated), changesOf(granted.rated), reading);
  if (changed !== undefined) return stale(changed);
  if (hooks.signal.aborted) return refuse({ stage: 'execute', code: 'cancelled', forModel: 'Cancelled before it ran; nothing happened.', retryable: true });
  const resolved = resolvedOf(granted.rated);
  if (!granted.spend(resolved.fingerprint)) {
    return refuse({ stage: 'execute', code: 'internal_error', forModel: 'Not run: the permission for this call was already used.' });
  }
  try {
    return await toolOf(granted.rated).run(argsOf(granted.rated), resolved.resolution, execution.open(granted, hooks));
  } catch (error) {
    if (error instanceof StaleBase) return stale(error.path);
    throw error;
  }
}

async function firstChange(resources: readonly Resource[], changes: readonly FileChange[], reading: Reading): Promise<string | undefined> {
  for (const resource of resources) {
    if (resource.kind === 'address') continue;
    const path = resource.kind === 'path' ? resource : resource.cwd;
    const now = await reading.locate(path.asked, path.operation);
    if (now.real !== path.real || now.fileKind !== path.fileKind) return path.asked;
  }
  for (const change of changes) {
    const now = await reading.readText(change.path);
    const digest = 'problem' in now ? (now.problem === 'missing' ? 'absent' : now.problem) : now.digest;
    if (digest !== change.baseDigest) return change.path.asked;
  }
  return undefined;
}

function stale(path: string): Refusal {
  return refuse({
    stage: 'execute', code: 'stale', retryable: true, patternKey: 'stale',
    forModel: `Not applied: ${path} changed after it was shown. Read it again and propose the change anew.`,
    forPerson: `${path} changed after it was shown to you, so nothing was written.`,
  });
}
