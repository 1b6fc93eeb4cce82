import { HOLE, literal, type Argument } from '../argument.ts';
import { hiddenCharacter } from '../hidden.ts';
import { LIMITS, Unreadable, type Doubt } from '../limits.ts';

/** One command of a PowerShell line. `join` says how it follows the one before. */
export interface PowerCommand {
  readonly words: readonly PowerWord[];
  readonly redirects: readonly { readonly operator: string; readonly target: Argument }[];
  readonly join: ';' | '|' | '&&' | '||';
}

export interface PowerWord {
  readonly value: Argument;
  /** Written in quotes: a dash in it is no parameter, and as a command it would only be printed. */
  readonly quoted: boolean;
  /** Commands in parentheses whose output is the word. */
  readonly inner: readonly PowerCommand[];
}

const LOADS_CODE = /\busing\s+(?:module|assembly|namespace|type|command)\b|\bconfiguration\b|\bimport-dscresource\b|\brequires\b/i;
const UNUSUAL = /[`{}[\]]|<#|@[("'{]|--%|\$\(|::|\.\.\.|\u2018|\u2019|\u201c|\u201d|\u2013|\u2014|\u2015/;
const KEYWORD = /^(?:if|else|elseif|for|foreach|while|do|until|switch|function|filter|workflow|class|enum|try|catch|finally|throw|trap|return|exit|break|continue|param|begin|process|end|data|dynamicparam|in|hidden|static|parallel|sequence|inlinescript|using|var|define)$/i;
const NAMED_VALUES: Readonly<Record<string, string>> = { $null: '/dev/null', $true: 'true', $false: 'false' };

/**
 * Reads the plain part of PowerShell: commands with words, strings, parentheses, pipes and redirects. Script
 * blocks, types, escapes and keywords are not read: such a line is unknown. Never throws.
 */
export function readPowerShell(text: string, chains: boolean): readonly PowerCommand[] | Doubt {
  if (text.length > LIMITS.length) return { code: 'too_long', detail: `it is longer than ${LIMITS.length} characters` };
  const hidden = hiddenCharacter(text);
  if (hidden !== undefined) return { code: 'hidden_characters', detail: `it contains a character that cannot be seen (${hidden})` };
  if (LOADS_CODE.test(text.replaceAll('`', '')) || UNUSUAL.test(text)) return { code: 'unreadable', detail: 'a PowerShell construct that can run code' };
  try {
    const reader = new PowerReader(text, chains);
    const commands = reader.statements(false);
    return reader.finished ? commands : { code: 'unreadable', detail: 'a parenthesis that is not closed' };
  } catch (error) {
    if (error instanceof Unreadable) return error.doubt;
    throw error;
  }
}

class PowerReader {
  private readonly text: string;
  private readonly chains: boolean;
  private at = 0;
  private depth = 0;
  private count = 0;

  constructor(text: string, chains: boolean) {
    this.text = text;
    this.chains = chains;
  }

  get finished(): boolean {
    return this.at >= this.text.length;
  }

  statements(inside: boolean): PowerCommand[] {
    const commands: PowerCommand[] = [];
    let join: PowerCommand['join'] = ';';
    for (;;) {
      this.skip(/(?:\s|;|#[^\n]*)*/y);
      if (this.finished || (inside && this.text[this.at] === ')')) return commands;
      commands.push(this.command(join));
      this.count += 1;
      if (this.count > LIMITS.commands) throw new Unreadable('too_many', `it has more than ${LIMITS.commands} commands`);
      join = this.separator();
      if (join !== ';') this.skip(/\s*/y);
      if (join !== ';' && this.finished) throw new Unreadable('unreadable', 'a command is missing');
    }
  }

  private separator(): PowerCommand['join'] {
    this.skip(/[ \t]*/y);
    for (const join of ['&&', '||', '|'] as const) {
      if (!this.text.startsWith(join, this.at)) continue;
      if (join !== '|' && !this.chains) throw new Unreadable('unreadable', 'an operator that this PowerShell does not have');
      this.at += join.length;
      return join;
    }
    if (this.text[this.at] === '&') throw new Unreadable('unreadable', 'a call or background operator');
    return ';';
  }

  private command(join: PowerCommand['join']): PowerCommand {
    const words: PowerWord[] = [];
    const redirects: { operator: string; target: Argument }[] = [];
    for (;;) {
      this.skip(/[ \t]*/y);
      const redirect = this.match(/(?:[1-6*]?>>?(?:&1)?)/y);
      if (redirect !== undefined) {
        this.skip(/[ \t]*/y);
        if (!redirect.endsWith('&1')) redirects.push({ operator: redirect, target: this.word().value });
        continue;
      }
      if (this.finished || /[;\n|&)<#]/.test(this.text[this.at] ?? '')) break;
      words.push(this.word());
    }
    const [first] = words;
    if (first === undefined) throw new Unreadable('unreadable', 'a command is missing');
    if (!first.quoted && KEYWORD.test(first.value.text)) throw new Unreadable('unreadable', 'a PowerShell statement');
    if (first.quoted || first.value.text.startsWith('.') && !/^\.{1,2}[\\/]/.test(first.value.text)) throw new Unreadable('unreadable', 'an expression instead of a command');
    return { words, redirects, join };
  }

  private word(): PowerWord {
    const char = this.text[this.at] ?? '';
    if (char === '(') return this.parenthesised();
    if (char === "'") return { value: literal(this.single()), quoted: true, inner: [] };
    if (char === '"') return { value: this.double(), quoted: true, inner: [] };
    if (char === '$') return { value: this.variable(), quoted: false, inner: [] };
    const bare = this.match(/[^\s;|&<>()'"$#,]+(?:,[^\s;|&<>()'"$#,]+)*/y);
    if (bare === undefined) throw new Unreadable('unreadable', 'a word that is not understood');
    if (/^['"$(]/.test(this.text.slice(this.at, this.at + 1))) throw new Unreadable('dynamic_word', 'a word put together from parts');
    return { value: { text: bare, glob: /[*?]/.test(bare), dynamic: false, open: false }, quoted: false, inner: [] };
  }

  private parenthesised(): PowerWord {
    this.depth += 1;
    if (this.depth > LIMITS.depth) throw new Unreadable('too_deep', 'it is nested too deeply');
    this.at += 1;
    const inner = this.statements(true);
    if (this.text[this.at] !== ')' || inner.length === 0) throw new Unreadable('unreadable', 'a parenthesis that is not closed');
    this.at += 1;
    this.depth -= 1;
    if (/^[.\w'"(]/.test(this.text.slice(this.at, this.at + 1))) throw new Unreadable('unreadable', 'a member of a result');
    return { value: { text: HOLE, glob: false, dynamic: true, open: false }, quoted: false, inner };
  }

  private variable(): Argument {
    const name = this.match(/\$[\w:?^$]+/y) ?? '$';
    if (!/^(?:[\s;|)]|$)/.test(this.text.slice(this.at, this.at + 1))) throw new Unreadable('dynamic_word', 'a word put together from parts');
    const known = Object.hasOwn(NAMED_VALUES, name.toLowerCase()) ? NAMED_VALUES[name.toLowerCase()] : undefined;
    return known === undefined ? { text: HOLE, glob: false, dynamic: true, open: true } : literal(known);
  }

  private single(): string {
    const found = this.match(/'(?:[^']|'')*'/y);
    if (found === undefined) throw new Unreadable('unreadable', 'a quote that is not closed');
    return found.slice(1, -1).replaceAll("''", "'");
  }

  private double(): Argument {
    const found = this.match(/"(?:[^"]|"")*"/y);
    if (found === undefined) throw new Unreadable('unreadable', 'a quote that is not closed');
    const text = found.slice(1, -1).replaceAll('""', '"');
    return { text: text.replace(/\$[\w:]+/g, HOLE), glob: false, dynamic: text.includes('$'), open: text.includes('$') };
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined || found === '') return undefined;
    this.at += found.length;
    return found;
  }

  private skip(pattern: RegExp): void {
    this.match(pattern);
  }
}
