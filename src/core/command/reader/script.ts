/**
 * What a shell line says, as our own reader sees it. Quotes are gone: a word is a row of pieces, each either
 * known text or something that only the shell fills in.
 */
export interface Word {
  readonly pieces: readonly Piece[];
}

export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** An unquoted pattern character, as written. */
  | { readonly kind: 'glob'; readonly text: string }
  /** `~`, `~name`, `~+`, `~-`, without the slash. */
  | { readonly kind: 'tilde'; readonly text: string }
  | {
    readonly kind: 'parameter'; readonly name: string; readonly quoted: boolean;
    /** The operator after the name (`:-`, `%`, `/` ...), `length` for `${#name}`, `all` for `[@]` and `[*]`. */
    readonly operator: string | undefined;
    readonly argument: Word | undefined;
  }
  | { readonly kind: 'substitution'; readonly script: Script; readonly quoted: boolean }
  | { readonly kind: 'process'; readonly script: Script; readonly direction: '<' | '>' }
  | { readonly kind: 'arithmetic'; readonly expression: Arithmetic; readonly quoted: boolean }
  | { readonly kind: 'brace'; readonly alternatives: readonly Word[] };

/** An arithmetic expression made of numbers, operators and plain names only; anything else is not read. */
export interface Arithmetic {
  readonly text: string;
  readonly names: readonly string[];
  readonly sets: readonly string[];
}

export interface Assignment {
  readonly name: string;
  readonly append: boolean;
  readonly value: Word;
  /** Set for `name=(...)`; `value` is empty then. */
  readonly elements: readonly Word[] | undefined;
}

export type RedirectOperator = '<' | '>' | '>>' | '>|' | '<>' | '<&' | '>&' | '&>' | '&>>' | '<<' | '<<<';

export interface Redirect {
  readonly operator: RedirectOperator;
  readonly descriptor: number | undefined;
  /** The file, descriptor or here-string; for `<<` the body. */
  readonly target: Word;
}

export interface Simple {
  readonly kind: 'simple';
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

export type Command =
  | Simple
  | { readonly kind: 'group'; readonly subshell: boolean; readonly body: Script; readonly redirects: readonly Redirect[] }
  | { readonly kind: 'if'; readonly bodies: readonly Script[]; readonly redirects: readonly Redirect[] }
  | { readonly kind: 'loop'; readonly condition: Script; readonly body: Script; readonly redirects: readonly Redirect[] }
  | {
    readonly kind: 'for'; readonly name: string; readonly words: readonly Word[] | undefined;
    readonly select: boolean; readonly body: Script; readonly redirects: readonly Redirect[];
  }
  | { readonly kind: 'count'; readonly expressions: readonly Arithmetic[]; readonly body: Script; readonly redirects: readonly Redirect[] }
  | { readonly kind: 'case'; readonly subject: Word; readonly patterns: readonly Word[]; readonly bodies: readonly Script[]; readonly redirects: readonly Redirect[] }
  | { readonly kind: 'function'; readonly name: string; readonly body: Command; readonly redirects: readonly Redirect[] }
  | { readonly kind: 'test'; readonly words: readonly Word[]; readonly redirects: readonly Redirect[] }
  | { readonly kind: 'arithmetic'; readonly expression: Arithmetic; readonly redirects: readonly Redirect[] };

export interface Pipeline {
  /** How it follows the one before it; `;` for the first. */
  readonly join: ';' | '&&' | '||';
  readonly commands: readonly Command[];
  readonly background: boolean;
  readonly coprocess: boolean;
}

export interface Script {
  readonly pipelines: readonly Pipeline[];
}

/** How often the reader met each construct; compared with what the grammar saw. */
export interface Census {
  commands: number;
  substitutions: number;
  processes: number;
  functions: number;
  heredocs: number;
}
