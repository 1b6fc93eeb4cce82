/** How deep `sh -c` inside `sh -c` is followed. */
const DEPTH = 4;
const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'su']);
const SEPARATORS: ReadonlySet<string> = new Set([';', '&', '|', '(', ')', '`', '\n', '\r']);

/**
 * The simple commands of a line as lists of words, quotes and backslashes resolved; commands inside `sh -c`, `eval` and
 * substitutions follow as commands of their own. No parser of a shell: good enough to add a denial, never to give leave.
 * Time grows with the length of the line only.
 */
export function commandsIn(line: string): readonly (readonly string[])[] {
  return split(line).flatMap((words) => [words, ...inside(words, DEPTH)]);
}

/** The same for a program that starts without a shell. */
export function commandsInArgv(argv: readonly string[]): readonly (readonly string[])[] {
  return [argv, ...inside(argv, DEPTH)];
}

/** The last segment of a program's path. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

function inside(words: readonly string[], depth: number): readonly (readonly string[])[] {
  if (depth === 0) return [];
  return scriptsOf(words).flatMap((script) => split(script).flatMap((command) => [command, ...inside(command, depth - 1)]));
}

function scriptsOf(words: readonly string[]): readonly string[] {
  const scripts = words.filter((word) => /\$\(|`/.test(word));
  const shell = words.findIndex((word) => SHELLS.has(programName(word)));
  const flag = shell === -1 ? -1 : words.findIndex((word, index) => index > shell && /^-\w*c$/.test(word));
  const script = flag === -1 ? undefined : words[flag + 1];
  const runs = words.findIndex((word) => word === 'eval' || programName(word) === 'ssh');
  return [...scripts, ...(script === undefined ? [] : [script]), ...(runs === -1 ? [] : [words.slice(runs + 1).join(' ')])];
}

function split(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let quote = '';
  const end = (): void => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '\\' && quote !== '\'') {
      at += 1;
      if (line.charAt(at) !== '\n') word = (word ?? '') + line.charAt(at);
    } else if (quote !== '') {
      if (char === quote) quote = '';
      else word = (word ?? '') + char;
    } else if (char === '"' || char === '\'') {
      quote = char;
      word ??= '';
    } else if (SEPARATORS.has(char)) {
      end();
      commands.push([]);
    } else if (char === '>' || char === '<') {
      end();
      commands.at(-1)?.push(char);
    } else if (/\s/.test(char)) {
      end();
    } else {
      word = (word ?? '') + char;
    }
  }
  end();
  return commands.filter((words) => words.length > 0);
}
