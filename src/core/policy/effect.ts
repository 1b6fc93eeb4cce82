import type { Setting } from './schema.ts';

/** What going from one value to another allows: for enums the sentence of the value, for lists what is added or dropped. */
export function effectOf(definition: Setting<unknown>, from: unknown, to: unknown): string {
  const sentence = definition.valueDescriptions?.[valuesOf(definition).indexOf(to)];
  if (sentence !== undefined) return sentence;
  if (Array.isArray(from) && Array.isArray(to)) {
    const [added, dropped] = [without(to, from), without(from, to)];
    return [added === '' ? '' : `Adds ${added}.`, dropped === '' ? '' : `Drops ${dropped}.`].filter(Boolean).join(' ');
  }
  return definition.description;
}

function without(list: readonly unknown[], other: readonly unknown[]): string {
  return list.filter((one) => !other.includes(one)).map(String).join(', ');
}

/** The values of an enum, in order; empty for anything else. */
export function valuesOf(definition: Setting<unknown>): readonly unknown[] {
  const { options } = definition.schema as { readonly options?: unknown };
  return Array.isArray(options) ? options as unknown[] : [];
}
