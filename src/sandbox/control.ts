/**
 * Turns what a program would send to a terminal into plain text: escape sequences and control characters go,
 * tab and newline stay, and a line redrawn with carriage returns keeps its last state. Works across chunks.
 */
export interface Cleaner {
  /** Text that is final: whole lines, or the start of a very long one. */
  push(text: string): string;
  /** The unfinished line as it stands now; empty when it is being redrawn, for then it will change again. */
  partial(): string;
  /** The rest. The cleaner is empty afterwards. */
  end(): string;
}

/** Longest unfinished line that is held back, in UTF-16 units; beyond it the line is passed on in pieces. */
export const HELD_LINE_LIMIT = 8192;

function isPlain(code: number): boolean {
  return code >= 0xa0 || (code >= 0x20 && code < 0x7f) || code === 0x09 || code === 0x0a;
}

/** Control characters that do nothing and start nothing: all but CR, ESC and the C1 introducers. */
function isSilent(code: number): boolean {
  return code !== 0x0d && code !== 0x1b && (code < 0x90 || code > 0x9f);
}

/** `string` swallows OSC, DCS, SOS, PM and APC up to BEL, ST or (so that it cannot hide everything) a newline. */
type State = 'text' | 'escape' | 'escape_more' | 'csi' | 'string' | 'string_escape';

interface Line {
  /** The characters a redrawn line had before; undefined while nothing was redrawn. */
  under: string[] | undefined;
  over: string;
}

export function createCleaner(): Cleaner {
  const line: Line = { under: undefined, over: '' };
  let state: State = 'text';
  let parameters = '';

  function finished(): string {
    const text = shown(line);
    line.under = undefined;
    line.over = '';
    return text;
  }

  function step(unit: string): string {
    const next = nextState(state, unit);
    if (state === 'text' && next === 'text') return control(line, unit, finished);
    if (state === 'csi' && next === 'csi' && parameters.length < 8) parameters += unit;
    if (state === 'csi' && next === 'text' && unit === 'K') erase(line, parameters);
    if (next !== 'csi') parameters = '';
    state = next;
    // A newline ends any sequence and is still a newline.
    return unit === '\n' ? `${finished()}\n` : '';
  }

  /** A run without control characters, newlines apart. */
  function plain(run: string): string {
    const first = run.indexOf('\n') + 1;
    if (first === 0) {
      line.over += run;
      return line.over.length > HELD_LINE_LIMIT ? finished() : '';
    }
    line.over += run.slice(0, first - 1);
    const cut = run.lastIndexOf('\n') + 1;
    return `${finished()}\n${run.slice(first, cut)}${plain(run.slice(cut))}`;
  }

  // Scans by code: binary floods pass here, and a pattern a character would hold up the editor.
  function push(text: string): string {
    let done = '';
    let from = 0;
    let at = 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (state === 'text' && isPlain(code)) {
        at += 1;
        continue;
      }
      if (state === 'text' && at > from) done += plain(text.slice(from, at));
      if (state !== 'text' || !isSilent(code)) done += step(String.fromCodePoint(text.codePointAt(at) ?? 0));
      at += code >= 0xd800 && code <= 0xdbff ? 2 : 1;
      from = at;
    }
    return from < text.length ? done + plain(text.slice(from)) : done;
  }

  return { push, partial: () => (line.under === undefined ? line.over : ''), end: finished };
}

function nextState(state: State, unit: string): State {
  if (unit === '\n' || unit === '\u0018' || unit === '\u001a') return 'text';
  switch (state) {
    case 'text': return introduced(unit);
    case 'escape':
      if (unit === '[') return 'csi';
      if (']PX^_'.includes(unit)) return 'string';
      return unit >= ' ' && unit <= '/' ? 'escape_more' : 'text';
    case 'escape_more': return unit >= ' ' && unit <= '/' ? 'escape_more' : 'text';
    case 'csi':
      if (unit === '\u001b') return 'escape';
      return (unit >= '@' && unit <= '~') || unit > '\u007f' ? 'text' : 'csi';
    case 'string':
      if (unit === '\u001b') return 'string_escape';
      return unit === '\u0007' || unit === '\u009c' ? 'text' : 'string';
    case 'string_escape': return unit === '\\' ? 'text' : nextState('escape', unit);
  }
}

function introduced(unit: string): State {
  if (unit === '\u001b') return 'escape';
  if (unit === '\u009b') return 'csi';
  return '\u0090\u0098\u009d\u009e\u009f'.includes(unit) ? 'string' : 'text';
}

/** Of the control characters only these two do something. */
function control(line: Line, unit: string, finished: () => string): string {
  if (unit === '\n') return `${finished()}\n`;
  if (unit === '\r') {
    line.under ??= [];
    let column = 0;
    // In place, so that a flood of short redraws over a long line costs no more than what it prints.
    for (const character of line.over) if (column < HELD_LINE_LIMIT) line.under[column++] = character;
    line.over = '';
  }
  return '';
}

function shown(line: Line): string {
  return line.under === undefined ? line.over : line.over + line.under.slice([...line.over].length).join('');
}

/** CSI K: 0 to the end of the line, 1 to its start, 2 the whole line. */
function erase(line: Line, parameters: string): void {
  if (parameters === '2' || parameters === '1') line.over = '';
  if (parameters !== '1' && line.under !== undefined) line.under.length = Math.min(line.under.length, parameters === '2' ? 0 : [...line.over].length);
}
