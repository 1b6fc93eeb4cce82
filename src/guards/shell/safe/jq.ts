import { HOLE, type Argument } from '../../../core/command/argument.ts';
import type { Draft } from '../../../core/command/analyse/draft.ts';
import type { ParsedOptions } from '../../../core/command/options.ts';
import { has } from './table.ts';

const READS_ENVIRONMENT = /\$ENV\b|(?<![.\w])env\b(?!\s*:)|\$__prog|input_filename|(?<![.\w])(?:import|include|modulemeta|get_search_list)\b/;
const TWO_VALUES = new Set(['--arg', '--argjson', '--slurpfile', '--rawfile']);

/** `jq`: a filter without access to the environment or to modules, then files. */
export function judgeJq(draft: Draft, parsed: ParsedOptions): void {
  let operands: readonly Argument[] = parsed.operands;
  for (const { name } of parsed.options) {
    if (!TWO_VALUES.has(name)) continue;
    const value = followingValue(draft, name, parsed);
    if (value === undefined) continue;
    operands = operands.filter((word) => word !== value);
    if (name === '--slurpfile' || name === '--rawfile') draft.touch('read', value);
  }
  const given = has(parsed, '-f');
  const filter = given ? undefined : operands[0];
  const files = given ? operands : operands.slice(1);
  if (filter !== undefined) {
    if (filter.text.includes(HOLE)) draft.raise('dynamic_argument', 'a jq filter that is not known');
    else if (READS_ENVIRONMENT.test(filter.text.replace(/"(?:\\.|[^"\\])*"/g, '""'))) draft.raise('environment_dump', 'a jq filter that reads the environment');
  }
  if (!has(parsed, '--args', '--jsonargs')) for (const word of files) draft.touch('read', word);
}

/** `--arg name value`: the table took the name, the value follows it. */
function followingValue(draft: Draft, option: string, parsed: ParsedOptions): Argument | undefined {
  const found = parsed.options.find(({ name }) => name === option)?.value;
  const at = found === undefined ? -1 : draft.argv.indexOf(found);
  return at === -1 ? undefined : draft.argv[at + 1];
}
