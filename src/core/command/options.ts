import { HOLE, TOKEN, type Argument } from './argument.ts';

/**
 * Option tables are written as text, one token an option: `-o|--output=write`, `--color?text`, `-f!delete`.
 * `=type` takes a value (glued or the next word), `?type` takes one only when it is glued; `!key` raises a concern.
 * `-#` stands for a number as an option (`head -20`).
 */
export type ValueType = 'text' | 'read' | 'tree' | 'write' | 'list' | 'folder' | 'program' | 'number' | 'script';

export interface OptionSpec {
  readonly names: readonly string[];
  readonly value: 'none' | 'required' | 'optional';
  readonly type: ValueType;
  readonly concern: string | undefined;
}

export interface OptionTable {
  readonly byName: ReadonlyMap<string, OptionSpec>;
  readonly longNames: readonly string[];
  readonly numeric: boolean;
  /** `gnu`: bundles, long names may be abbreviated. `exact`: long names whole. `single`: `-name` is one option, nothing bundles. */
  readonly style: 'gnu' | 'exact' | 'single';
  /** Options that are not listed are flags without effect. */
  readonly open: boolean;
  /** Options end at the first operand. */
  readonly leading: boolean;
}

const SPEC = /^([^=?!]+)(?:(=|\?)(\w+))?(?:!(\w+))?$/;

/** Compiles a table; a token that does not parse is a mistake of ours and throws when the module loads. */
export function optionTable(text: string, style: OptionTable['style'] = 'gnu', flags: { open?: boolean; leading?: boolean } = {}): OptionTable {
  const byName = new Map<string, OptionSpec>();
  for (const token of text.split(/\s+/).filter((part) => part !== '')) {
    const match = SPEC.exec(token);
    if (match === null) throw new Error(`option table: ${token}`);
    const names = (match[1] ?? '').split('|');
    const value = match[2] === '=' ? 'required' : match[2] === '?' ? 'optional' : 'none';
    const spec: OptionSpec = { names, value, type: (match[3] ?? 'text') as ValueType, concern: match[4] };
    for (const name of names) byName.set(name, spec);
  }
  return {
    byName, style, numeric: byName.has('-#'), open: flags.open === true, leading: flags.leading === true,
    longNames: [...byName.keys()].filter((name) => name.startsWith('--')),
  };
}

export interface FoundOption {
  readonly spec: OptionSpec;
  /** As it was matched: the full name. */
  readonly name: string;
  readonly value: Argument | undefined;
}

export interface ParsedOptions {
  readonly options: readonly FoundOption[];
  readonly operands: readonly Argument[];
  /** Options that are not in the table, as written. */
  readonly unknown: readonly string[];
  /** Words that may turn out to be options when the command runs. */
  readonly unsure: readonly Argument[];
}

interface Sink {
  readonly options: FoundOption[];
  readonly operands: Argument[];
  readonly unknown: string[];
  readonly unsure: Argument[];
}

/** Reads the words after the program name. */
export function parseOptions(words: readonly Argument[], table: OptionTable): ParsedOptions {
  const sink: Sink = { options: [], operands: [], unknown: [], unsure: [] };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    if (word.text === '--' && !word.dynamic) {
      sink.operands.push(...words.slice(index + 1));
      break;
    }
    if (word.text.startsWith(HOLE) || (word.open && !word.text.startsWith(TOKEN))) sink.unsure.push(word);
    if (!word.text.startsWith('-') || word.text === '-') {
      if (table.leading) {
        sink.operands.push(...words.slice(index));
        break;
      }
      sink.operands.push(word);
      continue;
    }
    index += takeOption(word, words[index + 1], table, sink);
  }
  return sink;
}

/** Returns how many following words the option used. */
function takeOption(word: Argument, next: Argument | undefined, table: OptionTable, sink: Sink): number {
  if (table.style === 'single') return takeSingle(word, next, table, sink);
  return word.text.startsWith('--') ? takeLong(word, next, table, sink) : takeBundle(word, next, table, sink);
}

function takeSingle(word: Argument, next: Argument | undefined, table: OptionTable, sink: Sink): number {
  const [head, glued] = cut(word);
  const name = head.startsWith('--') ? head.slice(1) : head;
  const spec = table.byName.get(head) ?? table.byName.get(name);
  if (spec === undefined) {
    if (!table.open || word.dynamic) sink.unknown.push(word.text);
    return 0;
  }
  return record(spec, head, glued, next, sink);
}

function takeLong(word: Argument, next: Argument | undefined, table: OptionTable, sink: Sink): number {
  const [head, glued] = cut(word);
  if (head.includes(HOLE) || head.includes(TOKEN)) {
    sink.unsure.push(word);
    return 0;
  }
  const exact = table.byName.get(head);
  if (exact !== undefined) return record(exact, head, glued, next, sink);
  const candidates = table.style === 'gnu' ? table.longNames.filter((name) => name.startsWith(head)) : [];
  const specs = [...new Set(candidates.map((name) => table.byName.get(name)))];
  const [only] = specs;
  if (specs.length === 1 && only !== undefined) return record(only, candidates[0] ?? head, glued, next, sink);
  const harmful = specs.some((spec) => spec !== undefined && (spec.concern !== undefined || (spec.value !== 'none' && spec.type !== 'text' && spec.type !== 'number')));
  if (!table.open || harmful || specs.length > 1) sink.unknown.push(head);
  return 0;
}

function takeBundle(word: Argument, next: Argument | undefined, table: OptionTable, sink: Sink): number {
  const { text } = word;
  if (table.numeric && /^-\d+$/.test(text)) return 0;
  for (let index = 1; index < text.length; index += 1) {
    const letter = text[index] ?? '';
    if (letter === HOLE || letter === TOKEN) {
      sink.unsure.push(word);
      return 0;
    }
    const spec = table.byName.get(`-${letter}`);
    if (spec === undefined) {
      if (!table.open) {
        sink.unknown.push(`-${letter}`);
        return 0;
      }
      continue;
    }
    if (spec.value === 'none') {
      sink.options.push({ spec, name: `-${letter}`, value: undefined });
      continue;
    }
    const rest = text.slice(index + 1);
    return record(spec, `-${letter}`, rest === '' ? undefined : { ...word, text: rest }, next, sink);
  }
  return 0;
}

function record(spec: OptionSpec, name: string, glued: Argument | undefined, next: Argument | undefined, sink: Sink): number {
  if (spec.value === 'required' && glued === undefined) {
    sink.options.push({ spec, name, value: next });
    return 1;
  }
  sink.options.push({ spec, name, value: glued });
  return 0;
}

function cut(word: Argument): [string, Argument | undefined] {
  const at = word.text.indexOf('=');
  return at === -1 ? [word.text, undefined] : [word.text.slice(0, at), { ...word, text: word.text.slice(at + 1) }];
}
