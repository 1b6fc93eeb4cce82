/** Which addresses out of an agent's text may become links at all; asked by the view and again by the host. */

/** Only http and https, without credentials in the address; nothing else leaves the view as a link. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '';
}

/** A path inside a folder, as written: no scheme, no root, no drive, no way up. The host checks again. */
export function isRelativePath(text: string): boolean {
  if (text === '' || /^[/\\#?]/.test(text) || /^[a-z][a-z0-9+.-]*:/i.test(text) || text.includes('\0')) return false;
  return !text.split(/[/\\]/).includes('..');
}
