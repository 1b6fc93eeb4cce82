/**
 * Every bound of the shell analysis. Reaching one never cuts the work short with a milder answer: the line
 * becomes unknown, which a person has to judge.
 */
export const LIMITS = {
  /** Characters of one line. Longer text is not read at all. */
  length: 32_768,
  /** Nesting of groups, substitutions, quoted scripts and wrappers together. */
  depth: 24,
  /** Commands of one line, those inside substitutions and wrapped scripts included. */
  commands: 50,
  /** Words one expansion may grow into. */
  words: 64,
  /** How far the end of a bracket expression is looked for; one that is longer counts as a pattern. */
  bracket: 128,
  /** Quoted, unquoted and expanded parts of one word. */
  pieces: 1_000,
  /** Characters of a path; a longer one leads nowhere that could be judged. */
  path: 4_096,
  /** Words read in one line. */
  totalWords: 4_000,
} as const;

/** Why a line cannot be judged. Each is shown in plain words by the guard that asks. */
export type DoubtCode =
  | 'unreadable' | 'too_long' | 'too_deep' | 'too_many' | 'hidden_characters' | 'readers_disagree'
  | 'history' | 'arithmetic' | 'transformation' | 'no_parser' | 'dynamic_command' | 'dynamic_word' | 'shell_state' | 'shell_kind';

export interface Doubt {
  readonly code: DoubtCode;
  /** What was not understood, in plain words; may quote at most a few characters of the line. */
  readonly detail: string;
}

/** Raised inside the reader; the entry turns it into a doubt. Nothing else catches it. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly doubt: Doubt;
  constructor(code: DoubtCode, detail: string) {
    super(detail);
    this.doubt = { code, detail };
  }
}
