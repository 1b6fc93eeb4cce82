import { concernRule } from '../rule.ts';

export const packagePublish = concernRule({
  id: 'shell/package-publish', keys: ['package_publish'], approvalAction: 'network_access', sensitive: true,
  reason: 'It publishes or deploys, or changes who may',
  examples: {
    hit: ["npm publish", "cargo publish", "twine upload dist/*", "npm token create"],
    miss: ["npm test"],
  },
});
