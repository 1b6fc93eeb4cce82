const PLAIN = /^[\w@%+=:,./-]+$/;

/** The argv as a person would type it in a POSIX shell: each part plain, or in single quotes. Only for reading. */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map((part) => PLAIN.test(part) ? part : `'${part.replaceAll('\'', '\'\\\'\'')}'`).join(' ');
}
