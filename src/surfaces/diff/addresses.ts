import type { ApprovalRequest } from '../../core/approval/request.ts';
import type { FileChange } from '../../core/call.ts';
import { drawVisiblePath } from '../../core/approval/visible.ts';
import { authorityFor, placeOf } from '../review/tabs.ts';

/** One changed file of a request, as the diff shows it. */
export interface DiffFile {
  readonly change: FileChange;
  /** Of both addresses: `<request key>.<n>-of-<m>`. Unique also when two folders hold the same name. */
  readonly authority: string;
  readonly path: string;
  /** Key of its text. */
  readonly place: string;
  readonly title: string;
}

/** The path is the file's own, whole, so that language and icon follow it; it is never parsed. */
export function diffFiles(request: ApprovalRequest): readonly DiffFile[] {
  const total = request.changes.length;
  return request.changes.map((change, index) => {
    const name = change.path.relative ?? change.path.real;
    const authority = authorityFor(request.id, `${index + 1}-of-${total}`);
    const path = `/${change.path.relative === undefined ? name.replaceAll('\\', '/').replace(/^\/+/, '') : name}`;
    const note = total === 1 ? 'proposed by Sluice' : `${index + 1} of ${total}, proposed by Sluice`;
    return { change, authority, path, place: placeOf({ authority, path }), title: `${drawVisiblePath(name).text} (${note})` };
  });
}

/** Title of the multi-file diff; the editor adds the number of files. */
export const MANY_TITLE = 'Proposed by Sluice';
