import { concernRule } from '../rule.ts';

export const permissions = concernRule({
  id: 'shell/permissions', keys: ['permissions'],
  reason: 'It changes who may read, change or run files',
  instead: 'Say which file needs which right.',
  examples: {
    hit: ["chmod 777 x", "chmod 4755 x", "chmod u+s /bin/bash", "setcap cap_setuid+ep x", "chmod 755 file.sh"],
    miss: ["ls -l x", "stat x"],
  },
});
