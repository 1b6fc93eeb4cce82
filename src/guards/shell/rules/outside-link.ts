import { concernRule } from '../rule.ts';

export const outsideLink = concernRule({
  id: 'shell/outside-link', keys: ['outside_link'], approvalAction: 'write_file', sensitive: true,
  reason: 'It makes a link from the workspace to somewhere else',
  examples: {
    hit: ["ln -s /outside/file.txt link", "ln ~/.bashrc n", "ln -s ~/.ssh keys"],
    miss: ["ln -s ../shared src/shared", "ln -s a b"],
  },
});
