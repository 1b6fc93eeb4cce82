/**
 * Most UTF-8 bytes of one tool result, notice included. Below the limit of the settle stage, which knows nothing
 * about lines and would cut without saying how to go on.
 */
export const RESULT_LIMIT_BYTES = 60 * 1024;

/** UTF-8 length; half a surrogate pair counts as the three bytes of U+FFFD that it would be sent as. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) bytes += bytesAt(text, at);
  return bytes;
}

/** Bytes of the UTF-16 unit at `at`; a low surrogate that completes a pair counts 0, its high half counts 4. */
function bytesAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if (isHigh(unit) && isLow(text.charCodeAt(at + 1))) return 4;
  if (isLow(unit) && at > 0 && isHigh(text.charCodeAt(at - 1))) return 0;
  return 3;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The longest start of `text` that fits in `limit` bytes and does not end inside a character. */
export function cutToBytes(text: string, limit: number): string {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    bytes += bytesAt(text, at);
    if (bytes > limit) return text.slice(0, at);
  }
  return text;
}

/** Whole when it fits; otherwise cut on a character boundary and closed by `notice`, which says how to get the rest. */
export function limitText(text: string, notice: string, limit = RESULT_LIMIT_BYTES): string {
  if (byteLength(text) <= limit) return text;
  const tail = `\n[${notice}]`;
  return cutToBytes(text, Math.max(0, limit - byteLength(tail))) + tail;
}

/** As many whole lines as fit in `limit` bytes, from the start. */
export function linesThatFit(lines: readonly string[], limit: number): readonly string[] {
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    bytes += byteLength(line) + 1;
    if (bytes > limit) return lines.slice(0, index);
  }
  return lines;
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Control characters other than tab and newline as pictures: U+2400 + code, U+2421 for delete, U+2426 for the
 * C1 block. A result never moves a cursor or colours a terminal, and `edit_file` reads the pictures back.
 */
export function drawControls(text: string): string {
  return text.replace(CONTROLS, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : '\u2426';
  });
}

/** The inverse of `drawControls` where it has one (everything but the C1 block). */
export function undrawControls(text: string): string {
  return text.replace(/[\u2400-\u241f\u2421]/g, (picture) => {
    const code = picture.charCodeAt(0);
    return code === 0x2421 ? '\u007f' : String.fromCharCode(code - 0x2400);
  });
}
