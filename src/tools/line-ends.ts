/** `mixed` has both; `none` has no line end at all. A lone carriage return is an ordinary character. */
export type Flavour = 'lf' | 'crlf' | 'mixed' | 'none';

export function flavourOf(text: string): Flavour {
  const crlf = count(text, '\r\n');
  const lf = count(text, '\n') - crlf;
  if (crlf > 0) return lf > 0 ? 'mixed' : 'crlf';
  return lf > 0 ? 'lf' : 'none';
}

function count(text: string, part: string): number {
  let hits = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) hits += 1;
  return hits;
}

export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

export function toCrlf(text: string): string {
  return toLf(text).replaceAll('\n', '\r\n');
}

/** Lines without their ends. A final line end closes the last line, it does not open another; '' has no line. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = toLf(text).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** 1-based number of the line that holds `offset` of a text with LF ends. */
export function lineAt(lfText: string, offset: number): number {
  let line = 1;
  for (let at = lfText.indexOf('\n'); at !== -1 && at < offset; at = lfText.indexOf('\n', at + 1)) line += 1;
  return line;
}
