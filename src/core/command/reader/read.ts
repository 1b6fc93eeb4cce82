import { hiddenCharacter } from '../hidden.ts';
import { LIMITS, Unreadable, type Doubt } from '../limits.ts';
import { readScript } from './commands.ts';
import { Cursor } from './cursor.ts';
import { readHeredocBodies } from './nested.ts';
import type { Census, Script } from './script.ts';

export interface Read {
  readonly script: Script;
  readonly census: Readonly<Census>;
}

/** Reads a whole line, or says why it cannot be read. Never throws; takes time linear in the text. */
export function readLine(text: string): Read | Doubt {
  if (text.length > LIMITS.length) return { code: 'too_long', detail: `it is longer than ${LIMITS.length} characters` };
  const hidden = hiddenCharacter(text);
  if (hidden !== undefined) return { code: 'hidden_characters', detail: `it contains a character that cannot be seen (${hidden})` };
  const cursor = new Cursor(text);
  try {
    const script = readScript(cursor);
    cursor.skipLines(readHeredocBodies);
    if (!cursor.end || cursor.pending.length > 0) cursor.fail('unreadable', cursor.pending.length > 0 ? 'a here-document without its end' : 'a word that starts nothing');
    return { script, census: cursor.census };
  } catch (error) {
    if (error instanceof Unreadable) return error.doubt;
    if (error instanceof RangeError) return { code: 'too_deep', detail: 'it is nested too deeply' };
    throw error;
  }
}
