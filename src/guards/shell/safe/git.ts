import { show, type Argument } from '../../../core/command/argument.ts';
import type { Draft } from '../../../core/command/analyse/draft.ts';
import type { ConcernKey } from '../../../core/command/form.ts';
import { optionTable, parseOptions, type ParsedOptions } from '../../../core/command/options.ts';
import { isWithin, targetsOf } from '../../../core/command/place.ts';
import { applyOptions, applySpec, has, spec, texts, type CommandSpec } from './table.ts';

const GLOBAL = optionTable(`-C=folder -c=text!git_config --config-env=text!git_config --exec-path?text!program_option --git-dir=folder!project_elsewhere --work-tree=folder!project_elsewhere --namespace=text --super-prefix=text
  -p|--paginate!program_option -P|--no-pager --no-replace-objects --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice --html-path --man-path --info-path --version -v --help -h
  --list-cmds=text --attr-source=text`, 'exact', { leading: true });

const SHOW = `-O=read --output=write!hidden_write --ext-diff!program_option --textconv!program_option --text --oneline -G=text -S=text -L=text -n=text -U=text -l=text -#
  --format=text --pretty?text --since=text --until=text --after=text --before=text --author=text --committer=text --grep=text --max-count=text --skip=text --encoding=text --date=text --diff-filter=text --word-diff-regex=text --anchored=text --src-prefix=text --dst-prefix=text --inter-hunk-context=text --diff-algorithm=text --color?text --no-index --show-signature!program_option --exclude=text --glob=text`;
const paths = (draft: Draft, parsed: ParsedOptions): void => {
  for (const word of parsed.operands) {
    if (has(parsed, '--no-index') || /^(?:\/|~|\.\.(?:\/|$))/.test(word.text)) draft.touch('read', word);
    else if (!word.dynamic) touchNamed(word, draft);
  }
};
/** What a revision holds at a path is read like the file itself. A word that looks like a file name may be one. */
function touchNamed(word: Argument, draft: Draft): void {
  const named = /^[^:]+:(?!\/)(.+)$/s.exec(word.text)?.[1] ?? (/(?:^|\/)\.?[^/]*\.[^/.]+$|(?:^|\/)\.[^/.]/.test(word.text) && !word.text.includes('..') ? word.text : undefined);
  if (named !== undefined) draft.touch('read', { ...word, text: named.replace(/^:\([^)]*\)/, '') });
}
const showing = spec(SHOW, 'text*', { more: paths });
const list = (options: string): CommandSpec => spec(options, 'text*');

/** Subcommands that only look. */
const LOOKS: ReadonlyMap<string, CommandSpec> = new Map<string, CommandSpec>([
  ...['log', 'show', 'diff', 'shortlog', 'whatchanged', 'rev-list', 'diff-tree', 'diff-index', 'diff-files', 'range-diff', 'show-branch', 'cherry'].map((name) => [name, showing] as const),
  ['status', list('')], ['rev-parse', list('')], ['describe', list('')], ['name-rev', list('')], ['merge-base', list('')], ['show-ref', list('--exclude-existing?text')], ['count-objects', list('')],
  ['for-each-ref', list('--format=text --sort=text --count=text --points-at=text')], ['var', list('')], ['check-ignore', list('')], ['check-attr', list('')], ['check-mailmap', list('')], ['check-ref-format', list('')],
  ['version', list('')], ['help', spec('-a -g -c', 'text*', { closed: true })], ['fsck', spec('--full --strict --no-dangling --connectivity-only --unreachable', 'text*', { closed: true })], ['stripspace', list('')], ['get-tar-commit-id', list('')], ['patch-id', list('')],
  ['ls-files', spec('-x|--exclude=text -X|--exclude-from=read --exclude-per-directory=text --with-tree=text --format=text', 'text*')], ['ls-tree', list('--format=text')],
  ['blame', spec('--contents=read -S=read --ignore-revs-file=read --ignore-rev=text -L=text --date=text', 'text*', { more: paths })], ['annotate', spec('--contents=read -S=read -L=text', 'text*', { more: paths })],
  ['cat-file', spec('-t -p -s -e --batch?text --batch-check?text --batch-command?text --batch-all-objects --textconv!program_option --filters!program_option --path=text --unordered --buffer --allow-unknown-type --follow-symlinks -Z -z', 'text*', { closed: true, more: paths })],
  ['grep', spec('-O|--open-files-in-pager?text!program_option -f=read -e=text --textconv!program_option --ext-grep!program_option -A=text -B=text -C=text -m=text --max-depth=text --threads=text --no-index --color?text', 'text*', { more: paths })],
  ['archive', spec('-o|--output=write!hidden_write --remote=text!git_remote --exec=text!program_option --format=text --prefix=text --add-file=read --worktree-attributes -l|--list -v', 'text*', { closed: true, style: 'gnu' })],
]);

/** Subcommands that change something, and what a person should know about them. */
const CHANGES: Readonly<Record<string, ConcernKey>> = {
  add: 'git_write', commit: 'git_write', merge: 'git_write', checkout: 'git_write', switch: 'git_write', mv: 'git_write', revert: 'git_write', 'cherry-pick': 'git_write', init: 'git_write', notes: 'git_write',
  rm: 'git_write', bisect: 'git_write', 'update-index': 'git_write', 'sparse-checkout': 'git_write', 'format-patch': 'git_write', 'commit-tree': 'git_write', 'hash-object': 'git_write', mktree: 'git_write', 'write-tree': 'git_write', 'read-tree': 'git_write', rerere: 'git_write', maintenance: 'persistence',
  worktree: 'git_write', stash: 'git_write', apply: 'patch', am: 'patch', 'checkout-index': 'git_write', 'merge-file': 'git_write', mergetool: 'program_option', difftool: 'program_option', bundle: 'hidden_write', 'fast-export': 'hidden_write', 'verify-commit': 'program_option', 'verify-tag': 'program_option',
  restore: 'git_discard', clean: 'git_discard', reset: 'git_write', rebase: 'git_history', 'filter-branch': 'git_history', 'filter-repo': 'git_history', 'update-ref': 'git_history', replace: 'git_history', 'fast-import': 'git_history', gc: 'git_history', prune: 'git_history', repack: 'git_history', 'symbolic-ref': 'git_write',
  push: 'git_push', fetch: 'git_remote', pull: 'git_remote', clone: 'git_remote', 'ls-remote': 'git_remote', remote: 'git_config', submodule: 'git_remote', lfs: 'git_remote', svn: 'git_remote', p4: 'git_remote', 'send-pack': 'git_push', 'fetch-pack': 'git_remote', 'send-email': 'network', 'imap-send': 'network', 'request-pull': 'git_remote',
  config: 'git_config', credential: 'secret_store', 'credential-store': 'secret_store', 'credential-cache': 'secret_store', 'upload-pack': 'program_option', 'receive-pack': 'program_option', daemon: 'listener', instaweb: 'listener', gui: 'desktop', gitk: 'desktop', citool: 'desktop', web: 'desktop', 'http-backend': 'listener',
  'for-each-repo': 'program_option', hook: 'program_option',
};

/** Subcommands with both faces; undefined means that they only look. */
const BOTH: Readonly<Record<string, (words: readonly Argument[], parsed: ParsedOptions) => ConcernKey | undefined>> = {
  branch: (_, parsed) => (has(parsed, '-d') ? 'git_discard' : parsed.unknown.length > 0 || (parsed.operands.length > 0 && !has(parsed, '-l', '-a', '-r', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at')) ? 'git_write' : undefined),
  tag: (_, parsed) => (parsed.unknown.length > 0 || (parsed.operands.length > 0 && !has(parsed, '-l', '--contains', '--points-at', '--merged', '-n')) ? 'git_write' : undefined),
  remote: (words) => (words.length === 0 || ['-v', '--verbose', 'get-url'].includes(words[0]?.text ?? '') ? undefined : words[0]?.text === 'show' || words[0]?.text === 'update' || words[0]?.text === 'prune' ? 'git_remote' : 'git_config'),
  stash: (words) => (['list', 'show'].includes(words[0]?.text ?? '') && words.every((word) => !/^--(?:out|ext|textc)/.test(word.text)) ? undefined : ['drop', 'clear'].includes(words[0]?.text ?? '') ? 'git_discard' : 'git_write'),
  worktree: (words) => (words[0]?.text === 'list' ? undefined : 'git_write'),
  submodule: (words) => (words.length === 0 || words[0]?.text === 'status' || words[0]?.text === 'summary' ? undefined : words[0]?.text === 'foreach' ? 'inline_code' : 'git_remote'),
  notes: (words) => (words.length === 0 || ['list', 'show'].includes(words[0]?.text ?? '') ? undefined : 'git_write'),
  reflog: (words) => (['expire', 'delete', 'drop', 'write'].includes(words[0]?.text ?? '') ? 'git_history' : undefined),
  bundle: (words) => (['verify', 'list-heads'].includes(words[0]?.text ?? '') ? undefined : 'hidden_write'),
  bisect: (words) => (['log', 'view', 'visualize'].includes(words[0]?.text ?? '') ? undefined : words[0]?.text === 'run' ? 'program_option' : 'git_write'),
  lfs: (words) => (['ls-files', 'status', 'version', 'env'].includes(words[0]?.text ?? '') ? undefined : 'git_remote'),
  'symbolic-ref': (_, parsed) => (parsed.operands.length <= 1 && !has(parsed, '-d') ? undefined : 'git_write'),
  'hash-object': (words) => (words.some((word) => /^-\w*w/.test(word.text)) ? 'git_write' : undefined),
  config: (words) => configuration(words),
  reset: (words) => (texts(words).some((text) => /^--(?:ha|me|k)/.test(text)) ? 'git_discard' : 'git_write'),
  checkout: (words) => (texts(words).some((text) => text === '--' || text === '.' || /^-\w*f/.test(text) || text === '--force' || /^--pathspec/.test(text)) ? 'git_discard' : 'git_write'),
  switch: (words) => (texts(words).some((text) => /^-\w*[fC]|^--(?:force|disc)/.test(text)) ? 'git_discard' : 'git_write'),
  commit: (words) => (texts(words).some((text) => /^--am/.test(text)) ? 'git_history' : 'git_write'),
  push: (words) => (texts(words).some((text) => /^-\w*[fd]|^--(?:fo|de|mi|pru)|^\+|^:/.test(text)) ? 'git_history' : 'git_push'),
  'merge-file': (words) => (texts(words).some((text) => text === '-p' || text === '--stdout') ? undefined : 'git_write'),
};
const BOTH_OPTIONS = optionTable(`-a|--all -r|--remotes -v|-vv|--verbose -l|--list --show-current --contains?text --no-contains?text --merged?text --no-merged?text --points-at=text --sort=text --format=text --color?text --no-color --column?text --no-column -i|--ignore-case --abbrev?text --no-abbrev -q|--quiet --omit-empty -n?text --show
  -d|-D|--delete --short --raw --date=text --oneline -#`, 'gnu');

function configuration(words: readonly Argument[]): ConcernKey | undefined {
  const all = texts(words);
  const flags = all.filter((text) => text.startsWith('-'));
  const names = all.filter((text) => !text.startsWith('-'));
  if (flags.some((text) => !/^--(?:get|get-all|get-regexp|get-urlmatch|list|global|local|system|worktree|show-origin|show-scope|name-only|null|includes|type=\w+|bool|int|path|default=.*)$|^-[lz]$/.test(text))) return 'git_config';
  if (flags.some((text) => /^--get|^--list$|^-l$/.test(text))) return undefined;
  if (names[0] === 'get' || names[0] === 'list') return undefined;
  return names.length === 1 && !['set', 'unset', 'edit', 'rename-section', 'remove-section'].includes(names[0] ?? '') ? undefined : 'git_config';
}

/** `git`: what the subcommand does, in which repository, with which configuration. */
export function judgeGit(draft: Draft): void {
  const parsed = parseOptions(draft.argv.slice(1), GLOBAL);
  applyOptions({ ...parsed, options: parsed.options.filter((option) => !onlyLooks(option)) }, draft);
  checkRepository(draft, parsed);
  const [sub, ...words] = parsed.operands;
  if (sub === undefined) {
    if (parsed.options.length === 0) draft.raise('unknown_option', 'git without a subcommand');
    return;
  }
  if (sub.dynamic || sub.glob) draft.raise('dynamic_argument', `git ${show(sub)}`);
  const both = Object.hasOwn(BOTH, sub.text) ? BOTH[sub.text] : undefined;
  const look = LOOKS.get(sub.text);
  if (both !== undefined) {
    const own = parseOptions(words, BOTH_OPTIONS);
    const key = both(words, own);
    if (key !== undefined) draft.raise(key, `git ${sub.text}`);
    if (key === undefined && words.some((word) => word.open)) draft.raise('dynamic_argument', `git ${sub.text}`);
  } else if (look !== undefined) applySpec(look, draft, words);
  else draft.raise(Object.hasOwn(CHANGES, sub.text) ? CHANGES[sub.text] ?? 'git_write' : 'unknown_option', `git ${show(sub)}`);
  touchWritten(sub.text, words, draft);
}

/** Settings for one command that change how it looks and nothing else. */
const LOOK_ONLY = /^(?:color\.[a-z.-]+=(?:always|never|auto|true|false)|core\.quotepath=(?:off|on|true|false)|advice\.\w+=false|(?:diff|log|status)\.[a-z]+=(?:true|false|\d+|short|long|iso|relative))$/i;

function onlyLooks({ spec: option, value }: ParsedOptions['options'][number]): boolean {
  return option.names.includes('-c') && value !== undefined && !value.dynamic && LOOK_ONLY.test(value.text);
}

/** Another repository brings its own configuration, and with it programs that git starts. */
function checkRepository(draft: Draft, parsed: ParsedOptions): void {
  let directories = draft.directories;
  for (const { spec: option, value } of parsed.options) {
    if (option.type !== 'folder' || value === undefined) continue;
    directories = targetsOf(value, directories, draft.place).map((target) => (target.uncertain ? undefined : target.real));
  }
  if (directories.some((directory) => directory === undefined || !draft.place.roots.some((root) => isWithin(directory, root)))) {
    draft.raise('project_elsewhere', 'git');
  }
}

const REWRITES_FILES = new Set(['checkout', 'restore', 'rm', 'mv', 'clean', 'reset', 'apply', 'format-patch', 'worktree', 'init', 'clone']);

function touchWritten(sub: string, words: readonly Argument[], draft: Draft): void {
  if (!REWRITES_FILES.has(sub)) return;
  const dashes = words.findIndex((word) => word.text === '--');
  for (const [index, word] of words.entries()) {
    if (word.text === '--' || (index < dashes && dashes !== -1)) continue;
    if (word.text.startsWith('-') && dashes === -1) continue;
    if (word.text.includes('/') || word.text.startsWith('.') || dashes !== -1) draft.touch(sub === 'rm' ? 'delete' : 'write', word);
  }
}
