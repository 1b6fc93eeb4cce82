import type { Argument } from '../../../core/command/argument.ts';
import { HOLE, show } from '../../../core/command/argument.ts';
import type { Draft } from '../../../core/command/analyse/draft.ts';
import type { ConcernKey, EffectOperation } from '../../../core/command/form.ts';
import { optionTable, parseOptions, type OptionTable, type ParsedOptions, type ValueType } from '../../../core/command/options.ts';

/** What an operand is: `pattern` is the first word unless an option gave it; `text` has no effect. */
export type OperandType = 'text' | 'pattern' | 'read' | 'tree' | 'list' | 'write' | 'hidden_write' | 'delete' | 'program' | 'none';

export interface CommandSpec {
  readonly options: OptionTable;
  readonly operands: readonly OperandType[];
  /** The last operand type repeats. */
  readonly repeats: boolean;
  /** A word that turns out to be an option cannot do harm. */
  readonly harmless: boolean;
  readonly raises: readonly ConcernKey[];
  readonly more: ((draft: Draft, parsed: ParsedOptions) => void) | undefined;
}

export interface SpecExtra {
  readonly style?: OptionTable['style'];
  /** Only listed options are known; the default is that others are flags without effect. */
  readonly closed?: boolean;
  readonly leading?: boolean;
  readonly raises?: readonly ConcernKey[];
  readonly more?: (draft: Draft, parsed: ParsedOptions) => void;
}

/** `operands` in words: `pattern read*`, `read hidden_write`, `text*`. */
export function spec(options: string, operands: string, extra: SpecExtra = {}): CommandSpec {
  const parts = operands.split(' ').filter((part) => part !== '');
  const table = optionTable(options, extra.style ?? 'gnu', { open: extra.closed !== true, leading: extra.leading === true });
  return {
    options: table,
    operands: parts.map((part) => part.replace('*', '') as OperandType),
    repeats: operands.endsWith('*'),
    harmless: extra.closed !== true && [...table.byName.values()].every((option) => option.concern === undefined && (option.value === 'none' || option.type === 'text')),
    raises: extra.raises ?? [],
    more: extra.more,
  };
}

/** `names` separated by blanks share one spec. */
export function table(rows: readonly (readonly [string, CommandSpec])[]): ReadonlyMap<string, CommandSpec> {
  return new Map(rows.flatMap(([names, entry]) => names.split(/\s+/).map((name) => [name, entry] as const)));
}

const OPERATIONS: Readonly<Partial<Record<ValueType | OperandType, EffectOperation>>> = {
  read: 'read', tree: 'read_tree', list: 'list', folder: 'list', write: 'write', hidden_write: 'write', delete: 'delete',
};

/** Judges the words after the program name by the table. */
export function applySpec(entry: CommandSpec, draft: Draft, words: readonly Argument[] = draft.argv.slice(1)): ParsedOptions {
  const parsed = parseOptions(words, entry.options);
  applyOptions(parsed, draft, entry.harmless);
  applyOperands(entry, parsed, draft);
  for (const key of entry.raises) draft.raise(key, draft.name);
  entry.more?.(draft, parsed);
  return parsed;
}

export function applyOptions(parsed: ParsedOptions, draft: Draft, harmless = false): void {
  for (const { spec: option, name, value } of parsed.options) {
    if (option.concern !== undefined) draft.raise(option.concern as ConcernKey, `${draft.name} ${name}`);
    if (value === undefined) continue;
    const operation = OPERATIONS[option.type];
    if (operation !== undefined) draft.touch(operation, value);
    else if (option.type === 'program') draft.raise('program_option', `${draft.name} ${name}`);
  }
  for (const unknown of parsed.unknown) draft.raise('unknown_option', `${draft.name} ${unknown}`);
  if (!harmless) for (const word of draft.argv) if (word.made !== undefined && word.text.startsWith('-')) draft.raise('dynamic_argument', `${draft.name} ${show(word)}`);
  if (!harmless) for (const word of parsed.unsure) draft.raise('dynamic_argument', `${draft.name} ${show(word)}`);
}

function applyOperands(entry: CommandSpec, parsed: ParsedOptions, draft: Draft): void {
  const types = [...entry.operands];
  const given = parsed.options.some(({ name }) => /^(?:-e|-f|--regexp|--file|--expression|--files|--type-list|--from-file)$/.test(name));
  if (types[0] === 'pattern' && given) types.shift();
  parsed.operands.forEach((word, index) => {
    const type = types[Math.min(index, types.length - 1)];
    if (type === undefined || (index >= types.length && !entry.repeats)) {
      draft.raise('unknown_option', `${draft.name} ${show(word)}`);
      return;
    }
    applyOperand(type, word, draft);
  });
}

function applyOperand(type: OperandType, word: Argument, draft: Draft): void {
  const operation = OPERATIONS[type];
  if (operation !== undefined && word.text !== '-') draft.touch(operation, word);
  if (type === 'hidden_write') draft.raise('hidden_write', `${draft.name} ${show(word)}`);
  if (type === 'program') draft.raise('program_option', draft.name);
}

export function has(parsed: ParsedOptions, ...names: readonly string[]): boolean {
  return parsed.options.some((option) => option.spec.names.some((name) => names.includes(name)));
}

export function texts(words: readonly Argument[]): readonly string[] {
  return words.map((word) => word.text);
}

export function unknownText(word: Argument): boolean {
  return word.text.includes(HOLE);
}
