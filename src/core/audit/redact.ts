/**
 * Masks known secret values wherever text leaves for a model, a log or a record: as they are, URL-encoded, as they
 * stand in JSON, and in base64 at any offset. Values shorter than 6 characters are not masked: they would hide
 * ordinary words.
 */
export interface Redactor {
  (text: string): string;
}

const SHORTEST = 6;
export const MASK = '[secret]';

/** Finds every value in the text as it came and masks the joined spans, so that secrets that overlap leave nothing behind. */
export function createRedactor(secrets: () => readonly string[]): Redactor {
  return (text) => {
    const forms = new Set(secrets().filter((value) => value.length >= SHORTEST).flatMap(formsOf));
    return mask(text, [...forms].flatMap((form) => spansOf(text, form)));
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function spansOf(text: string, form: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) spans.push({ from: at, to: at + form.length });
  return spans;
}

function mask(text: string, spans: readonly Span[]): string {
  let masked = '';
  let end = 0;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    if (from >= end) masked += text.slice(end, from) + MASK;
    end = Math.max(end, to);
  }
  return masked + text.slice(end);
}

function formsOf(value: string): readonly string[] {
  const wellFormed = value.toWellFormed();
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(wellFormed), ...base64Of(wellFormed)];
}

/** The whole, and for each of the three ways the value can lie in the groups of three bytes what it alone decides. */
function base64Of(value: string): readonly string[] {
  const bytes = [...new TextEncoder().encode(value)].map((byte) => String.fromCharCode(byte)).join('');
  const encoded = [0, 1, 2].map((offset) => btoa('\0'.repeat(offset) + bytes).replace(/=+$/, ''));
  const cores = encoded.map((whole, offset) => whole.slice(offset === 0 ? 0 : offset + 1, (offset + bytes.length) % 3 === 0 ? undefined : -1));
  return [...cores, encoded[0] ?? ''].flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]);
}
