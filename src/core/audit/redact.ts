/**
 * Masks known secret values wherever text leaves for a model, a log or a record. Values shorter than 6
 * characters are not masked: they would hide ordinary words.
 */
export interface Redactor {
  (text: string): string;
}

const SHORTEST = 6;
export const MASK = '[secret]';

/** Longest values first, so that one secret inside another leaves nothing behind. */
export function createRedactor(secrets: () => readonly string[]): Redactor {
  return (text) => {
    let masked = text;
    const values = secrets().filter((value) => value.length >= SHORTEST).toSorted((a, b) => b.length - a.length);
    for (const value of values) {
      for (const form of new Set([value, encodeURIComponent(value), toBase64(value)])) masked = masked.replaceAll(form, MASK);
    }
    return masked;
  };
}

function toBase64(value: string): string {
  const bytes = new TextEncoder().encode(value);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/=+$/, '');
}
