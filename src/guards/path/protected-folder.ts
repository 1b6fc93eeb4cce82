import { isWithin } from '../../core/command/place.ts';
import { contains, type PathSubject } from './subject.ts';

/** Whether nobody means to delete or open up this folder as a whole: the system, a home, a workspace. */
export function protectedFolder(real: string, subject: Pick<PathSubject, 'place'>): boolean {
  const { place } = subject;
  if (real === '/' || /^[A-Za-z]:$/.test(real) || contains(real, place.home) || place.roots.some((root) => contains(real, root))) return true;
  return /^\/(?:bin|boot|dev|etc|home|lib\w*|opt|proc|root|sbin|srv|sys|usr|var|run|mnt|media|Users|System|Library|Applications|private|Volumes|cores)$/.test(real)
    || /^\/(?:usr|System)\/(?:bin|lib\w*|sbin|local|share|Library)$/.test(real) || /^\/(?:home|Users)\/[^/]+$/.test(real) && !isWithin(real, place.home)
    || /^[A-Za-z]:\/(?:Windows|Users|Program Files(?: \(x86\))?)(?:\/[^/]+)?$/i.test(real);
}
