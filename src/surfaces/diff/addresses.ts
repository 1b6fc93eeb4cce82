import type { ApprovalRequest } from '../../core/approval/request.ts';
import type { FileChange } from '../../core/call.ts';
import { drawVisiblePath } from '../../core/approval/visible.ts';

/** One changed file of a request, as the diff shows it. */
export interface DiffFile {
  readonly change: FileChange;
  /** Path of both addresses: `/<request id>/<n>-of-<m>/<name>`. Unique also when two folders hold the same name. */
  readonly path: string;
  readonly title: string;
}

/** The name comes last and whole, so that language and icon follow it; it is a path part, never parsed. */
export function diffFiles(request: ApprovalRequest): readonly DiffFile[] {
  const total = request.changes.length;
  return request.changes.map((change, index) => {
    const name = change.path.relative ?? change.path.real;
    const position = `${index + 1}-of-${total}`;
    const inPath = change.path.relative === undefined ? name.replaceAll('\\', '/').replace(/^\/+/, '') : name;
    const note = total === 1 ? 'proposed by Sluice' : `${index + 1} of ${total}, proposed by Sluice`;
    return { change, path: `/${request.id}/${position}/${inPath}`, title: `${drawVisiblePath(name).text} (${note})` };
  });
}

export function manyTitle(request: ApprovalRequest): string {
  return `${request.changes.length} files (proposed by Sluice)`;
}
