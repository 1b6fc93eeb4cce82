import type { CommandResource } from '../../core/call.ts';
import type { Guard, GuardContext } from '../../core/chain/04-guard.ts';
import type { Finding } from '../../core/verdict.ts';
import { commandsOf } from '../path/resources.ts';
import { isVital } from './vital-folders.ts';
import { commandsIn, commandsInArgv, programName } from './words.ts';

interface Subject {
  /** The words of one simple command. */
  readonly words: readonly string[];
  /** Program and arguments, behind `sudo`, `env A=b` and the like. */
  readonly run: readonly string[];
  readonly command: CommandResource;
  readonly home: string;
}

interface Block {
  readonly patternKey: string;
  readonly reason: string;
  readonly matches: (subject: Subject) => boolean;
}

const POWER: ReadonlySet<string> = new Set(['shutdown', 'reboot', 'poweroff', 'halt']);
const DISK_TOOL = /^(mkfs(\..+)?|wipefs|fdisk|parted|sgdisk|blkdiscard)$/;
const DISK = /^\/dev\/(sd|hd|nvme|vd|xvd|mmcblk|disk|mapper)/;

/** They only ever add a denial; everything else still asks. */
const BLOCKS: readonly Block[] = [
  {
    patternKey: 'destructive_delete', reason: 'It would delete the root, the home directory, the workspace or git\'s own folder.',
    matches: deletesVitalFolder,
  },
  {
    patternKey: 'device_write', reason: 'It would write to a disk directly or make a file system.',
    matches: ({ words, run }) => DISK_TOOL.test(programName(run[0] ?? ''))
      || words.some((word, index) => /^of=\/dev\/(?!null$|stdout$|stderr$)/.test(word) || (DISK.test(word) && (words[index - 1] === '>' || programName(run[0] ?? '') === 'tee'))),
  },
  {
    patternKey: 'power_control', reason: 'It would shut down or restart the machine.',
    matches: ({ run: [program = '', first = ''] }) => POWER.has(programName(program))
      || (programName(program) === 'init' && /^[06]$/.test(first)) || (programName(program) === 'systemctl' && POWER.has(first)),
  },
  {
    patternKey: 'own_files', reason: 'It names Sluice\'s own policy or audit files.',
    matches: ({ words }) => words.some((word) => /(?:^|[/\\=:@,])\.sluice(?:[/\\]|$)/i.test(word)),
  },
];

/** A short list that nothing overrides. It reads the words as they would run, never only as they look. */
export const hardBlocks: Guard = {
  id: 'shell/hard-blocks',
  check: (resolved, context) => commandsOf(resolved).flatMap((command) => blocksFor(command, context)),
};

function blocksFor(command: CommandResource, { home }: GuardContext): readonly Finding[] {
  const commands = command.form === 'argv' ? commandsInArgv(command.argv) : commandsIn(command.line);
  const subjects = commands.map((words): Subject => ({ words, run: withoutWrappers(words), command, home }));
  const hits = BLOCKS.filter((block) => subjects.some((subject) => block.matches(subject)));
  const text = command.form === 'argv' ? command.argv.join(' ') : command.line;
  return [...hits, ...(isForkBomb(text) ? [FORK_BOMB] : [])].map((block) => ({
    rule: 'shell/hard-blocks', action: 'deny', patternKey: block.patternKey, approvalAction: 'run_command', sensitive: true, reason: block.reason,
    instead: 'Describe what should be removed or changed, and let the person do it.',
  }));
}

const FORK_BOMB = { patternKey: 'fork_bomb', reason: 'It multiplies processes without end.' } as const;

/** A function that pipes itself into itself in the background. */
function isForkBomb(text: string): boolean {
  const tight = text.replaceAll(/\s/g, '');
  return [...tight.matchAll(/([\w:.]{1,64})\(\)\{/g)].slice(0, 20).some(([, name = '']) => tight.includes(`${name}|${name}&`));
}

/** `rm` is looked for anywhere: behind `xargs`, `find -exec`, `sudo -u x`. */
function deletesVitalFolder({ words, command, home }: Subject): boolean {
  const at = words.findIndex((word) => programName(word) === 'rm');
  if (at === -1) return false;
  const rest = words.slice(at + 1);
  const recursive = rest.some((word) => /^-[a-z]*r/i.test(word) || word.startsWith('--r'));
  return recursive && rest.some((word) => !word.startsWith('-') && isVital(word, command.cwd, home));
}

const WRAPPERS: ReadonlySet<string> = new Set([
  'sudo', 'doas', 'command', 'exec', 'env', 'nohup', 'time', 'nice', 'builtin', 'setsid', 'stdbuf', 'timeout', 'xargs', 'busybox', 'then', 'do', 'else', 'if', 'while', 'until', '!', '{',
]);

function withoutWrappers(words: readonly string[]): readonly string[] {
  let wrapped = false;
  const start = words.findIndex((word, index) => {
    if (WRAPPERS.has(programName(word))) {
      wrapped = true;
      return false;
    }
    if (/^\w+=/.test(word)) return false;
    return !(wrapped && (word.startsWith('-') || /^\d+[smhd]?$/.test(word) || /^-[ugh]$/.test(words[index - 1] ?? '')));
  });
  return start === -1 ? [] : words.slice(start);
}
