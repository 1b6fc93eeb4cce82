/** The reader and the walk alone, without anything known about programs. The lines are only ever read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grammarBytes } from '../../../../src/build/grammar-bytes.mjs';
import { createShellAnalyser, type ShellAnalyser } from '../../../../src/core/command/analyse.ts';
import { show } from '../../../../src/core/command/argument.ts';
import type { ShellForm } from '../../../../src/core/command/form.ts';
import { createGrammar, type Grammar } from '../../../../src/core/command/grammar.ts';
import { resolvePath, type Place } from '../../../../src/core/command/place.ts';

const PLACE: Place = { cwd: '/w', roots: ['/w'], home: '/home/user', platform: 'linux' };
const held: { grammar?: Grammar } = {};
beforeAll(async () => { held.grammar = await createGrammar(grammarBytes); });
afterAll(() => { held.grammar?.dispose(); });
const nothing = { describe: () => undefined, describeCmdlet: () => false, walkOther: () => undefined };
const analyser: ShellAnalyser = createShellAnalyser(() => held.grammar, nothing);

const analyse = (line: string): ShellForm => analyser.analyseShell(line, PLACE);
/** Programs with their words, in the order they were found; segments without a program are left out. */
const commands = (line: string): readonly string[] => analyse(line).segments.filter(({ argv }) => argv.length > 0).map(({ argv }) => argv.map(show).join(' '));

describe('words', () => {
  it.each<[string, readonly string[]]>([
    ['echo a b', ['echo a b']],
    ['echo \'a b\' "c d"', ['echo a b c d']],
    ['e"ch"o \'a\'b"c"\\d', ['echo abcd']],
    ['echo $\'a\\x62\\n\\u0063\'', ['echo ab\nc']],
    ['echo \\\n a', ['echo a']],
    ['echo a#b #c', ['echo a#b']],
    ['echo {a,b}{1,2}', ['echo a1 a2 b1 b2']],
    ['echo ~ ~/x', ['echo /home/user /home/user/x']],
    ['x=1; echo $x "${x}2"', ['echo 1 12']],
    ['x=a; x+=b; echo $x', ['echo ab']],
    ['echo ${x:-y}', ['echo y']],
    ['echo "$(printf hi)"', ['printf hi', 'echo hi']],
    ['echo $HOME', ['echo /home/user']],
    ['a=1 b=2 env', ['env']],
  ])('%j', (line, wanted) => {
    expect(commands(line)).toEqual(wanted);
    expect(analyse(line).doubts).toEqual([]);
  });

  it('tells what is certain from what only the run knows', () => {
    const [echo] = analyse('echo plain *.ts $X "$X" pre$X').segments;
    expect(echo?.argv.map(({ glob, dynamic, open }) => [glob, dynamic, open])).toEqual([[false, false, false], [false, false, false], [true, false, false], [false, true, true], [false, true, false], [false, true, true]]);
  });
});

describe('the structure of a line', () => {
  it.each<[string, readonly string[]]>([
    ['a; b && c || d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'c', 'b', 'd', 'e']],
    ['for x in 1 2; do echo $x; done', ['echo 1', 'echo 2']],
    ['case $x in a) b;; *) c;; esac', ['b', 'c']],
    ['(a; b) > f', ['a', 'b']],
    ['f() { a; }; f', ['a', 'a']],
    ['a <(b) >(c)', ['b', 'c', 'a /dev/fd/63 /dev/fd/63']],
    ['cat <<E\n$(a)\nE\nb', ['a', 'cat', 'b']],
    ['cat <<\'E\'\n$(a)\nE\nb', ['cat', 'b']],
    ['! a', ['a']],
    ['time -p a', ['a']],
  ])('%j', (line, wanted) => {
    expect([...new Set(commands(line))].toSorted()).toEqual([...new Set(wanted)].toSorted());
  });

  it('takes wrappers off and says which', () => {
    const inner = (line: string) => analyse(line).segments.at(-1);
    for (const line of ['sudo -u x env A=b nice -n 5 timeout 3 make all', 'nohup setsid stdbuf -oL make all', 'bash -c "exec make all"', 'command make all', 'find . -exec make all \\;', 'echo | xargs -n1 make all', 'eval make all']) {
      const segment = inner(line);
      expect([line, segment?.name, segment?.argv[1]?.text]).toEqual([line, 'make', 'all']);
      expect([line, (segment?.via.length ?? 0) > 0]).toEqual([line, true]);
    }
  });

  it('follows the directory', () => {
    const at = (line: string) => analyse(line).segments.at(-1)?.directories;
    expect(at('cd src && make')).toEqual(['/w/src']);
    expect(at('cd src; cd ..; make')).toContain('/w');
    expect(at('(cd /tmp && true); make')).toEqual(['/w']);
    expect(at('cd "$X" && make')).toEqual([undefined]);
    expect(at('cd src; make')).toEqual(expect.arrayContaining(['/w/src', '/w']));
    expect(at('pushd src && make')).toEqual(['/w/src']);
  });

  it('keeps redirects with their command, and what a pipe brings', () => {
    const [first, second] = analyse('echo a 2>err | sh').segments;
    expect(first?.redirects.map(({ operator, descriptor, target }) => [operator, descriptor, target.text])).toEqual([['>', 2, 'err']]);
    expect(second?.input).toMatchObject({ kind: 'pipe', text: 'a' });
    expect(analyse('sh <<< text').segments[0]?.input).toMatchObject({ kind: 'text', text: 'text' });
    expect(analyse('sh < file').segments[0]?.input).toEqual({ kind: 'file' });
  });

  it('counts variables that builtins and loops set as assigned', () => {
    for (const line of ['read PATH < f', 'printf -v PATH x', 'mapfile PATH < f', 'for PATH in a; do ls; done', 'getopts a PATH', 'read -ra PATH < f', 'let PATH=1']) {
      expect([line, analyse(line).segments.some(({ assignments }) => assignments.some(({ name }) => name === 'PATH'))]).toEqual([line, true]);
    }
  });
});

describe('what is not understood', () => {
  it.each([
    ['unreadable', 'echo "a'], ['unreadable', ''], ['unreadable', '# only words'], ['unreadable', 'if a; then b'], ['hidden_characters', 'ls \u202e x'], ['hidden_characters', 'ls\u0000'], ['dynamic_command', '$X a'], ['dynamic_command', '"$(a)" b'], ['too_long', 'a'.repeat(40_000)],
    ['arithmetic', 'echo $((a[$(b)]))'], ['history', '!!'], ['too_deep', `${'('.repeat(40)}a${')'.repeat(40)}`],
  ])('is a doubt: %s', (code, line) => {
    expect(analyse(line).doubts.map((doubt) => doubt.code)).toContain(code);
  });

  it('is everything as long as there is no grammar', () => {
    const blind = createShellAnalyser(() => undefined, nothing);
    expect(blind.analyseShell('ls', PLACE).doubts.map(({ code }) => code)).toEqual(['no_parser']);
    expect(blind.analyseArgv(['ls', '-l'], PLACE).doubts).toEqual([]);
  });

  it('has a detail that a person can read', () => {
    for (const line of ['echo "a', '$X', '!!', 'ls \u202e x', 'case']) {
      for (const { detail } of analyse(line).doubts) expect(detail).toMatch(/^["a-z][^_]{5,120}$/);
    }
  });

  it('lets no words of a direct start be read by a shell', () => {
    const { segments, doubts } = analyser.analyseArgv(['echo', '$(id)', '*', '~', ';', '"a'], PLACE);
    expect([segments.length, segments[0]?.argv.map(({ text }) => text), doubts]).toEqual([1, ['echo', '$(id)', '*', '~', ';', '"a'], []]);
    expect(analyser.analyseArgv([], PLACE).doubts).toHaveLength(1);
  });
});

describe('paths', () => {
  it.each([
    ['a/../b', '/w/b'], ['/a//b/./c', '/a/b/c'], ['../../..', '/'], ['/../etc', '/etc'], ['', '/w'], ['.', '/w'], ['a/', '/w/a'],
  ])('%j is %j', (text, real) => {
    expect(resolvePath(text, '/w', PLACE)).toEqual({ real, linked: false });
  });

  it('reads drive letters and backslashes on Windows', () => {
    const place: Place = { ...PLACE, platform: 'win32', cwd: 'C:/w', roots: ['C:/w'] };
    expect(resolvePath('..\\x\\y', 'C:/w', place).real).toBe('C:/x/y');
    expect(resolvePath('D:\\a', 'C:/w', place).real).toBe('D:/a');
  });

  it('a workspace that was opened through a link is no detour', () => {
    const place: Place = { ...PLACE, roots: ['/real'], link: (path) => (path === '/w' ? '/real' : path === '/real/out' ? '/etc' : undefined), opened: [{ given: '/w', real: '/real' }] };
    expect(resolvePath('/w/a', '/', place)).toEqual({ real: '/real/a', linked: false });
    expect(resolvePath('/w/out/a', '/', place)).toEqual({ real: '/etc/a', linked: true });
  });
});
