/** Which addresses out of an agent's text may become links at all; asked by the view and again by the host. */

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Only http and https, without credentials in the address; nothing else leaves the view as a link. */
export function isWebAddress(text: string): boolean {
  if (CONTROL.test(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '';
}

/** A path inside a folder, as written: one line, no scheme, no root, no drive, no way up. The host checks again. */
export function isRelativePath(text: string): boolean {
  if (text === '' || /^[/\\#?]/.test(text) || /^[a-z][a-z0-9+.-]*:/i.test(text) || CONTROL.test(text)) return false;
  return !text.split(/[/\\]/).includes('..');
}
