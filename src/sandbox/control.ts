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

// eslint-disable-next-line no-control-regex -- finding control characters is what it is for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** `string` swallows OSC, DCS, SOS, PM and APC up to BEL, ST or (so that it cannot hide everything) a newline. */
type State = 'text' | 'escape' | 'escape_more' | 'csi' | 'string' | 'string_escape';

interface Line {
  /** What stands on the line behind what is being drawn; undefined while nothing was redrawn. */
  under: string | undefined;
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
    if (state === 'text' && next === 'text') return print(line, unit, finished);
    if (state === 'csi' && next === 'csi' && parameters.length < 8) parameters += unit;
    if (state === 'csi' && next === 'text' && unit === 'K') erase(line, parameters);
    if (next !== 'csi') parameters = '';
    state = next;
    // A newline ends any sequence and is still a newline.
    return unit === '\n' ? `${finished()}\n` : '';
  }

  function push(text: string): string {
    let done = '';
    if (state === 'text' && line.under === undefined && !CONTROL.test(text)) {
      const cut = text.lastIndexOf('\n') + 1;
      if (cut > 0) done = finished() + text.slice(0, cut);
      line.over += text.slice(cut);
    } else {
      const parts: string[] = [];
      for (const unit of text) {
        parts.push(step(unit));
        if (line.over.length > HELD_LINE_LIMIT) parts.push(finished());
      }
      done = parts.join('');
    }
    return line.over.length > HELD_LINE_LIMIT ? done + finished() : done;
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

function print(line: Line, unit: string, finished: () => string): string {
  if (unit === '\n') return `${finished()}\n`;
  if (unit === '\r') {
    line.under = shown(line).slice(0, HELD_LINE_LIMIT);
    line.over = '';
  } else if (unit === '\t' || !CONTROL.test(unit)) {
    line.over += unit;
  }
  return '';
}

function shown(line: Line): string {
  if (line.under === undefined) return line.over;
  return line.over + [...line.under].slice([...line.over].length).join('');
}

/** CSI K: 0 to the end of the line, 1 to its start, 2 the whole line. */
function erase(line: Line, parameters: string): void {
  if (parameters === '2' || parameters === '1') line.over = '';
  if (parameters !== '1') line.under = line.under === undefined ? undefined : '';
}
