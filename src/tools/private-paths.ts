import type { PathResource } from '../core/call.ts';

const PRIVATE_NAME = /^(?:\.env(?:\..*)?|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.htpasswd|id_[a-z0-9]+|credentials(?:\..*)?|secrets?(?:\..*)?|.*\.(?:pem|key|pfx|p12|jks|keystore|kdbx|ovpn|tfstate))$/iu;
const PRIVATE_FOLDER = /^(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.sluice|\.git|secrets?)$/iu;

/**
 * Whether telling how an edit failed could tell what is in the file. Planning happens before the guards, so a
 * model could otherwise learn a secret by guessing: "not found" and "found" are already an answer. For such
 * paths the tools report a failed plan only after the call was allowed. This is no permission rule.
 */
export function mayBePrivate(path: PathResource): boolean {
  return path.relative === undefined || hasPrivateName(path);
}

/** Whether the name, or a folder above it, is one that usually holds credentials or Sluice's own files. */
export function hasPrivateName(path: PathResource): boolean {
  const segments = (path.relative ?? path.real).split(/[/\\]/);
  const name = segments.pop() ?? '';
  return PRIVATE_NAME.test(name) || segments.some((segment) => PRIVATE_FOLDER.test(segment));
}
