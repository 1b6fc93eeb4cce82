import type { ApprovalDesk, ApprovalRequest } from '../../core/approval/request.ts';

/** What every native surface gets. */
export interface SurfaceContext {
  readonly desk: ApprovalDesk;
  /** Milliseconds; only differences are used. */
  readonly now: () => number;
  /** An unguessable token for rows of trees. */
  readonly newToken: () => string;
  /** A line for the output channel: something the editor refused. Never shown as a prompt. */
  readonly report: (line: string) => void;
}

/** What must be let go of; every surface can be disposed in any order and more than once. */
export interface Disposable {
  dispose(): void;
}

/** Opens the full view of a request because a person asked for it: the diff, or the request's own page. */
export type ShowRequest = (request: ApprovalRequest) => void;

/** A click this soon after its button appeared was meant for something else. */
export const SETTLE_MS = 500;

/** True when what was clicked had not been there long enough to be read. Unknown counts as stray. */
export function isStray(shownAt: number | undefined, now: number): boolean {
  return shownAt === undefined || now - shownAt < SETTLE_MS;
}

/** Waits for nothing: a call to the editor whose failure is a line in the log and nothing else. */
export function attempt(context: Pick<SurfaceContext, 'report'>, what: string, run: () => PromiseLike<unknown> | undefined): void {
  const failed = (error: unknown): void => { context.report(`${what}: ${error instanceof Error ? error.message : String(error)}`); };
  try {
    run()?.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}
