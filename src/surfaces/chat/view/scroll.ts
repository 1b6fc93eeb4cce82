import type { Ui } from './ui.ts';

/** Pixels from the end that still count as the end. */
const NEAR = 24;
/** Pixels left above a card that is taken to the top. */
const MARGIN = 8;

export interface Follower {
  /** After each drawing: takes a reader who follows along, and leaves the scroll alone otherwise. */
  settle(): void;
  toEnd(): void;
}

/** The scroll stays where the person put it: only a reader at the end is taken along. */
export function follower(root: HTMLElement, ui: Ui, changed: () => void): Follower {
  const log = root.querySelector<HTMLElement>('.log');
  const inner = root.querySelector<HTMLElement>('.log-inner');
  if (log === null || inner === null) throw new Error('the log is not in the document');
  const settle = (): void => {
    if (ui.following) log.scrollTop = Math.max(log.scrollTop, restOf(log));
  };
  log.addEventListener('scroll', () => {
    const atRest = log.scrollTop >= restOf(log) - NEAR;
    if (atRest === ui.following) return;
    ui.following = atRest;
    if (atRest) ui.unseen = false;
    changed();
  }, { passive: true });
  // Fonts, wrapping and rows drawn late change the height without a drawing of ours.
  const sizes = new ResizeObserver(settle);
  sizes.observe(inner);
  sizes.observe(log);
  return {
    settle,
    toEnd: () => {
      ui.following = true;
      ui.unseen = false;
      log.scrollTop = log.scrollHeight;
      changed();
    },
  };
}

/**
 * Where a reader who follows is taken: the end, or the beginning of a waiting card that would be cut at the top
 * there, so that nobody is shown an Approve without what it approves.
 */
function restOf(log: HTMLElement): number {
  const end = log.scrollHeight - log.clientHeight;
  const above = log.scrollTop - log.getBoundingClientRect().top;
  for (const card of log.querySelectorAll('[data-card]')) {
    const { top, bottom } = card.getBoundingClientRect();
    if (bottom + above > end) return Math.min(end, Math.max(0, top + above - MARGIN));
  }
  return end;
}
