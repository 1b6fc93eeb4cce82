import { concernRule } from '../rule.ts';

export const container = concernRule({
  id: 'shell/container', keys: ['container'],
  reason: 'It talks to a container or virtual machine service, which can reach the whole machine',
  examples: {
    hit: ["docker ps", "docker compose up -d", "docker run -v /:/h alpine", "podman exec x id", "flatpak-spawn --host id", "multipass exec x -- id"],
    miss: ["cat Dockerfile", "echo docker"],
  },
});
