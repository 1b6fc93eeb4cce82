/**
 * A word after the shell has filled it in, as far as that is known beforehand. Unknown parts are kept in the
 * text as marks from the private-use area; the reader refuses lines that contain such characters themselves.
 */

/** Stands for text that only the run knows. */
export const HOLE = '\uE000';
/** Stands for a short plain word: no blank, no slash, no leading dash or dot (a number, a date, a hash). */
export const TOKEN = '\uE001';

export interface Argument {
  readonly text: string;
  /** The text holds pattern characters that the shell would expand to file names. */
  readonly glob: boolean;
  /** The text is not certain: it has a mark in it, or stands for one of several. */
  readonly dynamic: boolean;
  /** An unquoted unknown: it may become several words, options among them. */
  readonly open: boolean;
  /** Part of it is put together by the shell from a variable or another command's output, even if the result is known. */
  readonly made?: 'variable' | 'output' | undefined;
}

export function literal(text: string): Argument {
  return { text, glob: false, dynamic: false, open: false };
}

export function isStatic(argument: Argument): boolean {
  return !argument.dynamic && !argument.glob;
}

/** True when nothing but the shape of the text is open: every unknown is a short plain word. */
export function isTame(argument: Argument): boolean {
  return !argument.open && (!argument.dynamic || (argument.text.includes(TOKEN) && !argument.text.includes(HOLE)));
}

/** For people: unknown parts are shown as three dots. */
export function show(argument: Argument): string {
  return argument.text.replaceAll(HOLE, '…').replaceAll(TOKEN, '…');
}
