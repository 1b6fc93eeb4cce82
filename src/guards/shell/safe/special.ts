import { show, type Argument } from '../../../core/command/argument.ts';
import type { Draft } from '../../../core/command/analyse/draft.ts';
import { texts } from './table.ts';

const WRITES_SQL = /\b(?:DROP|TRUNCATE|DELETE\s+FROM|ALTER\s+TABLE|GRANT|REVOKE)\b/i;

/** Programs whose first words change what there is to say. True when everything has been said. */
export function judgeSpecial(draft: Draft): boolean {
  const judge = SPECIAL.get(draft.name);
  return judge === undefined ? false : judge(draft, draft.argv.slice(1));
}

const SPECIAL: ReadonlyMap<string, (draft: Draft, words: readonly Argument[]) => boolean> = new Map([
  ['systemctl', service], ['loginctl', service], ['service', service], ['launchctl', service],
  ['init', runlevel], ['telinit', runlevel], ['xfce4-session-logout', powers], ['gnome-session-quit', powers],
  ['kill', kill],
  ['gh', githubReads], ['yq', yaml], ['openssl', openssl],
  ['psql', sql], ['mysql', sql], ['mariadb', sql], ['sqlite3', sql], ['sqlite', sql], ['duckdb', sql], ['mongosh', sql], ['redis-cli', sql], ['cockroach', sql], ['clickhouse-client', sql],
  ['docker', container], ['podman', container],
  ['exec', execRedirects],
]);

function service(draft: Draft, words: readonly Argument[]): boolean {
  const all = texts(words);
  if (all.some((text) => /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|soft-reboot|emergency|rescue)$/.test(text))) {
    draft.raise('power', `${draft.name} ${all.find((text) => !text.startsWith('-')) ?? ''}`);
    return true;
  }
  draft.raise(all.some((text) => /^(?:enable|link|edit|set-default|load|bootstrap|add-wants|submit)$/.test(text)) ? 'persistence' : 'service_control', draft.name);
  return true;
}

function runlevel(draft: Draft, words: readonly Argument[]): boolean {
  draft.raise(/^[06sS]$/.test(words[0]?.text ?? '') ? 'power' : 'service_control', draft.name);
  return true;
}

function powers(draft: Draft): boolean {
  draft.raise('power', draft.name);
  return true;
}

function kill(draft: Draft, words: readonly Argument[]): boolean {
  if (words.length > 0 && words.every((word) => /^-[lL]$|^\d+$/.test(word.text)) && /^-[lL]$/.test(words[0]?.text ?? '')) return true;
  draft.raise('process_kill', 'kill');
  return true;
}

/** Even the reading verbs reach the network. */
function githubReads(draft: Draft, words: readonly Argument[]): boolean {
  if (words[0]?.text === 'auth' && words[1]?.text === 'token') draft.raise('secret_store', 'gh auth token');
  draft.raise('network', 'gh', 'github.com');
  return true;
}

function yaml(draft: Draft, words: readonly Argument[]): boolean {
  const all = texts(words);
  const plain = all.every((text) => !/\b(?:load\w*|env|strenv|envsubst|system)\b|^-[a-zA-Z]*[is]$|^--(?:split.*|from-file|inplace|in-place|front-matter)/.test(text));
  if (!plain || words.some((word) => word.open)) draft.raise('program_option', 'yq');
  for (const word of words.filter((item) => !item.text.startsWith('-')).slice(all[0] === 'eval' || all[0] === 'e' ? 2 : 1)) draft.touch(all.includes('-i') ? 'write' : 'read', word);
  return true;
}

function openssl(draft: Draft, words: readonly Argument[]): boolean {
  const [verb] = words;
  if (verb !== undefined && /^(?:version|list|help|errstr)$/.test(verb.text)) return true;
  for (const word of words.slice(1)) if (/^(?:\/|~|\.)/.test(word.text)) draft.touch('read', word);
  draft.raise(verb?.text === 's_client' || verb?.text === 's_server' ? 'network' : 'secret_store', `openssl ${verb === undefined ? '' : show(verb)}`);
  return true;
}

function sql(draft: Draft, words: readonly Argument[]): boolean {
  const text = `${texts(words).join(' ')} ${draft.input.kind === 'pipe' || draft.input.kind === 'text' ? draft.input.text ?? '' : ''}`;
  draft.raise(WRITES_SQL.test(text) || /flushall|flushdb|dropDatabase|\.drop\(|deleteMany/i.test(text) ? 'destructive_sql' : 'database', draft.name);
  for (const word of words) if (/^(?:\/|~|\.\.?\/)/.test(word.text)) draft.touch('write', word);
  return true;
}

function container(draft: Draft, words: readonly Argument[]): boolean {
  draft.raise('container', `${draft.name} ${words[0] === undefined ? '' : show(words[0])}`);
  for (const word of words) {
    const mount = /^(?:--volume=|-v|--mount=.*(?:source|src)=)?([/~][^:,]*)[:,]/.exec(word.text);
    if (mount?.[1] !== undefined) draft.touch('read', { ...word, text: mount[1] });
  }
  return true;
}

/** `exec` without a program changes the descriptors of the shell. */
function execRedirects(draft: Draft): boolean {
  if (draft.redirects.length > 0) draft.raise('shell_state', 'exec');
  return true;
}
