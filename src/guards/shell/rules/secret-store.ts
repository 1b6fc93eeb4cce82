import { concernRule } from '../rule.ts';

export const secretStore = concernRule({
  id: 'shell/secret-store', keys: ['secret_store'], approvalAction: 'read_sensitive', sensitive: true,
  reason: 'It opens a store of keys or passwords',
  instead: 'Lend the credential for one call instead.',
  examples: {
    hit: ["pass show email", "security find-generic-password -wa x", "secret-tool lookup service x", "git credential fill", "ssh-keygen -f x"],
    miss: ["cat pass.txt", "echo security"],
  },
});
