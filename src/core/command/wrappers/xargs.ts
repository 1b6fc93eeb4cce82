import { literal, show, type Argument } from '../argument.ts';
import { listedBy } from '../analyse/printed.ts';
import { runInvocation } from '../analyse/simple.ts';
import { unknown } from '../analyse/expand.ts';
import type { Invocation } from '../analyse/draft.ts';
import type { Walk } from '../analyse/walk.ts';
import { optionTable, parseOptions } from '../options.ts';

const OPTIONS = optionTable(`-0|--null -r|--no-run-if-empty -t|--verbose -p|--interactive -x|--exit -o|--open-tty -a|--arg-file=read -d|--delimiter=text -E=text -e?text --eof?text -I=text -i?text --replace?text
  -J=text -L=text -l?text --max-lines?text -n|--max-args=text -P|--max-procs=text -R=text -S=text -s|--max-chars=text --process-slot-var=text --show-limits --help --version`, 'gnu', { leading: true });

/** `... | xargs program`: the words read become arguments; what they are is known when the list is. */
export function unwrapXargs(invocation: Invocation, walk: Walk): boolean {
  const parsed = parseOptions(invocation.argv.slice(1), OPTIONS);
  const draft = walk.start(invocation, 'wrapper');
  for (const { spec, value } of parsed.options) if (spec.type === 'read' && value !== undefined) draft.touch('read', value);
  for (const option of parsed.unknown) draft.raise('unknown_option', `xargs ${option}`);
  for (const word of parsed.unsure) draft.raise('dynamic_argument', show(word));
  const marker = parsed.options.find((option) => /^(?:-I|-i|-J|--replace)$/.test(option.name));
  const words = read(invocation, walk);
  const program = parsed.operands.length === 0 ? [literal('echo')] : parsed.operands;
  const argv = marker === undefined ? [...program, ...words] : program.flatMap((word) => replaced(word, marker.value?.text ?? '{}', words));
  const context = { ...invocation.context, via: [...invocation.context.via, 'xargs'], input: { kind: 'inherited' as const } };
  runInvocation({ ...invocation, argv, redirects: [], context }, walk);
  return true;
}

function read(invocation: Invocation, walk: Walk): readonly Argument[] {
  const { input } = invocation.context;
  if ((input.kind === 'pipe' || input.kind === 'text') && input.text !== undefined) {
    const words = input.text.split(/\s+/).filter((word) => word !== '');
    return words.length > 40 || /['"\\]/.test(input.text) ? [unknown()] : words.map(literal);
  }
  const last = input.kind === 'pipe' ? input.from[input.from.length - 1] : undefined;
  const listed = last === undefined ? undefined : listedBy(last, walk.place);
  return [listed ?? unknown()];
}

function replaced(word: Argument, marker: string, words: readonly Argument[]): readonly Argument[] {
  if (marker === '' || !word.text.includes(marker)) return [word];
  return words.map((value) => ({
    text: word.text.replaceAll(marker, value.text), glob: word.glob || value.glob, dynamic: word.dynamic || value.dynamic, open: value.open,
  }));
}
