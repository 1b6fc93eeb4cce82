import { literal, show, type Argument } from '../../../core/command/argument.ts';
import type { Draft } from '../../../core/command/analyse/draft.ts';
import type { ParsedOptions } from '../../../core/command/options.ts';
import { targetsOf, isWithin } from '../../../core/command/place.ts';
import { has, spec, table } from './table.ts';

/** Programs that change files. Inside the workspace an ordinary change needs no question; where they reach is up to the path rules. */
export const WRITERS = table([
  ['mkdir', spec('-m|--mode=text -p -v -Z --parents --verbose --context?text', 'write*', { closed: true })],
  ['touch', spec('-d|--date=text -t=text -r|--reference=read -a -c -m -h --no-create --time=text', 'write*', { closed: true })],
  ['cp gcp', spec('-a|--archive -r|-R|--recursive -f|--force -i|--interactive -n|--no-clobber -u|--update?text -v|--verbose -l|--link -s|--symbolic-link -L|--dereference -P|--no-dereference -H -p -d -x|--one-file-system -T|--no-target-directory -t|--target-directory=text -S|--suffix=text -b --backup?text --parents --reflink?text --sparse?text --preserve?text --no-preserve=text --strip-trailing-slashes --attributes-only -c', 'text*', { closed: true, more: copy })],
  ['mv gmv', spec('-f|--force -i|--interactive -n|--no-clobber -u|--update?text -v|--verbose -T|--no-target-directory -t|--target-directory=text -S|--suffix=text -b --backup?text --strip-trailing-slashes', 'text*', { closed: true, more: move })],
  ['install ginstall', spec('-d|--directory -D -C|--compare -p|--preserve-timestamps -s|--strip!program_option --strip-program=program -v|--verbose -m|--mode=text!permissions -o|--owner=text!ownership -g|--group=text!ownership -t|--target-directory=text -T -b --backup?text -S=text', 'text*', { closed: true, more: copy })],
  ['ln gln link', spec('-s|--symbolic -f|--force -n|--no-dereference -r|--relative -v|--verbose -i|--interactive -T|--no-target-directory -t|--target-directory=text -L|--logical -P|--physical -h -b --backup?text -S=text', 'text*', { closed: true, more: linkTo })],
  ['tee gtee', spec('-a|--append -i|--ignore-interrupts -p --output-error?text', 'write*', { closed: true })],
  ['mktemp', spec('-d|--directory -u|--dry-run -q|--quiet -t -p|--tmpdir?write --suffix=text', 'text*', { closed: true })],
  ['rm grm', spec('-r|-R|--recursive -f|--force -i -I --interactive?text -d|--dir -v|--verbose -x|--one-file-system --no-preserve-root --preserve-root?text -P', 'text*', { closed: true, more: remove })],
  ['rmdir unlink trash trash-put gio', spec('-p|--parents -v|--verbose --ignore-fail-on-non-empty -f', 'delete*', { raises: ['delete'] })],
  ['shred srm wipe', spec('-u|--remove?text -f -n|--iterations=text -s|--size=text -v -x -z', 'delete*', { raises: ['truncate', 'delete'] })],
  ['truncate', spec('-s|--size=text -r|--reference=read -c|--no-create -o|--io-blocks', 'text*', { raises: ['truncate'], more: truncate })],
  ['fallocate', spec('-l|--length=text -o|--offset=text -n -x -z -p -d -c -i', 'write*', { raises: ['resource'] })],
  ['dd', spec('', 'text*', { more: convert })],
  ['chmod gchmod', spec('-R|--recursive -v -f -c -h --reference=read --preserve-root --no-preserve-root', 'text*', { style: 'exact', raises: ['permissions'], more: permissions })],
  ['chown chgrp lchown gchown', spec('-R|--recursive -v -f -c -h -H -L -P --reference=read --from=text --preserve-root --no-preserve-root --dereference --no-dereference', 'text*', { raises: ['ownership'], more: permissions })],
  ['chattr setfacl xattr chflags setcap getcap lsattr getfacl chcon restorecon', spec('', 'text*', { raises: ['permissions'], more: permissions })],
  ['tar gtar bsdtar', spec('', 'text*', { more: archive })],
  ['zip', spec('-r -q -9 -j -v -x=text -i=text -@ -P=text!hidden_write -T!program_option -TT=program -m!delete --unzip-command=program --test', 'write tree*', { raises: ['archive_extract'] })],
  ['unzip', spec('-l -t -v -Z -q -o -n -j -p -x=text -d=write -P=text', 'read text*', { more: extract })],
  ['unrar 7z 7za 7zz cpio pax ar rar', spec('', 'text*', { raises: ['archive_extract'], more: touchAll })],
  ['gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lzma compress uncompress', spec('-c|--stdout|--to-stdout -d -k -t -l', 'read*', { more: compress })],
  ['rsync', spec('-e|--rsh=program --rsync-path=program --exclude=text --include=text --exclude-from=read --include-from=read --files-from=read --delete!delete --delete-after!delete --delete-before!delete --delete-during!delete --delete-excluded!delete --remove-source-files!delete --log-file=write!hidden_write --backup-dir=write --password-file=read!secret_store --daemon!listener --config=read!listener --temp-dir=write --partial-dir=write --bwlimit=text --port=text --chmod=text --chown=text!ownership -f|--filter=text -M|--remote-option=text', 'text*', { more: synchronise })],
  ['split csplit', spec('-l=text -b=text -C=text -n=text -d -a|--suffix-length=text --filter=program --additional-suffix=text', 'read write', { raises: ['hidden_write'] })],
  ['patch', spec('-d|--directory=folder -o|--output=write -i|--input=read -p=text', 'text*', { raises: ['patch'] })],
  ['ed ex vi vim nvim nano emacs pico joe mcedit micro helix hx red', spec('', 'text*', { raises: ['interactive'] })],
]);

function splitDestination(parsed: ParsedOptions): { sources: readonly Argument[]; destination: Argument | undefined } {
  const into = parsed.options.find(({ spec: option }) => option.names.includes('-t') && option.value === 'required')?.value;
  if (into !== undefined) return { sources: parsed.operands, destination: into };
  return { sources: parsed.operands.slice(0, -1), destination: parsed.operands[parsed.operands.length - 1] };
}

/** The destination is judged as given and as the folder that the source would land in. */
function touchDestination(draft: Draft, sources: readonly Argument[], destination: Argument): void {
  draft.touch('write', destination);
  for (const source of sources) {
    const name = source.text.replace(/\/+$/, '').split('/').pop() ?? '';
    if (name === '' || name === '.' || name === '..') continue;
    draft.touch('write', { ...destination, text: `${destination.text.replace(/\/+$/, '')}/${name}`, glob: destination.glob || source.glob, dynamic: destination.dynamic || source.dynamic });
  }
}

function copy(draft: Draft, parsed: ParsedOptions): void {
  if (draft.name.endsWith('install') && has(parsed, '-d')) {
    for (const word of parsed.operands) draft.touch('write', word);
    return;
  }
  const { sources, destination } = splitDestination(parsed);
  if (destination === undefined || sources.length === 0) {
    draft.raise('unknown_option', `${draft.name} without a destination`);
    return;
  }
  const whole = has(parsed, '-r', '-a');
  for (const source of sources) {
    draft.touch(whole ? 'read_tree' : 'read', source);
    if (source.text === '/dev/null') draft.raise('truncate', `${draft.name} /dev/null`);
    if (has(parsed, '-s', '-l') && draft.name.endsWith('cp')) linkOutside(draft, source);
  }
  touchDestination(draft, sources, destination);
}

function move(draft: Draft, parsed: ParsedOptions): void {
  const { sources, destination } = splitDestination(parsed);
  if (destination === undefined || sources.length === 0) {
    draft.raise('unknown_option', 'mv without a destination');
    return;
  }
  for (const source of sources) draft.touch('delete_tree', source);
  if (destination.text === '/dev/null') draft.raise('delete', 'mv to /dev/null');
  touchDestination(draft, sources, destination);
}

function linkTo(draft: Draft, parsed: ParsedOptions): void {
  const { sources, destination } = parsed.operands.length === 1 ? { sources: parsed.operands, destination: literal('.') } : splitDestination(parsed);
  for (const source of sources) {
    const folder = (destination?.text ?? '').replace(/[^/]*$/, '');
    const symbolic = has(parsed, '-s') && !has(parsed, '-r') && !source.text.startsWith('/') && !source.text.startsWith('~') && folder !== '';
    const seen = symbolic ? { ...source, text: `${folder}${source.text}` } : source;
    draft.touch('read', seen);
    linkOutside(draft, seen);
  }
  if (destination !== undefined && parsed.operands.length > 1) draft.touch('write', destination);
}

function linkOutside(draft: Draft, source: Argument): void {
  for (const target of targetsOf(source, draft.directories, draft.place)) {
    if (target.uncertain || !draft.place.roots.some((root) => isWithin(target.real, root))) draft.raise('outside_link', show(source));
  }
}

function remove(draft: Draft, parsed: ParsedOptions): void {
  const whole = has(parsed, '-r', '-R');
  for (const word of parsed.operands) draft.touch(whole ? 'delete_tree' : 'delete', word);
  draft.raise('delete', whole ? 'recursive' : 'files');
}

function truncate(draft: Draft, parsed: ParsedOptions): void {
  for (const word of parsed.operands) draft.touch('empty', word);
}

function convert(draft: Draft, parsed: ParsedOptions): void {
  for (const word of parsed.operands) {
    const [key = '', ...rest] = word.text.split('=');
    const value = { ...word, text: rest.join('=') };
    if (key === 'if') draft.touch('read', value);
    if (key === 'of') draft.touch('empty', value);
  }
  draft.raise('truncate', 'dd');
}

function permissions(draft: Draft, parsed: ParsedOptions): void {
  const operands = draft.argv.slice(1).filter((word) => !/^-[A-Za-z]*R|^--/.test(word.text));
  const whole = has(parsed, '-R') || draft.argv.some((word) => /^-\w*R|^--rec/.test(word.text));
  for (const word of operands.slice(has(parsed, '--reference') ? 0 : 1)) draft.touch('permissions', word);
  if (whole) draft.raise(draft.name.includes('own') ? 'ownership' : 'permissions', 'recursive');
}

const TAR_SAFE = /^-?[ctvzjJaf]+$/;
const TAR_LONG = /^--(?:create|list|verbose|gzip|bzip2|xz|zstd|auto-compress|exclude(?:=.*)?|file=.*|no-recursion|sort=.*|mtime=.*|owner=.*|group=.*|numeric-owner)$/;

/** `tar`: listing, and making an archive of workspace files; anything else is asked. */
function archive(draft: Draft): void {
  const words = draft.argv.slice(1);
  const [mode, ...rest] = words;
  const plain = mode !== undefined && TAR_SAFE.test(mode.text) && /[ct]/.test(mode.text) && rest.every((word) => !word.text.startsWith('-') || TAR_LONG.test(word.text) || word.text === '-C');
  if (!plain || words.some((word) => word.open) || rest.some((word) => word.glob && /^[*?[]/.test(word.text))) draft.raise('archive_extract', 'tar');
  const creates = mode?.text.includes('c') === true;
  const operands = rest.filter((word) => !word.text.startsWith('-'));
  operands.forEach((word, index) => { draft.touch(index > 0 ? 'read_tree' : creates ? 'write' : 'read', word); });
  if (!plain) for (const word of operands) draft.touch('write', word);
}

function extract(draft: Draft, parsed: ParsedOptions): void {
  if (!has(parsed, '-l', '-t', '-v', '-Z', '-p')) draft.raise('archive_extract', 'unzip');
}

function compress(draft: Draft, parsed: ParsedOptions): void {
  if (has(parsed, '-c', '-t', '-l') || parsed.operands.length === 0 || draft.argv.some((word) => /^-\w*[ctl]/.test(word.text))) return;
  for (const word of parsed.operands) draft.touch('write', word);
  draft.raise('archive_extract', draft.name);
}

function touchAll(draft: Draft, parsed: ParsedOptions): void {
  for (const word of parsed.operands) draft.touch('read', word);
}

function synchronise(draft: Draft, parsed: ParsedOptions): void {
  const { sources, destination } = splitDestination(parsed);
  const remote = parsed.operands.find((word) => /^[^/]*:/.test(word.text));
  if (remote !== undefined) draft.raise('network', 'rsync', remote.text.replace(/^rsync:\/\//, '').replace(/:.*/, ''));
  for (const source of sources) draft.touch('read_tree', source);
  if (destination !== undefined && !/^[^/]*:/.test(destination.text)) draft.touch(draft.concerns.some(({ key }) => key === 'delete') ? 'delete_tree' : 'write', destination);
}
