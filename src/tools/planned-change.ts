import { countLines, plusMinus } from '../core/approval/line-counts.ts';
import type { FileChange, PathResource, Subject } from '../core/call.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import type { Effects, Reading, TextFile } from '../core/ports.ts';
import type { Resolution, ToolResult } from '../core/tool.ts';
import { byteLength } from './limit.ts';
import { mayBePrivate } from './private-paths.ts';
import { failed, isProblem, refuseResolve, shownPath } from './subject.ts';

/** Most UTF-8 bytes a text tool writes. */
const WRITE_LIMIT_BYTES = 10 * 1024 * 1024;
const MARK = '\ufeff';

/** The change from `file` (undefined: it does not exist) to `after`, or why there is none to make. */
export function changeTo(path: PathResource, file: TextFile | undefined, after: string, reading: Reading, encoding = file?.encoding ?? 'utf8'): FileChange | Refusal {
  const before = file?.text ?? '';
  if (file !== undefined && before === after) {
    return refuseResolve('not_applicable', `${path.asked} already has exactly this text; nothing would change.`);
  }
  if (byteLength(after) > WRITE_LIMIT_BYTES) return refuseResolve('not_applicable', `${path.asked} would be larger than 10 MB.`);
  if (after.startsWith(MARK) && !before.startsWith(MARK)) {
    return refuseResolve('not_applicable', `the new text starts with a byte order mark (U+FEFF). ${path.asked} keeps the mark it has; leave it out.`);
  }
  if (path.asked.toLowerCase().endsWith('.ipynb') && !isNotebook(after)) {
    return refuseResolve('not_applicable', `${path.asked} would not be a notebook any more: the result is not JSON with a list of cells.`);
  }
  return {
    path, change: file === undefined ? 'create' : 'modify', before, after, encoding, source: file?.source ?? 'disk',
    baseDigest: file?.digest ?? 'absent', afterDigest: reading.digestText(after, encoding),
  };
}

function isNotebook(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && Array.isArray((value as { cells?: unknown }).cells);
  } catch {
    return false;
  }
}

/** A plan that failed is told at once, or, where that could reveal a secret, only by `applyPlan` after the call was allowed. */
export function resolutionOf(path: PathResource, subject: Subject, plan: FileChange | Refusal): Resolution | Refusal {
  if (!isRefusal(plan)) return { subject, resources: [path], changes: [plan] };
  return mayBePrivate(path) ? { subject, resources: [path], changes: [] } : plan;
}

/**
 * Writes what was approved and looks at it again: success is what the disk says. `replan` explains why a call
 * that was let through has nothing to write. Rejects as `applyChanges` does (`StaleBase`).
 */
export async function applyPlan(resolution: Resolution, effects: Effects, replan: (path: PathResource) => Promise<FileChange | Refusal>): Promise<ToolResult> {
  const [resource] = resolution.resources;
  const [change] = resolution.changes;
  if (change === undefined) {
    if (resource?.kind !== 'path') return failed('Nothing to write.', 'nothing to write');
    const plan = await replan(resource);
    const why = isRefusal(plan) ? plan.forModel : `${resource.asked} changed since the call was judged; send the call again.`;
    return failed(why, 'not applicable');
  }
  await effects.applyChanges(resolution.changes);
  return settled(change, await effects.readText(change.path));
}

function settled(change: FileChange, now: Awaited<ReturnType<Effects['readText']>>): ToolResult {
  const counts = plusMinus(countLines(change));
  const name = shownPath(change.path);
  const verb = change.change === 'create' ? 'Created' : 'Changed';
  if (isProblem(now)) return failed(`${name} was written but cannot be read back: ${now.message}`, 'not confirmed');
  if (now.digest !== change.afterDigest) {
    return {
      status: 'succeeded', summary: `${counts}, then changed again`,
      text: `${verb} ${name} (lines ${counts}). The file then changed again, for example by formatting on save: read it before the next edit.`,
    };
  }
  const saved = change.source === 'editor' ? ' It had unsaved text in the editor; that text was part of the change and is saved with it.' : '';
  return { status: 'succeeded', summary: counts, text: `${verb} ${name} (lines ${counts}).${saved}` };
}
