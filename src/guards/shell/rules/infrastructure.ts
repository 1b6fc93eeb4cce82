import { concernRule } from '../rule.ts';

export const infrastructure = concernRule({
  id: 'shell/infrastructure', keys: ['infrastructure'], approvalAction: 'network_access',
  reason: 'It acts on servers or a cloud account',
  examples: {
    hit: ["terraform destroy -auto-approve", "kubectl get pods", "aws s3 ls", "helm uninstall x", "vagrant destroy -f"],
    miss: ["cat main.tf"],
  },
});
