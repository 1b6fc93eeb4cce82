/**
 * One word for a POSIX shell that arrives as exactly this argument. Single quotes are literal for every byte;
 * the single quote itself closes, is escaped, and opens again. Throws on NUL, which no argument can hold.
 */
export function quoteWord(word: string): string {
  if (word.includes('\0')) throw new RangeError('an argument holds a NUL character, which no program can receive');
  if (/^[A-Za-z0-9_./:@+,-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

export function quoteWords(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}
