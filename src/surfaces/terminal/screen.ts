/** Characters kept while the terminal is not open yet, and after the end for nobody. */
export const BUFFER_LIMIT = 200_000;
const NAME_LIMIT = 60;

/** Rows as a terminal wants them. Control characters are gone already; what is left of them is dropped here too. */
export function rows(text: string): string {
  return text.replace(/\r?\n/g, '\r\n').replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g, '');
}

/** `Sluice: npm test`, on one line and short; the whole command is the first row of the terminal. */
export function terminalName(line: string): string {
  const flat = [...line.replace(/\s+/g, ' ').trim()];
  return `Sluice: ${flat.length <= NAME_LIMIT ? flat.join('') : `${flat.slice(0, NAME_LIMIT - 1).join('')}…`}`;
}

/** The newest part of what was written before anybody could see it. */
export function bounded(text: string): string {
  return text.length <= BUFFER_LIMIT ? text : `[earlier output left out]\r\n${text.slice(-BUFFER_LIMIT)}`;
}
