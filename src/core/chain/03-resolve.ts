import { digestOf, type Sha256 } from '../digest.ts';
import type { Resource } from '../call.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Resolution, ResolveContext } from '../tool.ts';
import type { Parsed, Resolved } from './stages.ts';

/** Finds what the call really touches. Has no effects; everything later judges this form, never the text. */
export async function resolveCall(parsed: Parsed, context: ResolveContext, sha256: Sha256): Promise<Resolved | Refusal> {
  const resolution = await parsed.visible.tool.resolve(parsed.args, context);
  if (isRefusal(resolution)) return resolution;
  return seal(parsed, resolution, sha256);
}

/** A changed resolution (edited by the person before approval) has another fingerprint and is guarded again. */
export function seal(parsed: Parsed, resolution: Resolution, sha256: Sha256): Resolved {
  return { stage: 'resolved', parsed, resolution, fingerprint: fingerprintOf(parsed, resolution, sha256) };
}

function fingerprintOf(parsed: Parsed, resolution: Resolution, sha256: Sha256): string {
  const { actor } = parsed.visible.proposed;
  return digestOf({
    actor, tool: parsed.visible.tool.name, arguments: parsed.args,
    resources: resolution.resources.map(identityOf),
    changes: resolution.changes.map(({ path, change, baseDigest, afterDigest }) => ({ path: path.real, change, baseDigest, afterDigest })),
  }, sha256);
}

function identityOf(resource: Resource): unknown {
  if (resource.kind === 'path') return { path: resource.real, operation: resource.operation, fileKind: resource.fileKind };
  if (resource.kind === 'address') return { address: resource.asked };
  return { form: resource.form, argv: resource.argv, line: resource.line, cwd: resource.cwd.real, timeoutMs: resource.timeoutMs };
}
