/**
 * Characters a person cannot see or would read as something else: controls, direction marks, zero-width and
 * private-use characters, tags, variation selectors, spaces that are not spaces, letters dressed up as others.
 */
const HIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\ue000-\uf8ff]|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{1d400}-\u{1d7ff}\u{e0000}-\u{10ffff}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/u;
const PLAIN = /^[\t\n\x20-\x7e]*$/;
/** An emoji may carry its own presentation mark; nothing else may. */
const DRESSED_EMOJI = /(\p{Extended_Pictographic})\ufe0f/gu;

/** A short description of the first hidden character, or undefined when the text is what it looks like. */
export function hiddenCharacter(text: string): string | undefined {
  if (PLAIN.test(text)) return undefined;
  const found = HIDDEN.exec(text.replace(DRESSED_EMOJI, '$1'));
  if (found === null) return undefined;
  const code = found[0].codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
