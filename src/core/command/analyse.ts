import { literal } from './argument.ts';
import { programName, type Context, type Describe, type Invocation } from './analyse/draft.ts';
import { runInvocation } from './analyse/simple.ts';
import { startState } from './analyse/state.ts';
import { Walk } from './analyse/walk.ts';
import type { ShellForm } from './form.ts';
import type { Grammar } from './grammar.ts';
import { hiddenCharacter } from './hidden.ts';
import { LIMITS, Unreadable, type Doubt } from './limits.ts';
import type { Place } from './place.ts';
import { walkPowerShell, type DescribeCmdlet } from './powershell/analyse.ts';
import { readLine, type Read } from './reader/read.ts';

/** Which shell reads the line. Anything but these two is judged as unknown by the caller. */
export type ShellKind = 'bash' | 'zsh';

export interface ShellAnalyser {
  /** Judges a shell line. Synchronous, pure, never throws. */
  readonly analyseShell: (line: string, place: Place, shell?: ShellKind) => ShellForm;
  /** Judges a line of any shell, by its name; one that nobody knows here is unknown. */
  readonly analyse: (line: string, place: Place, shell: string) => ShellForm;
  /** Judges a program start without a shell. Needs no grammar. */
  readonly analyseArgv: (argv: readonly string[], place: Place) => ShellForm;
}

/** What is known about programs; the option tables of the guards. */
export interface Knowledge {
  readonly describe: Describe;
  readonly describeCmdlet: DescribeCmdlet;
  /** A line of a shell without a reader of its own: judged, or left with a doubt. */
  readonly walkOther: (shell: string, line: string, start: Invocation, walk: Walk) => void;
}

const START: Context = { via: [], input: { kind: 'inherited' }, background: false, depth: 0, active: new Set() };
/** Words that zsh expands and bash does not: `=name`, `^`, `~` and `#` patterns, `<1-5>`. */
const ZSH_ONLY = /(?:^|[\s;&|(])=[A-Za-z]|<\d*-\d*>|[^\s'"]\^|(?:^|\s)\^|[^\s'"#]#|[^\s'"/]~|\*\*?\([^)]|\$\{\(|[A-Za-z*?\]]\([#.^/@=*a-zA-Z]/;

/**
 * `grammar` is undefined until it has loaded, or for good when it cannot: then every shell line is unknown.
 */
export function createShellAnalyser(grammar: () => Grammar | undefined, knowledge: Knowledge): ShellAnalyser {
  const { describe } = knowledge;
  const read = (text: string): Read | Doubt => {
    const found = readLine(text);
    if ('code' in found) return found;
    const loaded = grammar();
    if (loaded === undefined) return found;
    return loaded.objection(text, found.census) ?? found;
  };
  const analyser: ShellAnalyser = {
    analyse: (line, place, shell) => {
      const name = programName(shell);
      if (name === 'bash' || name === 'sh' || name === 'dash' || name === 'zsh') return analyser.analyseShell(line, place, name === 'zsh' ? 'zsh' : 'bash');
      const walk = new Walk(place, read, describe);
      if (name === 'pwsh' || name === 'powershell') {
        guarded(walk, () => { walkPowerShell(line, name === 'pwsh', startState(place.cwd), START, walk, knowledge.describeCmdlet); });
        if (walk.segments.length === 0) walk.doubt('unreadable', 'it is empty');
      } else knowledge.walkOther(name, line, { argv: [], assignments: [], redirects: [], state: startState(place.cwd), context: START }, walk);
      return formOf(walk);
    },
    analyseShell: (line, place, shell = 'bash') => {
      const found = read(line);
      const walk = new Walk(place, read, describe);
      if (grammar() === undefined) walk.doubt('no_parser', 'the shell grammar is not loaded');
      if (shell === 'zsh' && ZSH_ONLY.test(line)) walk.doubt('shell_kind', 'zsh expands a word of it in its own way');
      if ('code' in found) {
        walk.doubt(found.code, found.detail);
        salvage(line, walk);
      } else guarded(walk, () => { walk.script(found.script, startState(place.cwd), START); });
      if (line.trim() === '') walk.doubt('unreadable', 'it is empty');
      else if (walk.segments.length === 0 && walk.doubts.length === 0) walk.doubt('unreadable', 'nothing in it would run');
      return formOf(walk);
    },
    analyseArgv: (argv, place) => {
      const walk = new Walk(place, read, describe);
      const text = argv.join(' ');
      const hidden = hiddenCharacter(text);
      if (hidden !== undefined) walk.doubt('hidden_characters', `it contains a character that cannot be seen (${hidden})`);
      if (text.length > LIMITS.length) walk.doubt('too_long', `it is longer than ${LIMITS.length} characters`);
      else if (argv.length === 0) walk.doubt('unreadable', 'it is empty');
      else guarded(walk, () => { runInvocation({ argv: argv.map(literal), assignments: [], redirects: [], state: startState(place.cwd), context: START }, walk); });
      return formOf(walk);
    },
  };
  return analyser;
}

/** A line that only the grammar objects to is still walked, so that a hard block in plain sight stays one. */
function salvage(line: string, walk: Walk): void {
  const own = readLine(line);
  if ('code' in own) return;
  guarded(walk, () => { walk.script(own.script, startState(walk.place.cwd), START); });
}

function guarded(walk: Walk, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (error instanceof Unreadable) walk.doubt(error.doubt.code, error.doubt.detail);
    else if (error instanceof RangeError) walk.doubt('too_deep', 'it is nested too deeply');
    else throw error;
  }
}

function formOf(walk: Walk): ShellForm {
  return { segments: walk.segments, doubts: walk.doubts, functions: [...walk.functions] };
}
