/**
 * Text as a person must see it: nothing invisible stays invisible, and nothing that can be seen is cut. Marks are
 * written between ⟨ and ⟩; these two characters are themselves marked in the text, so a mark cannot be faked.
 */

export interface Drawn {
  readonly text: string;
  /** True when something was marked. */
  readonly hidden: boolean;
}

/** Blanks in one run from which on they are counted: at the start of a line (indentation), and inside it. */
const MOST_INDENT = 40;
const MOST_BLANKS = 16;
/** Columns a tab may take; only for the two limits above. */
const TAB_COLUMNS = 8;

/**
 * Controls (without line feed and tab), format characters (bidi, zero width, tags), every space but U+0020, line and
 * paragraph separators, ignorable fillers and selectors, surrogates, private and unassigned characters, the blank
 * Braille pattern, and the two brackets of the marks.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800⟨⟩]/u;

/** Newlines with nothing but blanks and carriage returns between them; three and more are counted. */
const NEWLINES = /\n(?:[ \t\r]*\n){2,}/y;
const BLANKS = /[ \t]+/y;

/** Marks everything unseen. Every non-blank character of `text` is in the result, in order. */
export function drawVisible(text: string): Drawn {
  const out: string[] = [];
  let hidden = false;
  let at = 0;
  while (at < text.length) {
    const next = longBlank(text, at) ?? unseen(text, at);
    if (next === undefined) {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
      out.push(character);
      at += character.length;
      continue;
    }
    hidden ||= next.marked;
    out.push(next.drawn);
    at += next.length;
  }
  return { text: out.join(''), hidden };
}

interface Piece {
  readonly drawn: string;
  readonly length: number;
  readonly marked: boolean;
}

/** A run of newlines or of blanks; short ones stay as they are. */
function longBlank(text: string, at: number): Piece | undefined {
  const first = text[at];
  if (first === '\n') {
    const run = match(NEWLINES, text, at);
    if (run === undefined) return { drawn: '\n', length: 1, marked: false };
    return { drawn: `\n⟨${count(run, '\n')} newlines⟩\n`, length: run.length, marked: true };
  }
  if (first !== ' ' && first !== '\t') return undefined;
  const run = match(BLANKS, text, at) ?? first;
  const columns = run.length + count(run, '\t') * (TAB_COLUMNS - 1);
  const atLineStart = at === 0 || text[at - 1] === '\n';
  if (columns <= (atLineStart ? MOST_INDENT : MOST_BLANKS)) return { drawn: run, length: run.length, marked: false };
  const name = run.includes('\t') ? (run.includes(' ') ? 'blanks' : 'tabs') : 'spaces';
  return { drawn: ` ⟨${run.length} ${name}⟩ `, length: run.length, marked: true };
}

/** One unseen character, with its repetitions counted so that they cannot push the rest away. */
function unseen(text: string, at: number): Piece | undefined {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (!UNSEEN.test(character)) return undefined;
  let times = 1;
  while (text.startsWith(character, at + times * character.length)) times += 1;
  const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return { drawn: times === 1 ? `⟨${name}⟩` : `⟨${name} ×${times}⟩`, length: times * character.length, marked: true };
}

/** For names, where a blank at either end counts: `a ` is not `a`. */
export function drawVisiblePath(path: string): Drawn {
  const lead = /^ */.exec(path)?.[0].length ?? 0;
  const middle = path.trim() === '' ? '' : path.slice(lead).replace(/ +$/, '');
  const tail = path.length - lead - middle.length;
  const inner = drawVisible(middle);
  const text = inner.text.replaceAll('\n', '⟨U+000A⟩').replaceAll('\t', '⟨U+0009⟩');
  const edge = (n: number): string => (n === 0 ? '' : `⟨${n === 1 ? 'space' : `${n} spaces`}⟩`);
  return { text: edge(lead) + text + edge(tail), hidden: inner.hidden || lead + tail > 0 || text !== inner.text };
}

/** One paragraph of at most `limit` characters; what is longer ends in `…`. For quoted text, never for what is approved. */
export function drawParagraph(text: string, limit: number): string {
  const paragraph = drawVisible(text.replace(/\s+/g, ' ').trim()).text;
  const characters = [...paragraph];
  if (characters.length <= limit) return paragraph;
  return `${characters.slice(0, limit - 1).join('').replace(/⟨[^⟩]*$/, '').trimEnd()}…`;
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  const sticky = new RegExp(pattern.source, 'y');
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
