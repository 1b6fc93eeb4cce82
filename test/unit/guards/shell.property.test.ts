/** Saying the same thing in another way never weakens the verdict. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Language, Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, it } from 'vitest';
import { grammarBytes } from '../../../src/build/grammar-bytes.mjs';
import type { Action } from '../../../src/core/verdict.ts';
import { useEngine } from './engine.ts';

const { judge, engine } = useEngine();
const ORDER: Readonly<Record<Action, number>> = { allow: 0, ask: 1, deny: 2 };

interface Row {
  readonly kind: string;
  readonly input: unknown;
  readonly expect: string;
}
const rows = ['readers', 'runners', 'shell', 'further', 'ordinary'].flatMap((name) => JSON.parse(readFileSync(new URL(`../../attacks/${name}.json`, import.meta.url), 'utf8')) as Row[]);
const lines = rows.flatMap(({ kind, input, expect: wanted }) => (kind === 'shell' && typeof input === 'string' && wanted !== 'allow' ? [input] : []));
/** One command line without anything that reaches past its end. */
const closed = lines.filter((line) => !/<<|#|[\n\r]|\\$|&\s*$|\bexec\b|^!|!!/.test(line) && !/[^\x20-\x7e]/.test(line));
/** Words that mean the same in any quotes: no tilde, pattern, variable or operator. */
const plain = lines.filter((line) => /^[a-z][\w./=-]*(?: [\w./:,+@%=-]+)+$/.test(line) && !/^\w+=/.test(line) && !/^(?:for|if|while|until|case|select|time|coproc|function|set|trap|read|declare|export|unset|let|alias|hash|eval|source|test)\b/.test(line));

function single(text: string): string {
  return `'${text.replaceAll('\'', '\'\\\'\'')}'`;
}

const WRAPPERS: readonly (readonly [string, (line: string) => string])[] = [
  ['sh -c', (line) => `sh -c ${single(line)}`],
  ['bash -lc', (line) => `bash -lc ${single(line)}`],
  ['bash -c twice', (line) => `bash -c ${single(`bash -c ${single(line)}`)}`],
  ['eval', (line) => `eval ${single(line)}`],
  ['env', (line) => `env A=b sh -c ${single(line)}`],
  ['timeout', (line) => `timeout 10 bash -c ${single(line)}`],
  ['nice and nohup', (line) => `nice -n 5 nohup bash -c ${single(line)}`],
  ['sudo', (line) => `sudo -u user bash -c ${single(line)}`],
  ['xargs', (line) => `echo x | xargs -n1 bash -c ${single(line)}`],
  ['find -exec', (line) => `find . -name x -exec bash -c ${single(line)} \\;`],
  ['a subshell', (line) => `(${line} )`],
  ['a group', (line) => `{ ${line} ; }`],
  ['a condition', (line) => `if true; then ${line} ; fi`],
  ['a loop', (line) => `for i in 1 2; do ${line} ; done`],
  ['a substitution', (line) => `echo "$(${line} )"`],
  ['a function', (line) => `f() { ${line} ; }; f`],
  ['a pipe into a shell', (line) => `echo ${single(line)} | bash`],
  ['a trap', (line) => `trap ${single(line)} EXIT`],
];
const SETS_TWICE = /\b(\w+)=.*[;{ ]\1\+?=/;
const HARMLESS = ['ls', 'echo done', 'pwd', 'git status', 'true', 'cat README.md'];

describe('the same thing said otherwise', () => {
  const verdicts = new Map<string, number>();
  beforeAll(() => {
    for (const line of lines) verdicts.set(line, ORDER[judge(line).action]);
  });
  const weaker = (line: string, other: string): boolean => ORDER[judge(other).action] < (verdicts.get(line) ?? 2);

  it('has enough lines to say otherwise', () => {
    expect([lines.length > 450, closed.length > 350, plain.length > 120]).toEqual([true, true, true]);
    for (const line of lines) expect([line, judge(line).action]).not.toEqual([line, 'allow']);
  });

  it.each(WRAPPERS)('in %s', (name, wrap) => {
    // A backslash that is printed first may not arrive as it was.
    const whole = name.startsWith('a pipe') ? closed.filter((line) => !line.includes('\\')) : name === 'a function' ? closed.filter((line) => !line.startsWith('f()')) : closed;
    // Inside a branch a variable that is set twice has no certain value any more: a refusal becomes a question there, never more.
    const meant = /condition|loop/.test(name) ? whole.filter((line) => !SETS_TWICE.test(line) || judge(wrap(line)).action === 'allow') : whole;
    expect(meant.filter((line) => weaker(line, wrap(line)))).toEqual([]);
  });

  it.each(HARMLESS)('beside %s', (harmless) => {
    for (const join of [' && ', '; ', ' || ']) {
      expect(closed.filter((line) => weaker(line, `${harmless}${join}${line}`))).toEqual([]);
      expect(closed.filter((line) => weaker(line, `${line}${join}${harmless}`))).toEqual([]);
    }
  });

  it('in other quotes', () => {
    fc.assert(fc.property(fc.constantFrom(...plain), fc.infiniteStream(fc.integer({ min: 0, max: 5 })), (line, choices) => {
      const next = (): number => Number(choices.next().value ?? 0);
      const quoted = line.split(' ').map((word) => [...word].map((char) => [char, char, `'${char}'`, `"${char}"`, `\\${char}`, `''${char}`][next()] ?? char).join('')).join(' ');
      expect([line, quoted, weaker(line, quoted)]).toEqual([line, quoted, false]);
    }), { numRuns: 3_000 });
  });

  it('with other blanks, line continuations and comments', () => {
    for (const line of plain) {
      for (const other of [line.replaceAll(' ', '  '), line.replaceAll(' ', '\t'), line.replaceAll(' ', ' \\\n '), `${line} # fine`, `  ${line}  `, `${line};`]) expect([other, weaker(line, other)]).toEqual([other, false]);
    }
  });

  it('with abbreviated long options', () => {
    const wrong: string[] = [];
    for (const line of closed) {
      for (const match of line.matchAll(/(?<=\s)--[a-z][a-z0-9-]{3,}/g)) {
        for (let length = 4; length < match[0].length; length += 1) {
          const other = `${line.slice(0, match.index)}${match[0].slice(0, length)}${line.slice(match.index + match[0].length)}`;
          if (weaker(line, other) && ABBREVIATES.test(line) && !OTHER_OPTION.test(other)) wrong.push(other);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('with paths in another spelling', () => {
    const spellings = [(path: string) => path.replaceAll('/', '//'), (path: string) => path.replaceAll('/', '/./'), (path: string) => `/usr/..${path}`, (path: string) => path.replace(/\/([^/]+)$/, '/x/../$1'), (path: string) => `/../..${path}`];
    for (const line of closed) {
      for (const match of line.matchAll(/(?<=[\s=<>])\/(?:etc|tmp|home|srv|root|usr\/local)\/[\w./-]+/g)) {
        for (const spell of spellings) {
          const other = `${line.slice(0, match.index)}${spell(match[0])}${line.slice(match.index + match[0].length)}`;
          expect([other, weaker(line, other)]).toEqual([other, false]);
        }
      }
    }
  });
});

/** Shortened, these are whole options with another meaning, or could be two, which the program refuses. */
const OTHER_OPTION = /\s--(?:text|ignore-rev)\s|^sort --fi=/;
/** Programs that take abbreviated long options; others refuse them and run nothing. */
const ABBREVIATES = /^(?:git|grep|sort|sed|find|date|wc|du|diff|make|cp|env|xargs|python|tar|ls|base64|file|bat|man|jq|timeout|bash)\b/;

describe('text that is no command', () => {
  it('never throws, and random bytes never run', () => {
    fc.assert(fc.property(fc.uint8Array({ minLength: 12, maxLength: 400 }), (bytes) => {
      for (const text of [Buffer.from(bytes).toString('latin1'), Buffer.from(bytes).toString('utf8')]) {
        for (const shell of ['bash', 'zsh', 'pwsh', 'cmd']) expect([text, shell, judge(text, shell).action]).not.toEqual([text, shell, 'allow']);
      }
    }), { numRuns: 1_500 });
  });

  it('never throws on pieces of the language in any order, and what is allowed starts nothing that another parser sees as rm', async () => {
    const { runtime, grammar } = await grammarBytes();
    await Parser.init({ wasmBinary: runtime });
    const parser = new Parser();
    parser.setLanguage(await Language.load(grammar));
    const programs = (text: string): readonly (string | undefined)[] => {
      const tree = parser.parse(text);
      const names = (tree?.rootNode.descendantsOfType('command_name') ?? []).map((node) => node?.text.replaceAll(/['"\\]/g, ''));
      tree?.delete();
      return names;
    };
    const piece = fc.constantFrom('rm -rf x', 'ls', '$(', ')', '`', '"', '\'', '{', '}', ';', '&', '|', '||', '<<E', '\nE\n', '\n', '\\', '${x', '}', '$((', '))', '[[', ']]', 'if', 'then', 'fi', 'case', 'in', 'esac', ';;', 'for', 'do', 'done', '()', '<(', '>', '2>&1', '#', '!', '$\'', '=', '((', 'x=', '@', '*', '~', 'function f', 'coproc', 'time');
    fc.assert(fc.property(fc.array(piece, { maxLength: 14 }), fc.constantFrom(' ', ''), (parts, join) => {
      const text = parts.join(join);
      const { action, findings } = judge(text);
      expect(['allow', 'ask', 'deny']).toContain(action);
      if (action === 'allow') expect([text, findings.length, programs(text).includes('rm')]).toEqual([text, 0, false]);
    }), { numRuns: 6_000 });
    parser.delete();
  });

  const long = 1_000_000;
  it.each<[string, string]>([
    ['open brackets', '('.repeat(long)], ['open substitutions', '$('.repeat(long / 2)], ['nested substitutions', `${'echo $('.repeat(5_000)}ls${')'.repeat(5_000)}`], ['nested groups', `${'{ '.repeat(3_000)}ls${'; }'.repeat(3_000)}`],
    ['backticks', '`'.repeat(long)], ['quotes', '"\''.repeat(long / 2)], ['one word', 'a'.repeat(long)], ['many words', 'a '.repeat(long / 2)], ['many commands', 'ls;'.repeat(long / 3)], ['many commands below the limit', 'ls;'.repeat(9_000)], ['a long pipe', `ls${'|cat'.repeat(8_000)}`],
    ['braces', `echo ${'{a,b}'.repeat(6_000)}`], ['nested braces', `echo ${'{a,'.repeat(8_000)}b${'}'.repeat(8_000)}`], ['expansions', `echo ${'${x:-'.repeat(5_000)}y${'}'.repeat(5_000)}`], ['heredocs', 'cat <<E\n'.repeat(4_000)],
    ['brackets', `ls ${'['.repeat(30_000)}`], ['backslashes', `ls ${'\\'.repeat(30_001)}`], ['arithmetic', `echo $((${'('.repeat(15_000)}1${')'.repeat(15_000)}))`], ['shells in shells', 'sh -c "'.repeat(4_000)], ['assignments', `${'a=b '.repeat(8_000)}ls`], ['case items', `case x in ${'a) ls;; '.repeat(4_000)}esac`],
  ])('ends at once and asks: %s', (_name, text) => {
    const took = Math.min(...[1, 2, 3].map(() => {
      const started = performance.now();
      expect(judge(text).action).not.toBe('allow');
      return performance.now() - started;
    }));
    expect(took).toBeLessThan(50);
    expect(engine.analyse(text, { cwd: '/w', roots: ['/w'], home: '/home/user', platform: 'linux' }, 'bash').doubts.length).toBeGreaterThan(0);
  });
});
