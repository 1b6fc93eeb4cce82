import { concernRule } from '../rule.ts';

export const processList = concernRule({
  id: 'shell/process-list', keys: ['process_list'], approvalAction: 'read_sensitive',
  reason: 'It shows other processes, with what was passed to them',
  examples: {
    hit: ["ps aux", "top", "lsof -i"],
    miss: ["jobs", "uptime"],
  },
});
