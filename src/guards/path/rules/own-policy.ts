import { CHANGES, folded, passesThrough, type PathRule } from '../subject.ts';

/** The agent must not change what judges it. */
export const ownPolicy: PathRule = {
  id: 'path/own-policy', patternKey: 'own_policy', sensitive: true,
  reason: 'It changes the policy or the audit that judge the agent',
  instead: 'Change the policy yourself in the settings; nobody changes the audit.',
  judge: ({ operation, target }) => {
    if (!CHANGES.has(operation)) return undefined;
    const parts = folded(target.real);
    const ours = passesThrough(parts, ['.sluice']) || parts.some((part, index) => part.startsWith('sluice.') && passesThrough(parts.slice(Math.max(0, index - 1), index), ['.vscode']));
    return ours ? (target.uncertain ? 'ask' : 'deny') : undefined;
  },
  examples: {
    hit: [{ operation: 'write', path: '.sluice/policy.json' }, { operation: 'delete', path: '.sluice/audit.jsonl' }, { operation: 'empty', path: './.Sluice/audit.jsonl' }, { operation: 'delete_tree', path: '.sluice' }, { operation: 'write', path: '.vscode/sluice.tests.json' }],
    miss: [{ operation: 'read', path: '.sluice/policy.json' }, { operation: 'write', path: 'src/sluice.ts' }, { operation: 'list', path: '.sluice' }],
  },
};
