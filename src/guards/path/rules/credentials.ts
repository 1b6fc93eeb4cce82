import { CHANGES, contains, folded, passesThrough, type PathRule, type PathSubject } from '../subject.ts';

/** Folders and files that hold keys, tokens or sessions, wherever they lie. */
const CREDENTIALS: readonly (readonly string[])[] = [
  ['.ssh'], ['.aws'], ['.azure'], ['.kube'], ['.gnupg'], ['.gpg'], ['.netrc'], ['_netrc'], ['.pgpass'], ['.my.cnf'], ['.mylogin.cnf'], ['.git-credentials'], ['.pypirc'], ['.docker', 'config.json'], ['.dockercfg'], ['.vault-token'], ['.oci'], ['.boto'], ['.s3cfg'],
  ['.config', 'gcloud'], ['.config', 'gh'], ['.config', 'glab-cli'], ['.config', 'hub'], ['.config', 'rclone'], ['.config', 'op'], ['.config', 'doctl'], ['.config', 'heroku'], ['.config', 'netlify'], ['.config', 'git', 'credentials'], ['.config', 'containers', 'auth.json'], ['.config', 'github-copilot'],
  ['.terraform.d', 'credentials.tfrc.json'], ['.terraformrc'], ['.gem', 'credentials'], ['.cargo', 'credentials'], ['.cargo', 'credentials.toml'], ['.m2', 'settings.xml'], ['.m2', 'settings-security.xml'], ['.gradle', 'gradle.properties'], ['.nuget', 'nuget.config'], ['.composer', 'auth.json'], ['.config', 'composer', 'auth.json'],
  ['.password-store'], ['.local', 'share', 'keyrings'], ['.kde', 'share', 'apps', 'kwallet'], ['.local', 'share', 'kwalletd'], ['library', 'keychains'], ['.electrum'], ['.bitcoin'], ['.ethereum', 'keystore'], ['.config', 'solana'], ['.age'], ['.config', 'sops'], ['.step'],
  ['.mozilla'], ['.config', 'google-chrome'], ['.config', 'chromium'], ['.config', 'bravesoftware'], ['.config', 'microsoft-edge'], ['.config', 'vivaldi'], ['.config', 'opera'], ['library', 'application support', 'google', 'chrome'], ['library', 'application support', 'firefox'], ['library', 'cookies'], ['library', 'safari'],
  ['snap', 'firefox'], ['snap', 'chromium'], ['.thunderbird'], ['.config', 'slack'], ['.config', 'discord'], ['appdata', 'roaming', 'mozilla'], ['appdata', 'local', 'google', 'chrome'], ['appdata', 'roaming', 'microsoft', 'credentials'], ['appdata', 'local', 'microsoft', 'credentials'], ['appdata', 'roaming', 'gnupg'],
  ['run', 'secrets'], ['.bash_history'], ['.zsh_history'], ['.python_history'], ['.node_repl_history'], ['.psql_history'], ['.mysql_history'], ['.histfile'], ['.viminfo'], ['.lesshst'], ['.config', 'fish', 'fish_history'], ['.local', 'share', 'fish', 'fish_history'],
  ['.claude', '.credentials.json'], ['.codex', 'auth.json'], ['.gemini', 'oauth_creds.json'], ['.config', 'openai'], ['.config', 'anthropic'], ['.huggingface', 'token'], ['.cache', 'huggingface', 'token'], ['.kaggle', 'kaggle.json'], ['.config', 'stripe'], ['.fly', 'config.yml'], ['.databrickscfg'], ['.snowsql'], ['.ngrok2'], ['.wrangler'], ['.config', 'sluice'],
];
/** Read from the home folder or the system only; a workspace has its own files of these names. */
const HOME_ONLY: readonly (readonly string[])[] = [['.npmrc'], ['.yarnrc'], ['.yarnrc.yml'], ['.env'], ['.gitconfig.local'], ['pip.conf']];
const SYSTEM = /^\/(?:etc\/(?:shadow|gshadow|sudoers|master\.passwd|security\/opasswd|krb5\.keytab|ssl\/private|ssh\/ssh_host_\w+_key|openvpn|wireguard|ipsec\.secrets|NetworkManager\/system-connections)|var\/lib\/(?:kubelet|docker\/swarm)|var\/db\/dslocal|private\/etc\/master\.passwd|proc\/[^/]+\/(?:environ|mem|maps|auxv|fd\/.*|root|cwd)|proc\/kcore|root(?:\/|$)|Library\/Keychains)/;
const PUBLIC = /^(?:known_hosts(?:\.old)?|.*\.pub)$/;

export const credentials: PathRule = {
  id: 'path/credentials', patternKey: 'credential_access', sensitive: true,
  reason: 'It reaches stored keys, tokens or browser data',
  instead: 'Name the account or host that is needed; you can lend a credential for one call without showing it.',
  judge: (subject) => {
    if (subject.target.real === '' || !touches(subject)) return undefined;
    return subject.operation === 'list' || subject.target.uncertain ? 'ask' : 'deny';
  },
  examples: {
    hit: [{ operation: 'read', path: '~/.ssh/id_rsa' }, { operation: 'read', path: '~/.s?h/id_*' }, { operation: 'read', path: '/etc/shadow' }, { operation: 'read', path: '/proc/self/environ' }, { operation: 'write', path: '~/.ssh/authorized_keys' }, { operation: 'list', path: '~/.aws' }, { operation: 'read', path: '~/.[s]sh/id_rsa' }],
    miss: [{ operation: 'read', path: '.npmrc' }, { operation: 'read', path: '~/.ssh/id_ed25519.pub' }, { operation: 'read', path: 'src/ssh.ts' }, { operation: 'read', path: '/etc/hosts' }],
  },
};

function touches(subject: PathSubject): boolean {
  const { real } = subject.target;
  if (SYSTEM.test(real) || /^\/(?:e|\?|\*|\[)[^/]*\/(?:g?shad[^/]*|sudo[^/]*|.*[*?[].*shad.*)$/.test(real) && /[*?[]/.test(real)) return true;
  const parts = folded(real);
  if (PUBLIC.test(parts[parts.length - 1] ?? '') && !CHANGES.has(subject.operation)) return false;
  if (CREDENTIALS.some((names) => passesThrough(parts, names))) return true;
  const workspace = subject.place.roots.some((root) => contains(root, real));
  return !workspace && HOME_ONLY.some((names) => passesThrough(parts, names));
}
