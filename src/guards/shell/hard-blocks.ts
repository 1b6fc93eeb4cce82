import type { CommandResource } from '../../core/call.ts';
import type { Guard } from '../../core/chain/04-guard.ts';
import type { Finding } from '../../core/verdict.ts';
import { commandsOf } from '../path/resources.ts';

interface Block {
  readonly patternKey: string;
  readonly reason: string;
  readonly matches: (text: string) => boolean;
}

const START = String.raw`(?:^|[\s;&|(\`{]|\$\()(?:\S*/)?`;
const ROOTS = String.raw`(?:/|/\*|~|~/|~/\*|\$\{?HOME\}?/?\*?|\.git/?|\.|\./|\*)`;

/** Text patterns over the decoded words. They only ever add a denial; everything else still asks. */
const BLOCKS: readonly Block[] = [
  {
    patternKey: 'destructive_delete', reason: 'It would delete the root, the home directory, the workspace or git\'s own folder.',
    matches: (text) => new RegExp(`${START}rm\\s+(?:-\\S+\\s+)*(?:-[a-z]*r[a-z]*|--recursive)\\s+(?:-\\S+\\s+)*(?:--\\s+)?["']?${ROOTS}["']?(?=\\s|$|[;&|])`, 'i').test(text),
  },
  {
    patternKey: 'device_write', reason: 'It would write to a disk directly or make a file system.',
    matches: (text) => new RegExp(`${START}(?:mkfs(?:\\.\\w+)?|wipefs|fdisk|parted|sgdisk|blkdiscard)\\b`).test(text)
      || /\bof=\/dev\/(?!null\b|stdout\b|stderr\b)/.test(text) || />\s*\/dev\/(?:sd|hd|nvme|vd|xvd|mmcblk|disk|mapper)/.test(text),
  },
  {
    patternKey: 'fork_bomb', reason: 'It multiplies processes without end.',
    matches: (text) => /([\w:]+)\s*\(\)\s*\{[^}]*\1\s*\|\s*\1\s*&/.test(text) || text.replaceAll(/\s/g, '').includes(':(){:|:&};:'),
  },
  {
    patternKey: 'power_control', reason: 'It would shut down or restart the machine.',
    matches: (text) => new RegExp(`${START}(?:shutdown|reboot|poweroff|halt|init\\s+[06]|systemctl\\s+(?:poweroff|reboot|halt))\\b`).test(text),
  },
  {
    patternKey: 'own_files', reason: 'It names Sluice\'s own policy or audit files.',
    matches: (text) => /(?:^|[\s/"'=<>])\.sluice(?:\/|["'\s]|$)/i.test(text),
  },
];

/** A short list that nothing overrides. It reads the words as they would run, never only as they look. */
export const hardBlocks: Guard = {
  id: 'shell/hard-blocks',
  check: (resolved) => commandsOf(resolved).flatMap((command) => blocksFor(command)),
};

function blocksFor(command: CommandResource): readonly Finding[] {
  const text = command.form === 'argv' ? command.argv.join(' ') : command.line;
  return BLOCKS.filter((block) => block.matches(text)).map((block) => ({
    rule: 'shell/hard-blocks', action: 'deny', patternKey: block.patternKey, approvalAction: 'run_command', sensitive: true, reason: block.reason,
    instead: 'Describe what should be removed or changed, and let the person do it.',
  }));
}
