import { Language, Parser } from 'web-tree-sitter';
import type { Doubt } from './limits.ts';
import type { Census } from './reader/script.ts';

/** The bytes of the parser's runtime and of one grammar. Loaded once, when first needed. */
export interface GrammarBytes {
  readonly runtime: Uint8Array;
  readonly grammar: Uint8Array;
}

/** The second reader: a tree-sitter grammar that has to see the same constructs as ours. */
export interface Grammar {
  /** Undefined when it agrees. Synchronous; the tree is freed before it returns. */
  readonly objection: (text: string, census: Readonly<Census>) => Doubt | undefined;
  /** Whether the text parses without an error. */
  readonly accepts: (text: string) => boolean;
  readonly dispose: () => void;
}

/**
 * Node kinds that a line may consist of. A kind that is not listed (a newer grammar, a construct nobody thought
 * of) makes the line unknown.
 */
const KNOWN_NODES = new Set([
  'program', 'command', 'command_name', 'word', 'string', 'string_content', 'raw_string', 'ansi_c_string', 'translated_string', 'concatenation', 'number',
  'simple_expansion', 'expansion', 'variable_name', 'special_variable_name', 'command_substitution', 'process_substitution', 'arithmetic_expansion',
  'list', 'pipeline', 'redirected_statement', 'file_redirect', 'heredoc_redirect', 'herestring_redirect', 'heredoc_start', 'heredoc_body', 'heredoc_content', 'heredoc_end', 'file_descriptor',
  'variable_assignment', 'variable_assignments', 'array', 'subscript', 'declaration_command', 'unset_command', 'test_command', 'test_operator',
  'unary_expression', 'binary_expression', 'ternary_expression', 'postfix_expression', 'parenthesized_expression', 'negated_command', 'regex', 'extglob_pattern', 'brace_expression',
  'if_statement', 'elif_clause', 'else_clause', 'while_statement', 'for_statement', 'c_style_for_statement', 'case_statement', 'case_item', 'do_group',
  'compound_statement', 'subshell', 'function_definition', 'comment',
]);
const NODE = /\(([a-z_]+)|\((ERROR|MISSING|UNEXPECTED)/g;

/**
 * Makes the second reader. `load` is called once and brings the bytes; it rejects when they cannot be had, and
 * then every line stays unknown.
 */
export async function createGrammar(load: () => Promise<GrammarBytes>): Promise<Grammar> {
  const { runtime, grammar } = await load();
  await Parser.init({ wasmBinary: runtime });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  const outline = (text: string): string | undefined => {
    const tree = parser.parse(text);
    if (tree === null) return undefined;
    try {
      return tree.rootNode.hasError ? undefined : tree.rootNode.toString();
    } finally {
      tree.delete();
    }
  };
  return {
    objection: (text, census) => compare(outline(text), census),
    accepts: (text) => outline(text) !== undefined,
    dispose: () => { parser.delete(); },
  };
}

function compare(outline: string | undefined, census: Readonly<Census>): Doubt | undefined {
  if (outline === undefined) return { code: 'unreadable', detail: 'the shell grammar finds a mistake in it' };
  let commands = 0;
  let substitutions = 0;
  let processes = 0;
  let functions = 0;
  let heredocs = 0;
  for (const match of outline.matchAll(NODE)) {
    const kind = match[1];
    if (kind === undefined) return { code: 'unreadable', detail: 'the shell grammar finds a mistake in it' };
    if (!KNOWN_NODES.has(kind)) return { code: 'readers_disagree', detail: `an unusual construct (${kind.slice(0, 40)})` };
    if (kind === 'command' || kind === 'declaration_command' || kind === 'test_command' || kind === 'unset_command') commands += 1;
    else if (kind === 'command_substitution') substitutions += 1;
    else if (kind === 'process_substitution') processes += 1;
    else if (kind === 'function_definition') functions += 1;
    else if (kind === 'heredoc_redirect') heredocs += 1;
  }
  const same = commands === census.commands && substitutions === census.substitutions && processes === census.processes
    && functions === census.functions && heredocs === census.heredocs;
  return same ? undefined : { code: 'readers_disagree', detail: 'two readers see different commands in it' };
}
