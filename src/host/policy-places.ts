import type { PolicyProblem } from '../core/policy/layers.ts';
import type { FoundSettings, Span } from './policy-files.ts';

/** Both count from 0, characters in UTF-16 units, as the editor does. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface LocatedProblem {
  readonly start: Position;
  readonly end: Position;
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
  readonly code: PolicyProblem['kind'];
}

const SEVERITY: Readonly<Record<PolicyProblem['kind'], LocatedProblem['severity']>> = {
  unreadable: 'error', invalid: 'warning', ignored: 'information', loosening: 'information',
};

/** Where in its file a problem is: the property, or for the whole file the place of its first error. */
export function locateProblem({ key, kind, message }: PolicyProblem, found: FoundSettings): LocatedProblem {
  const span = (kind === 'unreadable' ? found.error?.span : found.spans.get(key)) ?? { offset: 0, length: 0 };
  const advice = kind === 'loosening' ? ' To decide, run "Sluice: Review Workspace Policy...".' : '';
  return { ...rangeOf(found.text, span), severity: SEVERITY[kind], message: `${message}${advice}`, code: kind };
}

/** A span of length 0 covers the character before it, so that there is something to see. */
function rangeOf(text: string, { offset, length }: Span): { readonly start: Position; readonly end: Position } {
  const from = length === 0 ? Math.max(0, Math.min(offset, text.length) - 1) : offset;
  return { start: positionAt(text, from), end: positionAt(text, offset + length) };
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/u);
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

/** Line of a setting in its file, from 1. */
export function lineOf(found: FoundSettings, key: string): number | undefined {
  const span = found.spans.get(key);
  return span === undefined ? undefined : positionAt(found.text, span.offset).line + 1;
}
