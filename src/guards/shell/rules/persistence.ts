import { concernRule } from '../rule.ts';

export const persistence = concernRule({
  id: 'shell/persistence', keys: ['persistence'], sensitive: true,
  reason: 'It arranges for something to run later or at every start',
  instead: 'Describe what should run; you can set it up yourself.',
  examples: {
    hit: ["echo '* * * * * id' | crontab -", "systemctl --user enable x", "launchctl load ~/Library/LaunchAgents/x.plist", "at now -f e.sh"],
    miss: ["cat crontab.txt"],
  },
});
