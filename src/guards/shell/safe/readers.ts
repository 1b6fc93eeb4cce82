import type { Draft } from '../../../core/command/analyse/draft.ts';
import type { ParsedOptions } from '../../../core/command/options.ts';
import { has, spec, table } from './table.ts';
import { judgeAwk } from './awk.ts';
import { judgeSed } from './sed.ts';
import { judgeJq } from './jq.ts';

const SECRET = /TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i;

/** Programs that look at text and files. What they may open still passes the path rules. */
export const READERS = table([
  ['cat', spec('', 'read*')],
  ['tac', spec('-s|--separator=text', 'read*')],
  ['nl', spec('-b=text -d=text -f=text -h=text -i=text -l=text -n=text -s=text -v=text -w=text', 'read*')],
  ['head ghead', spec('-n|--lines=text -c|--bytes=text -#', 'read*')],
  ['tail gtail', spec('-n|--lines=text -c|--bytes=text -s|--sleep-interval=text --pid=text -b=text -#', 'read*')],
  ['wc', spec('--files0-from=read --total=text', 'read*')],
  ['sort gsort', spec(`-o|--output=write!hidden_write -T|--temporary-directory=write!hidden_write -k|--key=text -t|--field-separator=text -S|--buffer-size=text!resource --compress-program=program --files0-from=read
    --batch-size=text --parallel=text --random-source=read --sort=text --check?text`, 'read*')],
  ['uniq guniq', spec('-f|--skip-fields=text -s|--skip-chars=text -w|--check-chars=text --group?text -D|--all-repeated?text', 'read hidden_write')],
  ['cut', spec('-d|--delimiter=text -f|--fields=text -b|--bytes=text -c|--characters=text --output-delimiter=text', 'read*')],
  ['tr', spec('', 'text*')],
  ['paste', spec('-d|--delimiters=text', 'read*')],
  ['join', spec('-1=text -2=text -a=text -e=text -j=text -o=text -t=text -v=text', 'read*')],
  ['fold', spec('-w|--width=text', 'read*')], ['fmt', spec('-w|--width=text -g|--goal=text -p|--prefix=text', 'read*')],
  ['pr', spec('-l=text -w=text -o=text -h=text -n?text -s?text -N=text -W=text', 'read*')],
  ['expand unexpand', spec('-t|--tabs=text', 'read*')],
  ['column', spec('-s|--separator=text -o|--output-separator=text -c|--output-width=text -N|--table-columns=text -R=text -H=text -O=text -T=text -l=text', 'read*', { more: wideColumns })],
  ['rev tsort cksum sum', spec('', 'read*')],
  ['comm', spec('--output-delimiter=text', 'read*')],
  ['diff gdiff colordiff', spec('-x|--exclude=text -X|--exclude-from=read -I|--ignore-matching-lines=text -U=text -C=text -W|--width=text -L|--label=text -F|--show-function-line=text -S|--starting-file=text --from-file=read --to-file=read -r|--recursive --color?text', 'read*')],
  ['cmp', spec('-n|--bytes=text -i|--ignore-initial=text', 'read read text text')],
  ['stat gstat', spec('-c|--format=text --printf=text -t=text', 'list*')],
  ['file', spec('-f|--files-from=read -m|--magic-file=read!program_option -C|--compile!hidden_write -P|--parameter=text -F|--separator=text -e|--exclude=text -z!program_option -Z!program_option', 'read*', { more: fileList })],
  ['du gdu', spec('-d|--max-depth=text -t|--threshold=text -X|--exclude-from=read --exclude=text --files0-from=read -B|--block-size=text --time-style=text --time?text -I=text', 'list*')],
  ['df gdf', spec('-t|--type=text -x|--exclude-type=text -B|--block-size=text --output?text', 'list*')],
  ['ls gls dir vdir exa eza lsd', spec('-I|--ignore=text --hide=text -w|--width=text -T|--tabsize=text --block-size=text --color?text --format=text --sort=text --time=text --time-style=text --quoting-style=text --indicator-style=text --level=text', 'list*')],
  ['tree', spec('-L=text -P=text -I=text -o=write!hidden_write --charset=text --filelimit=text --timefmt=text -H=text -T=text --gitfile=read --infofile=read -R!hidden_write --sort?text', 'list*')],
  ['pwd', spec('', 'text*')], ['echo', spec('', 'text*')],
  ['printf', spec('', 'text*')],
  ['whoami groups users logname arch nproc tty uptime free lscpu lsblk lsb_release sw_vers locale getconf cal ncal true false : sleep seq gseq numfmt factor yes clear tput', spec('', 'text*')],
  ['id', spec('', 'text*')], ['uname', spec('', 'text*')],
  ['exit return break continue shift wait jobs umask times suspend dirs', spec('', 'text*')],
  ['cd pushd popd', spec('', 'text*')], ['export declare typeset local readonly read mapfile readarray unset let getopts trap set eval alias unalias enable hash bind shopt complete compgen fc history ulimit caller source . [[', spec('', 'text*')],
  ['hostname', spec('-f|--fqdn|--long -s|--short -i|--ip-address -I|--all-ip-addresses -d|--domain -a|--alias -A|--all-fqdns -y|--yp|--nis -V|--version -F|--file=read!kernel -b|--boot!kernel', 'none', { closed: true, more: noOperands })],
  ['date gdate', spec('-d|--date=text -f|--file=read -r|--reference=read -s|--set=text!kernel -I|--iso-8601?text -R|--rfc-email -u|--utc|--universal --rfc-3339=text --debug --resolution -v=text -j -n --help --version', 'text*', { closed: true, more: clockFormat })],
  ['which whereis whence type command', spec('-B=text -M=text -S=text', 'text*')],
  ['basename', spec('-s|--suffix=text', 'text*')], ['dirname', spec('', 'text*')],
  ['realpath grealpath readlink greadlink', spec('--relative-to=text --relative-base=text', 'list*')],
  ['test [', spec('', 'text*')], ['expr', spec('', 'text*')],
  ['bc', spec('-e|--expression=text -f|--file=read', 'read*')],
  ['printenv', spec('', 'text*', { more: environment })],
  ['grep egrep fgrep ggrep', spec(`-e|--regexp=text -f|--file=read -A|--after-context=text -B|--before-context=text -C|--context=text -m|--max-count=text -D|--devices=text -d|--directories=text --include=text --exclude=text
    --exclude-from=read --exclude-dir=text --label=text --binary-files=text --color?text --colour?text --group-separator=text -r|--recursive -R|--dereference-recursive -#`, 'pattern read*', { more: recursion })],
  ['rg ripgrep', spec(`-e|--regexp=text -f|--file=read -g|--glob=text --iglob=text -t|--type=text -T|--type-not=text -A|--after-context=text -B|--before-context=text -C|--context=text -m|--max-count=text
    -M|--max-columns=text -r|--replace=text -j|--threads=text -d|--max-depth|--maxdepth=text -E|--encoding=text --pre=program --pre-glob=text --hostname-bin=program --hyperlink-format=text --ignore-file=read --sort=text
    --sortr=text --color=text --colors=text --context-separator=text --field-context-separator=text --field-match-separator=text --path-separator=text --type-add=text --type-clear=text --type-list --files
    -z|--search-zip!program_option --engine=text --dfa-size-limit=text --regex-size-limit=text --max-filesize=text --generate=text`, 'pattern tree*')],
  ['ag ack', spec('--pager=program -p|--path-to-ignore=read -G=text -A=text -B=text -C=text -m=text --depth=text --ackrc=read!program_option', 'pattern tree*')],
  ['fd fdfind', spec('-x|--exec=program -X|--exec-batch=program -e|--extension=text -t|--type=text -d|--max-depth=text -E|--exclude=text -c|--color=text -S|--size=text -j|--threads=text --base-directory=list --ignore-file=read --search-path=list --changed-within=text --changed-before=text -o|--owner=text --format=text --batch-size=text', 'text list*')],
  ['findstr', spec('', 'text read*', { more: (draft, parsed) => { for (const word of parsed.operands) if (/^\/[gfdo]:/i.test(word.text)) draft.raise('program_option', word.text); } })],
  ['tokei cloc scc', spec('--exclude-dir=text --out|--report-file=write!hidden_write -o|--output=text --config=read', 'tree*')],
  ['md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum md5', spec('-a|--algorithm=text', 'read*')],
  ['base64 base32 basenc gbase64', spec('-w|--wrap=text -o|--output=write!hidden_write -b=text', 'read*')],
  ['xxd', spec('-c=text -g=text -l=text -o=text -s=text -n=text -R=text', 'read hidden_write')],
  ['od', spec('-A=text -j=text -N=text -t=text -S=text -w?text', 'read*')], ['hexdump hd', spec('-n=text -s=text -e=text -f=read', 'read*')],
  ['strings', spec('-n=text -t=text -e=text -T=text', 'read*')],
  ['less more most', spec('-R|-r -S -F -X -N -i -I -E -M -m -n -s -#', 'read*', { closed: true, more: noCommands })],
  ['bat batcat', spec('-l|--language=text --theme=text -r|--line-range=text -H=text --style=text --paging=text --pager=program --color=text --wrap=text --tabs=text --map-syntax=text', 'read*')],
  ['shuf', spec('-n|--head-count=text -i|--input-range=text -o|--output=write!hidden_write --random-source=read', 'read*')],
  ['iconv', spec('-f|--from-code=text -t|--to-code=text -o|--output=write!hidden_write', 'read*')],
  ['zcat gzcat bzcat xzcat zstdcat lz4cat', spec('', 'read*')],
  ['sed gsed', spec('-n|--quiet|--silent -e|--expression=text -f|--file=read!program_option -i|--in-place?text -E|-r|--regexp-extended -l|--line-length=text -s|--separate -u|--unbuffered -z|--null-data -b|--binary --posix --debug --sandbox --follow-symlinks --help --version -I?text', 'text*', { closed: true, more: judgeSed })],
  ['awk gawk mawk nawk', spec('-F|--field-separator=text -v|--assign=text -f|--file=read!program_option --help --version -V -P|--posix -c|--traditional -r|--re-interval -n|--non-decimal-data -S|--sandbox', 'text*', { closed: true, leading: true, more: judgeAwk })],
  ['jq gojq jaq', spec('-f|--from-file=read -L=read -r -c -n -s -S -e -M -C -a -j -R --tab --indent=text --raw-output --compact-output --null-input --slurp --sort-keys --exit-status --monochrome-output --color-output --raw-input --join-output --seq --stream --args --jsonargs --help --version -h --arg=text --argjson=text --slurpfile=text --rawfile=text', 'text*', { closed: true, style: 'exact', more: judgeJq })],
  ['man apropos whatis', spec('-k -f -w -a -K', 'text*', { closed: true })],
  ['shellcheck hadolint yamllint jsonlint', spec('-o=text -e=text -s=text -f=text -x', 'read*', { raises: ['project_code'] })],
]);

function wideColumns(draft: Draft, parsed: ParsedOptions): void {
  const width = parsed.options.find(({ name }) => name === '-c' || name === '--output-width')?.value?.text ?? '0';
  if (!(Number(width) <= 1_000)) draft.raise('resource', 'column -c');
}

function fileList(draft: Draft, parsed: ParsedOptions): void {
  if (has(parsed, '-f')) draft.raise('program_option', 'file -f');
}

function noOperands(draft: Draft, parsed: ParsedOptions): void {
  if (parsed.operands.length > 0) draft.raise('kernel', `${draft.name} sets the host name`);
}

function clockFormat(draft: Draft, parsed: ParsedOptions): void {
  if (parsed.operands.some((word) => !word.text.startsWith('+')) && !has(parsed, '-j')) draft.raise('kernel', 'date sets the clock');
}

function environment(draft: Draft, parsed: ParsedOptions): void {
  if (parsed.operands.length === 0) draft.raise('environment_dump', 'printenv');
  for (const word of parsed.operands) if (SECRET.test(word.text) || word.dynamic) draft.raise('secret_variable', word.text);
}

function recursion(draft: Draft, parsed: ParsedOptions): void {
  if (!has(parsed, '-r', '-R') && !parsed.options.some(({ name, value }) => name === '-d' && value?.text === 'recurse')) return;
  const paths = has(parsed, '-e', '-f') ? parsed.operands : parsed.operands.slice(1);
  for (const word of paths) draft.touch('read_tree', word);
}

function noCommands(draft: Draft, parsed: ParsedOptions): void {
  if (parsed.operands.some((word) => word.text.startsWith('+'))) draft.raise('program_option', `${draft.name} +command`);
}
