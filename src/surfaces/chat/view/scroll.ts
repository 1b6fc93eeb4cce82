import type { Ui } from './ui.ts';

/** Pixels from the end that still count as the end. */
const NEAR = 24;

export interface Follower {
  /** After each drawing: stays at the end if the reader was there, and leaves the scroll alone otherwise. */
  settle(byPerson: boolean): void;
  toEnd(): void;
}

/** The scroll stays where the person put it: only a reader at the end is taken along. */
export function follower(root: HTMLElement, ui: Ui, changed: () => void): Follower {
  const log = root.querySelector<HTMLElement>('.log');
  const inner = root.querySelector<HTMLElement>('.log-inner');
  if (log === null || inner === null) throw new Error('the log is not in the document');
  const toEnd = (): void => {
    log.scrollTop = log.scrollHeight;
  };
  log.addEventListener('scroll', () => {
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight <= NEAR;
    if (atEnd === ui.following) return;
    ui.following = atEnd;
    if (atEnd) ui.unseen = false;
    changed();
  }, { passive: true });
  // Fonts, wrapping and rows drawn late change the height without a drawing of ours.
  const sizes = new ResizeObserver(() => {
    if (ui.following) toEnd();
  });
  sizes.observe(inner);
  sizes.observe(log);
  return {
    settle: () => {
      if (ui.following) toEnd();
    },
    toEnd: () => {
      ui.following = true;
      ui.unseen = false;
      toEnd();
      changed();
    },
  };
}
