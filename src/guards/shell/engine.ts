import { createShellAnalyser, type ShellAnalyser } from '../../core/command/analyse.ts';
import { createGrammar, type Grammar, type GrammarBytes } from '../../core/command/grammar.ts';
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
      held.grammar = await createGrammar(load);
      return true;
    } catch {
      return false;
    }
  };
  return {
    ...createShellAnalyser(() => held.grammar, describeSegment),
    ready: () => (held.loading ??= start()),
    dispose: () => {
      held.grammar?.dispose();
      delete held.grammar;
    },
  };
}
