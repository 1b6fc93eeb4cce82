import { CHANGES, canBe, folded, type PathRule } from '../subject.ts';

const ACCOUNTS = /^\/(?:private\/)?(?:etc\/(?:passwd|shadow|group|gshadow|sudoers|master\.passwd|subuid|subgid|login\.defs|nsswitch\.conf|pam\.d|pam\.conf|security|ssh|ld\.so\.preload|ld\.so\.conf|crypttab|fstab|shells|doas\.conf|polkit-1)|root|boot|var\/spool\/cron|var\/at)(?:[-~.\d]|\/|$)/;

/** Files that decide who may log in and what runs as root. */
export const accountFiles: PathRule = {
  id: 'path/account-files', patternKey: 'account_files', sensitive: true,
  reason: 'It changes accounts, logins or what runs as root',
  instead: 'Describe the change in words; an administrator can make it by hand.',
  judge: ({ operation, target }) => (CHANGES.has(operation) && (ACCOUNTS.test(target.real) || globbed(target.real)) ? (target.uncertain ? 'ask' : 'deny') : undefined),
  examples: {
    hit: [{ operation: 'write', path: '/etc/passwd' }, { operation: 'write', path: '/etc/sudoers.d/x' }, { operation: 'write', path: '/root/.bashrc' }, { operation: 'delete', path: '/etc/shadow' }],
    miss: [{ operation: 'read', path: '/etc/passwd' }, { operation: 'write', path: 'etc/passwd' }, { operation: 'write', path: '/etc/hosts' }],
  },
};

function globbed(real: string): boolean {
  const parts = folded(real);
  return parts.length === 2 && /[*?[]/.test(real) && canBe(parts[0] ?? '', 'etc') && ['passwd', 'shadow', 'sudoers'].some((name) => canBe(parts[1] ?? '', name));
}
