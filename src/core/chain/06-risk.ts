import type { Risk } from '../call.ts';
import type { Tool } from '../tool.ts';
import type { Rating } from '../verdict.ts';
import type { Elevated, Rated } from './stages.ts';

/** Built-in tools whose risk is fixed here, whatever they declare. */
const RISK_TABLE: Readonly<Record<string, Risk>> = {
  read_file: 'read_only', list_directory: 'read_only', find_files: 'read_only', search_text: 'read_only',
  read_diagnostics: 'read_only', ask_user: 'read_only',
  edit_file: 'write', write_file: 'write',
  run_command: 'exec', run_shell: 'exec',
};

const DECLARABLE: ReadonlySet<string> = new Set(['read_only', 'write', 'exec', 'dangerous']);

/** Static table, then what the tool declares, then `write` for the unknown. */
export function rateCall(elevated: Elevated): Rated {
  return { stage: 'rated', elevated, rating: ratingOf(elevated.guarded.resolved.parsed.visible.tool) };
}

/** The rating of a tool, or of a name that no tool has. */
export function ratingOf(tool: Tool | undefined): Rating {
  if (tool === undefined) return { risk: 'write', source: 'unknown' };
  const fixed = Object.hasOwn(RISK_TABLE, tool.name) ? RISK_TABLE[tool.name] : undefined;
  if (fixed !== undefined) return { risk: fixed, source: 'table' };
  if (DECLARABLE.has(tool.risk)) return { risk: tool.risk, source: 'declared' };
  return { risk: 'write', source: 'unknown' };
}
