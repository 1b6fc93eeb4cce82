import { concernRule } from '../rule.ts';

export const desktop = concernRule({
  id: 'shell/desktop', keys: ['desktop'],
  reason: 'It opens something on the desktop, or uses the clipboard',
  examples: {
    hit: ["xdg-open https://x.test", "open .", "code .", "pbcopy < f"],
    miss: ["cat open.txt"],
  },
});
