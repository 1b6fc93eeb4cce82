import type { ShellRule } from '../rule.ts';

/** In Restricted Mode nothing that the folder itself configures may start by itself; git reads the folder's settings too. */
export const untrustedWorkspace: ShellRule = {
  id: 'shell/untrusted-workspace', action: 'ask', patternKey: 'untrusted_workspace', approvalAction: 'run_command', sensitive: true,
  reason: 'It runs code or settings of a folder that you have not trusted',
  instead: 'Trust the folder first, or read the files with the file tools.',
  find: (form, { trusted }) => {
    if (trusted) return undefined;
    const found = form.segments.find(({ name, concerns }) => name === 'git' || concerns.some(({ key }) => key === 'project_code'));
    return found === undefined ? undefined : { detail: found.name };
  },
  examples: { hit: [], miss: ['git status', 'npm test', 'ls'] },
};
