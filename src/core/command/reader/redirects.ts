import type { Cursor, MutableRedirect } from './cursor.ts';
import type { Redirect, RedirectOperator } from './script.ts';
import { readWord } from './words.ts';

const OPERATOR = /(\d{1,3})?(<<<|<<-|<<|<>|<&|>&|>>|>\||&>>|&>|<|>)(?!\()/y;
const NAMED = /\{[A-Za-z_]\w*\}(?:[<>])/y;

export function atRedirect(cursor: Cursor): boolean {
  const char = cursor.peek();
  if (char === '{') {
    NAMED.lastIndex = cursor.at;
    if (NAMED.test(cursor.text)) cursor.fail('unreadable', 'a redirect with a named descriptor');
    return false;
  }
  if (char !== '<' && char !== '>' && char !== '&' && !(char >= '0' && char <= '9')) return false;
  OPERATOR.lastIndex = cursor.at;
  return OPERATOR.test(cursor.text);
}

export function readRedirect(cursor: Cursor): Redirect {
  OPERATOR.lastIndex = cursor.at;
  const match = OPERATOR.exec(cursor.text);
  const raw = match?.[2] ?? '';
  cursor.at += match?.[0].length ?? 0;
  const descriptor = match?.[1] === undefined ? undefined : Number(match[1]);
  cursor.skipBlanks();
  if (raw === '<<' || raw === '<<-') return readHeredocStart(cursor, raw === '<<-', descriptor);
  const target = readWord(cursor);
  if (target.pieces.length === 0) cursor.fail('unreadable', 'a redirect without a target');
  return { operator: raw as RedirectOperator, descriptor, target };
}

/** Any redirects that follow a compound command. */
export function readRedirects(cursor: Cursor): readonly Redirect[] {
  const redirects: Redirect[] = [];
  for (;;) {
    cursor.skipBlanks();
    if (!atRedirect(cursor)) return redirects;
    redirects.push(readRedirect(cursor));
  }
}

const DELIMITER = /(?:'[^'\n]*'|"[^"\\$`\n]*"|\\[^\n]|[^\s;&|<>()'"\\$`])+/y;

function readHeredocStart(cursor: Cursor, stripTabs: boolean, descriptor: number | undefined): Redirect {
  DELIMITER.lastIndex = cursor.at;
  const raw = DELIMITER.exec(cursor.text)?.[0];
  if (raw === undefined) cursor.fail('unreadable', 'a here-document without an end mark');
  cursor.at += raw.length;
  cursor.census.heredocs += 1;
  const redirect: MutableRedirect = { operator: '<<', descriptor, target: { pieces: [] } };
  cursor.pending.push({
    delimiter: raw.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single?: string, double?: string, escaped?: string) => single ?? double ?? escaped ?? ''),
    quoted: /['"\\]/.test(raw), stripTabs,
    fill: (body) => { redirect.target = body; },
  });
  return redirect;
}
