/** The patterns that found names have to match, at most a few; `*` when they are not known by name. */
export function namesOf(words: readonly string[]): readonly string[] {
  const names = words.filter((word, index) => /^-i?name$/.test(words[index - 1] ?? '') && !/^(?:-not|!)$/.test(words[index - 2] ?? '') && /^[^/\uE000\uE001]+$/.test(word));
  return names.length === 0 || names.length > 6 ? ['*'] : [...new Set(names)];
}
