import { LIMITS, Unreadable, type DoubtCode } from '../limits.ts';
import type { Census, Redirect, Word } from './script.ts';

export interface PendingHeredoc {
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly stripTabs: boolean;
  /** Called with the body once the line it follows has ended. */
  readonly fill: (body: Word) => void;
}

/** A place in one text. Nested texts (backticks, here-document bodies) get their own cursor and share the counts. */
export class Cursor {
  readonly text: string;
  at = 0;
  depth: number;
  readonly census: Census;
  pending: PendingHeredoc[] = [];
  private readonly words: { count: number };

  constructor(text: string, parent?: Cursor) {
    this.text = text;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.census = parent?.census ?? { commands: 0, substitutions: 0, processes: 0, functions: 0, heredocs: 0 };
    this.words = parent === undefined ? { count: 0 } : parent.words;
    if (this.depth > LIMITS.depth) this.fail('too_deep', 'it is nested too deeply');
  }

  get end(): boolean {
    return this.at >= this.text.length;
  }
  peek(offset = 0): string {
    return this.text[this.at + offset] ?? '';
  }
  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }
  take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }
  fail(code: DoubtCode, detail: string): never {
    throw new Unreadable(code, detail);
  }
  countWord(): void {
    this.words.count += 1;
    if (this.words.count > LIMITS.totalWords) this.fail('too_many', 'it has too many words');
  }
  countCommand(): void {
    this.census.commands += 1;
    if (this.census.commands > LIMITS.commands) this.fail('too_many', `it has more than ${LIMITS.commands} commands`);
  }
  nested<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > LIMITS.depth) this.fail('too_deep', 'it is nested too deeply');
    const result = read();
    this.depth -= 1;
    return result;
  }
  /** Spaces, tabs and continued lines. */
  skipBlanks(): void {
    for (;;) {
      const char = this.peek();
      if (char === ' ' || char === '\t') this.at += 1;
      else if (char === '\\' && this.peek(1) === '\n') this.at += 2;
      else return;
    }
  }
  /** Blanks, comments and line ends; here-document bodies are read where their line ends. */
  skipLines(readBodies: (cursor: Cursor) => void): void {
    for (;;) {
      this.skipBlanks();
      if (this.peek() === '#') this.skipComment();
      if (this.peek() !== '\n') return;
      this.at += 1;
      if (this.pending.length > 0) readBodies(this);
    }
  }
  skipComment(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end === -1 ? this.text.length : end;
  }
}

export type MutableRedirect = { -readonly [Key in keyof Redirect]: Redirect[Key] };
