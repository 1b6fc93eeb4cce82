import { canBe, folded, type PathRule } from '../subject.ts';

const TEMPLATE = /^\.?env[.-](?:example|sample|template|dist|defaults?|schema|tpl|test\.example)$|\.env\.(?:example|sample|template|dist|defaults?|schema)$|\.(?:example|sample|template)$/;
const SECRET = /^\.env(?:rc|[^a-z0-9].*)?$|\.env$|\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|ovpn|tfstate|tfvars|agekey|keytab)$|^id_(?:rsa|dsa|ecdsa|ed25519)(?:_.*)?$|^(?:credentials?|secrets?|service[-_]?account.*|client_secret.*|auth|tokens?)(?:\.(?:json|ya?ml|toml|ini|txt|enc))?$|^\.(?:npmrc|pypirc|netrc|htpasswd|git-credentials|pgpass|yarnrc\.yml|dockercfg|vault[-_]pass\w*)$|^kubeconfig$|^master\.key$|^wp-config\.php$|^local\.settings\.json$|^appsettings\.(?:secrets|production)\.json$/;
const SPELLINGS = ['.env', '.env.local', '.env.production', 'id_rsa', 'server.pem', 'server.key', 'credentials.json', 'secrets.json', '.npmrc', '.netrc'];
/** Only a pattern that names part of a secret counts; `*` and `*.json` are ordinary. */
const POINTED = /env|pem|key|id_|secret|cred|npmrc|netrc|rsa|token/;

/** A file of the workspace that usually holds secret values. */
export const secrets: PathRule = {
  id: 'path/secrets', patternKey: 'secret_file', sensitive: true,
  reason: 'The file usually holds secret values',
  banner: 'This file may hold a secret.',
  instead: 'Read the example file beside it, or ask which names it defines.',
  judge: ({ operation, target }) => {
    if (operation === 'list' || target.real === '') return undefined;
    return folded(target.real).some((name, index, all) => isSecret(name, index === all.length - 1)) ? 'ask' : undefined;
  },
  examples: {
    hit: [{ operation: 'read', path: '.env' }, { operation: 'read', path: 'packages/a/.env.local' }, { operation: 'write', path: '.ENV' }, { operation: 'read', path: 'certs/server.key' }, { operation: 'read', path: '.en?' }],
    miss: [{ operation: 'read', path: '.env.example' }, { operation: 'read', path: 'src/env.ts' }, { operation: 'read', path: 'src/*' }, { operation: 'list', path: '.env' }, { operation: 'read', path: 'src/key.ts' }],
  },
};

function isSecret(name: string, last: boolean): boolean {
  if (!last) return /^\.env$/.test(name);
  if (/[*?[]/.test(name)) return (POINTED.test(name) || /^\.[^*]*[?[]/.test(name) || /^\.e?n?\*/.test(name)) && SPELLINGS.some((spelling) => canBe(name, spelling));
  return SECRET.test(name) && !TEMPLATE.test(name);
}
