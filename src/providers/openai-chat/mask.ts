/** Characters of a server's words that a message shows. */
const SHOWN_LENGTH = 300;
/** Shared runs of this length are taken for a piece of the key. */
const PIECE = 8;

/**
 * A server's words as they may be shown: one line, bounded, without the key, pieces of it, or anything that looks like a
 * credential. Servers echo headers in their errors.
 */
export function maskServerWords(words: string, key: string | undefined): string {
  const line = words.slice(0, 4000).replace(/[\p{C}\s]+/gu, ' ');
  const masked = maskKey(line, key)
    .replace(/\/\/[^\s/@]+@/g, '//[hidden]@')
    .replace(/\b(bearer|basic)\s+[^\s"',]+/gi, '$1 [hidden]')
    .replace(/((?:authorization|cookie|api[-_]?key|token|password|secret)["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',]+/gi, '$1[hidden]')
    .replace(/\b(?:sk|pk|rk|gsk|xai|key)-[\w-]{6,}(?:\*+[\w-]*)?/g, '[hidden]')
    .trim();
  return masked.length > SHOWN_LENGTH ? `${masked.slice(0, SHOWN_LENGTH).toWellFormed()}...` : masked;
}

function maskKey(text: string, key: string | undefined): string {
  if (key === undefined || key.length < 4) return text;
  if (key.length < PIECE) return text.replaceAll(key, '[hidden]');
  const pieces = new Set<string>();
  for (let at = 0; at + PIECE <= key.length; at += 1) pieces.add(key.slice(at, at + PIECE));
  let out = '';
  let hiddenTo = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (pieces.has(text.slice(at, at + PIECE))) {
      if (hiddenTo <= at) out += '[hidden]';
      hiddenTo = at + PIECE;
    }
    if (at >= hiddenTo) out += text.charAt(at);
  }
  return out;
}
