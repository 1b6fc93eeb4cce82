import { valuesOf } from './effect.ts';
import type { Setting } from './schema.ts';

/** More entries than a person writes; a longer list is not judged name by name. */
const MOST_NAMES = 2_000;

/** Matches every tool. */
const EVERYTHING = '*';

/**
 * The strictest value a setting has: the one that tightens every value of an enum, the empty list where that
 * tightens. `now` where there is none.
 */
export function strictestOf(definition: Setting<unknown>, now: unknown): unknown {
  const { tightens } = definition;
  if (tightens === undefined) return now;
  const values = valuesOf(definition);
  const strictest = values.find((one) => values.every((other) => tightens(one, other)));
  if (strictest !== undefined) return strictest;
  return Array.isArray(now) && tightens([], now) ? [] : now;
}

/**
 * What an invalid list of denied names still says. A single text counts as a list. Where nothing can be read,
 * everything is denied: a list that was meant to close never opens by a slip.
 */
export function readableNames(raw: unknown): readonly string[] {
  const list: readonly unknown[] = typeof raw === 'string' ? raw.split(/[\s,]+/u) : Array.isArray(raw) ? raw : [EVERYTHING];
  const names = list.filter((one): one is string => typeof one === 'string');
  if (list.length > MOST_NAMES || (names.length === 0 && list.length > 0)) return [EVERYTHING];
  return names.filter(Boolean);
}
