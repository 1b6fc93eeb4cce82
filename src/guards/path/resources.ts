import type { CommandResource, PathResource } from '../../core/call.ts';
import type { Resolved } from '../../core/chain/stages.ts';

export function pathsOf(resolved: Resolved): readonly PathResource[] {
  return resolved.resolution.resources.filter((resource) => resource.kind === 'path');
}

export function commandsOf(resolved: Resolved): readonly CommandResource[] {
  return resolved.resolution.resources.filter((resource) => resource.kind === 'command');
}

export function isWrite(path: PathResource): boolean {
  return path.operation === 'write' || path.operation === 'delete';
}

/** Characters that some file systems leave out of a name, and that no eye sees. */
const IGNORED = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/g;

/**
 * Segments of a path for matching, lower-cased: on a file system that folds case `.ENV` is `.env`, and on one that
 * does not, asking once too often is the cheaper mistake. For the same reason Unicode compatibility forms are folded,
 * ignorable characters left out, and the ends that Windows does not see taken off: blanks, dots, `::$DATA`.
 */
export function foldedSegments(path: string): readonly string[] {
  return path.normalize('NFKC').toLowerCase().replaceAll(IGNORED, '').split(/[\\/]+/)
    .map((segment) => segment.replace(/(?<=..):.*$/s, '').replace(/[. ]+$/, '')).filter((segment) => segment !== '');
}

/** Whether `segments` holds `wanted` as consecutive segments. */
export function hasRun(segments: readonly string[], wanted: readonly string[]): boolean {
  return segments.some((_, start) => wanted.every((segment, offset) => segments[start + offset] === segment));
}
