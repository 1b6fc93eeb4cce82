import type { Guard, GuardContext } from '../../core/chain/04-guard.ts';
import type { PathResource } from '../../core/call.ts';
import { foldedSegments, pathsOf } from './resources.ts';

/** Folders and files below the home directory that hold keys and tokens. Folded spelling. */
const HOME_STORES: readonly (readonly string[])[] = [
  ['.ssh'], ['.aws'], ['.azure'], ['.kube'], ['.gnupg'], ['.docker'], ['.netrc'], ['_netrc'], ['.npmrc'], ['.pypirc'], ['.git-credentials'], ['.pgpass'], ['.my.cnf'],
  ['.vault-token'], ['.password-store'], ['.cargo', 'credentials'], ['.cargo', 'credentials.toml'], ['.gem', 'credentials'],
  ['.config', 'gh'], ['.config', 'gcloud'], ['.config', 'op'], ['.config', 'hub'], ['.config', 'rclone'],
  ['.config', 'google-chrome'], ['.config', 'chromium'], ['.mozilla'], ['.thunderbird'], ['.local', 'share', 'keyrings'],
  ['library', 'keychains'], ['library', 'application support', 'google', 'chrome'], ['library', 'application support', 'firefox'], ['library', 'cookies'],
  ['appdata', 'roaming', 'microsoft', 'credentials'], ['appdata', 'local', 'google', 'chrome'], ['appdata', 'roaming', 'mozilla'],
];
const SYSTEM_STORES: readonly string[] = ['/etc/shadow', '/etc/gshadow', '/etc/master.passwd', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssh', '/root/.ssh', '/proc', '/sys', '/dev'];
const KEY_FILE = /^(id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.*\.(pem|p12|pfx|jks|keystore|kdbx))$/;

/** Credential stores and the kernel's own files are closed, by the real path, for reading and writing. */
export const credentials: Guard = {
  id: 'path/credentials',
  check: (resolved, context) => {
    const hit = pathsOf(resolved).some((path) => isStore(path, context));
    if (hit) {
      return {
        rule: 'path/credentials', action: 'deny', patternKey: 'credential_path', approvalAction: 'read_sensitive', sensitive: true,
        reason: 'It reaches into a place where credentials or system secrets are kept.',
        instead: 'Ask the person for the value or do the step that needs it yourself with them.',
      };
    }
    const key = pathsOf(resolved).some((path) => KEY_FILE.test(foldedSegments(path.real).at(-1) ?? ''));
    if (!key) return undefined;
    return {
      rule: 'path/credentials', action: 'ask', patternKey: 'key_file', approvalAction: 'read_sensitive', sensitive: true,
      reason: 'The file looks like a private key or a key store.', banner: 'This file may hold a secret.',
    };
  },
};

function isStore(path: PathResource, { home }: GuardContext): boolean {
  const segments = foldedSegments(path.real);
  const base = foldedSegments(home);
  const belowHome = base.length > 0 && base.every((segment, index) => segments[index] === segment) ? segments.slice(base.length) : undefined;
  if (belowHome !== undefined && HOME_STORES.some((store) => store.every((segment, index) => belowHome[index] === segment))) return true;
  // On macOS the real path of /etc is /private/etc.
  const system = segments[0] === 'private' ? segments.slice(1) : segments;
  return SYSTEM_STORES.some((store) => foldedSegments(store).every((segment, index) => system[index] === segment));
}
