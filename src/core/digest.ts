import canonicalize from 'canonicalize';

/** SHA-256 over UTF-8, as lower-case hex. Injected: `core` has no crypto of its own. */
export type Sha256 = (text: string) => string;

/**
 * Canonical JSON (RFC 8785). Lone surrogates, which have no UTF-8 form, become U+FFFD first; values JSON
 * cannot hold (NaN, functions) throw, so that two different values never share a digest by accident.
 */
export function canonical(value: unknown): string {
  const text = canonicalize(wellFormed(value));
  if (text === undefined) throw new TypeError('value has no canonical JSON form');
  return text;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]));
  }
  return value;
}

/** `sha256:<hex>` of the canonical form. */
export function digestOf(value: unknown, sha256: Sha256): string {
  return `sha256:${sha256(canonical(value))}`;
}
