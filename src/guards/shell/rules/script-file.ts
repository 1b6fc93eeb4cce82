import { concernRule } from '../rule.ts';

export const scriptFile = concernRule({
  id: 'shell/script-file', keys: ['script_file'],
  reason: 'It runs a script or program by its path',
  instead: 'Use a script that the project defines (npm run, make).',
  examples: {
    hit: ["./script.sh", "bash x.sh", "source env.sh", "/tmp/malicious/rg x"],
    miss: ["/usr/bin/rg x", "npm test"],
  },
});
