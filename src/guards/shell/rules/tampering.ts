import { concernRule } from '../rule.ts';

export const tampering = concernRule({
  id: 'shell/tampering', keys: ['tampering'], sensitive: true,
  reason: 'The program is made for breaking in or watching others',
  examples: {
    hit: ["john hash.txt", "hydra -l a x", "nmap localhost; hashcat x", "tcpdump -i any"],
    miss: ["echo john"],
  },
});
