import type { DoubtCode } from '../../../core/command/limits.ts';
import type { ShellRule } from '../rule.ts';

const TAMPERED: ReadonlySet<DoubtCode> = new Set<DoubtCode>(['hidden_characters', 'readers_disagree']);

/** A line that is not fully understood never runs by itself. */
export const unreadable: ShellRule = {
  id: 'shell/unreadable', action: 'ask', patternKey: 'unknown_form', approvalAction: 'run_command', sensitive: true,
  reason: 'Sluice cannot tell for certain what this line does',
  instead: 'Write it as plain commands, one thing after the other.',
  find: (form) => {
    const worst = form.doubts.find(({ code }) => TAMPERED.has(code)) ?? form.doubts[0];
    return worst === undefined ? undefined : { detail: worst.detail };
  },
  examples: {
    hit: ['echo ${x@P}', 'ls &&', 'echo $((a[$(id)]))', '!rm', 'ls;\u200brm x', "[ -v 'a[$(id)]' ]", '"${x:-`rm x`}"', 'ls {fd}>x', "read 'a[$(id)]' <<< x", 'echo "unclosed'],
    miss: ['ls', 'echo "$(date +%F)"', 'for i in 1 2 3; do echo $i; done', 'echo $((1+2))', "echo '$(id)'"],
  },
};
