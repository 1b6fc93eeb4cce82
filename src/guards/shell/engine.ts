import { createShellAnalyser, type ShellAnalyser } from '../../core/command/analyse.ts';
import type { Grammar, GrammarBytes } from '../../core/command/grammar.ts';
import type { Invocation } from '../../core/command/analyse/draft.ts';
import type { Walk } from '../../core/command/analyse/walk.ts';
import { literal } from '../../core/command/argument.ts';
import { describeCmd, describeCmdlet, plainCmd } from './cmdlets.ts';
import { describeSegment } from './describe.ts';

export interface ShellEngine extends ShellAnalyser {
  /** Loads the grammar once; resolves to whether it is there. Until then, and when it fails, every shell line is unknown. Never rejects. */
  readonly ready: () => Promise<boolean>;
  readonly dispose: () => void;
}

/** The shell engine with what Sluice knows about programs. `load` brings the bytes of the grammar, the first time they are needed. */
export function createShellEngine(load: () => Promise<GrammarBytes>): ShellEngine {
  const held: { grammar?: Grammar; loading?: Promise<boolean> } = {};
  const start = async (): Promise<boolean> => {
    try {
      const { createGrammar } = await import('../../core/command/grammar.ts');
      held.grammar = await createGrammar(load);
      return true;
    } catch {
      return false;
    }
  };
  return {
    ...createShellAnalyser(() => held.grammar, { describe: describeSegment, describeCmdlet, walkOther }),
    ready: () => (held.loading ??= start()),
    dispose: () => {
      held.grammar?.dispose();
      delete held.grammar;
    },
  };
}

/** `cmd`: only a plain command that looks is known. `direct`: words without a shell. Any other shell is unknown. */
function walkOther(shell: string, line: string, start: Invocation, walk: Walk): void {
  const words = shell === 'cmd' ? plainCmd(line) : undefined;
  if (words === undefined) {
    walk.doubt('shell_kind', `${shell.slice(0, 20)} lines are not understood`);
    return;
  }
  describeCmd(walk.start({ ...start, argv: words.map(literal) }, 'block'));
}
