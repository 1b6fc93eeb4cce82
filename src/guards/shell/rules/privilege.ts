import { concernRule } from '../rule.ts';

export const privilege = concernRule({
  id: 'shell/privilege', keys: ['privilege'], sensitive: true,
  reason: 'It runs with more rights than you have',
  instead: 'Do it without sudo, inside the workspace.',
  examples: {
    hit: ["sudo ls", "doas ls", "su - root", "unshare -r id", "nsenter -t 1 -a"],
    miss: ["echo sudo", "ls"],
  },
});
