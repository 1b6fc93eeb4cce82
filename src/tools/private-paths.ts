import type { PathResource } from '../core/call.ts';

const PRIVATE_NAME = /^(?:\.env(?:rc|[^a-z0-9].*)?|.+\.env|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.dockercfg|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\.bak|\.old|~)?|service[-_]?account.*\.json|(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt))?|.+\.(?:pem|key|pfx|p12|jks|keystore|kdbx|ovpn|tfstate|tfvars))$/iu;
const EXAMPLE = /\.(?:example|sample|template|dist)$/iu;
const PRIVATE_FOLDER = /^\.(?:ssh|gnupg|aws|azure|kube|docker|sluice|git)$/iu;

/**
 * Whether telling how an edit failed could tell what is in the file. Planning happens before the guards, so a
 * model could otherwise learn a secret by guessing: "not found" and "found" are already an answer. For such
 * paths the tools report a failed plan only after the call was allowed. This is no permission rule.
 */
export function mayBePrivate(path: PathResource): boolean {
  return path.relative === undefined || hasPrivateName(path.relative);
}

/** Whether the name, or a folder above it, is one that usually holds credentials or Sluice's own files. `/` separated. */
export function hasPrivateName(path: string): boolean {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  return (PRIVATE_NAME.test(name) && !EXAMPLE.test(name)) || segments.some((segment) => PRIVATE_FOLDER.test(segment));
}
