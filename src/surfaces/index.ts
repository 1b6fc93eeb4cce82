import type { Answer, ApprovalDesk, ApprovalRequest, ApprovalSurface, Receipt } from '../core/approval/request.ts';
import { DiffSurface } from './diff/surface.ts';
import { NotificationSurface } from './notification/surface.ts';
import type { Disposable, SurfaceContext } from './review/context.ts';
import { RequestPage } from './review/page.ts';
import { ReasonBox } from './review/reply.ts';
import { ShownSince } from './review/shown-since.ts';
import { TitleActions } from './review/title-actions.ts';
import { StatusBarSurface } from './status-bar/surface.ts';
import { CommandTerminals } from './terminal/terminals.ts';
import { ActivityTree } from './tree/activity.ts';
import { ApprovalsTree } from './tree/approvals.ts';

export interface SurfaceOptions extends SurfaceContext {
  readonly openRecord: (record: string) => void;
  /** Whether a terminal tab stays after its command. */
  readonly keepTerminals: () => boolean;
}

/** The native surfaces, all fed by one desk. */
export interface NativeSurfaces extends Disposable {
  /** To be added to the broker, each with `addSurface`. */
  readonly list: readonly ApprovalSurface[];
  /** The desk every other surface (the chat) must answer through: an approval carries the person's edits. */
  readonly desk: ApprovalDesk;
  readonly statusBar: StatusBarSurface;
  readonly activity: ActivityTree;
  readonly terminals: CommandTerminals;
  /** Opens the full view of a request because a person asked: the diff, or its page. */
  show(request: ApprovalRequest): void;
}

/** Makes every native surface. The order of `list` is the order in which they hear of a request. */
export function openNativeSurfaces(options: SurfaceOptions): NativeSurfaces {
  const diff = new DiffSurface(options);
  const desk = withEdits(options.desk, (requestId) => diff.edits(requestId));
  const context: SurfaceContext = { ...options, desk };
  const page = new RequestPage(context);
  const show = (request: ApprovalRequest): void => { (request.changes.length > 0 ? diff : page).show(request); };
  const reason = new ReasonBox(context);
  const shown = new ShownSince(context);
  const title = new TitleActions(context, shown, show, reason);
  const statusBar = new StatusBarSurface();
  const approvals = new ApprovalsTree(context, show, reason);
  const activity = new ActivityTree(context, options.openRecord);
  const notification = new NotificationSurface(context, show);
  const terminals = new CommandTerminals(options.keepTerminals);
  const parts: readonly Disposable[] = [notification, title, reason, shown, approvals, activity, statusBar, page, diff, terminals];
  return {
    list: [diff, page, approvals, statusBar, reason, notification],
    desk, statusBar, activity, terminals, show,
    dispose: () => { for (const part of parts) part.dispose(); },
  };
}

/** What the person changed in the diff belongs to an approval from any surface: what was seen is what is applied. */
export function withEdits(desk: ApprovalDesk, editsOf: (requestId: string) => Answer['edits']): ApprovalDesk {
  return {
    pending: () => desk.pending(),
    answer: (answer): Receipt => {
      const edits = answer.choice === 'approve' && answer.edits === undefined ? editsOf(answer.requestId) : answer.edits;
      return desk.answer({ ...answer, edits });
    },
  };
}
