import type { ConcernKey } from '../form.ts';
import { optionTable, type OptionTable } from '../options.ts';

/** A program whose job is to start another one. */
export interface Wrapper {
  readonly options: OptionTable;
  /** Operands before the program (a duration, a user, a file). */
  readonly skip: number;
  /** `NAME=value` words before the program set its environment. */
  readonly assigns: boolean;
  /** What using it raises by itself. */
  readonly concern: ConcernKey | undefined;
  /** What it means when no program follows; undefined: nothing. */
  readonly alone: ConcernKey | undefined;
  /** The rest is one shell script rather than a program and its arguments. */
  readonly joins: boolean;
  /** The program runs on another machine or in a container: it is not judged as if it ran here. */
  readonly elsewhere: boolean;
  /** Fetches the program when it is not there. */
  readonly fetches: boolean;
}

type Extra = Partial<Omit<Wrapper, 'options'>>;

function wrapper(options: string, extra: Extra = {}): Wrapper {
  return {
    options: optionTable(options, 'gnu', { leading: true }), skip: 0, assigns: false, concern: undefined, alone: undefined,
    joins: false, elsewhere: false, fetches: false, ...extra,
  };
}

const SUDO = `-A|--askpass -b|--background!background -B|--bell -E|--preserve-env?text -H|--set-home -K|--remove-timestamp -k|--reset-timestamp -n|--non-interactive -N|--no-update -P|--preserve-groups
  -S|--stdin -V|--version -v|--validate -l|--list -i|--login -s|--shell -e|--edit -u|--user=text -g|--group=text -h|--host=text -p|--prompt=text -C|--close-from=text -r|--role=text -t|--type=text
  -T|--command-timeout=text -U|--other-user=text -a|--auth-type=text -c|--login-class=text -D|--chdir=folder -R|--chroot=folder!privilege --help`;
const ENV = `-i|--ignore-environment -0|--null -v|--debug -u|--unset=text -C|--chdir=folder -S|--split-string=script --block-signal?text --default-signal?text --ignore-signal?text --list-signal-handling
  -P=text!environment_injection -a|--argv0=text --version --help`;
const NPX = `-y|--yes!package_run -q|--quiet -p|--package=text!package_run -c|--call=script --no-install --no --no-yes --prefer-offline --offline --silent --ignore-existing!package_run -w|--workspace=text --workspaces --prefix=folder!project_elsewhere -C=folder!project_elsewhere --bun --help --version`;
const RUNNER = { alone: 'package_run' as const };

/** Names are base names in lower case. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['sudo', wrapper(SUDO, { assigns: true, concern: 'privilege' })],
  ['doas', wrapper('-n -s -L -a=text -C=text -u=text', { assigns: true, concern: 'privilege' })],
  ['pkexec', wrapper('--user=text --disable-internal-agent --keep-cwd --version --help', { concern: 'privilege' })],
  ['gosu', wrapper('', { skip: 1, concern: 'privilege' })],
  ['su-exec', wrapper('', { skip: 1, concern: 'privilege' })],
  ['setpriv', wrapper('--reuid=text --regid=text --clear-groups --init-groups --groups=text --no-new-privs --inh-caps=text --ambient-caps=text --bounding-set=text --reset-env', { concern: 'privilege' })],
  ['capsh', wrapper('', { concern: 'privilege', elsewhere: true })],
  ['chroot', wrapper('--groups=text --userspec=text --skip-chdir', { skip: 1, concern: 'privilege' })],
  ['unshare', wrapper(`-r|--map-root-user -c|--map-current-user -m|--mount?text -u|--uts?text -i|--ipc?text -n|--net?text -p|--pid?text -U|--user?text -C|--cgroup?text -T|--time?text -f|--fork --kill-child?text
    --mount-proc?text --propagation=text --setgroups=text -R|--root=folder -w|--wd=folder -S|--setuid=text -G|--setgid=text --map-auto --map-users=text --map-groups=text --keep-caps`, { concern: 'privilege' })],
  ['nsenter', wrapper('-a|--all -t|--target=text -m|--mount?text -u|--uts?text -i|--ipc?text -n|--net?text -p|--pid?text -U|--user?text -C|--cgroup?text -T|--time?text -S|--setuid=text -G|--setgid=text -r|--root?text -w|--wd?text -F|--no-fork -Z -e', { concern: 'privilege' })],
  ['env', wrapper(ENV, { assigns: true, alone: 'environment_dump' })],
  ['cross-env', wrapper('', { assigns: true })],
  ['nohup', wrapper('--help --version', { concern: 'background' })],
  ['setsid', wrapper('-c|--ctty -f|--fork!background -w|--wait', { concern: 'background' })],
  ['nice', wrapper('-n|--adjustment=text -#')],
  ['ionice', wrapper('-c|--class=text -n|--classdata=text -p|--pid=text -P=text -u=text -t|--ignore')],
  ['chrt', wrapper('-b -f -i -o -r -R -p -m -v -T=text -P=text -D=text', { skip: 1, concern: 'privilege' })],
  ['taskset', wrapper('-a|--all-tasks -c|--cpu-list -p|--pid', { skip: 1 })],
  ['numactl', wrapper('-l|--localalloc -N|--cpunodebind=text -m|--membind=text -i|--interleave=text -C|--physcpubind=text')],
  ['timeout', wrapper('-k|--kill-after=text -s|--signal=text -f|--foreground -p|--preserve-status -v|--verbose', { skip: 1 })],
  ['gtimeout', wrapper('-k|--kill-after=text -s|--signal=text --foreground --preserve-status -v|--verbose', { skip: 1 })],
  ['stdbuf', wrapper('-i|--input=text -o|--output=text -e|--error=text')],
  ['unbuffer', wrapper('-p')],
  ['time', wrapper('-p|--portability -v|--verbose -q|--quiet -a|--append -f|--format=text -o|--output=write')],
  ['command', wrapper('-p')],
  ['builtin', wrapper('')],
  ['exec', wrapper('-c -l -a=text')],
  ['caffeinate', wrapper('-d -i -m -s -u -t=text -w=text')],
  ['xvfb-run', wrapper('-a|--auto-servernum -e|--error-file=write -f|--auth-file=write -l|--listen-tcp -n|--server-num=text -p|--xauth-protocol=text -s|--server-args=text!program_option -w|--wait=text')],
  ['dbus-run-session', wrapper('--config-file=read --dbus-daemon=program')],
  ['dotenv', wrapper('-e=read -f|--file=read -c?text -o|--override -v=text')],
  ['dotenvx', wrapper('-f=read')],
  ['linux32', wrapper('')], ['linux64', wrapper('')], ['setarch', wrapper('-R -L -X -Z -v', { skip: 1 })],
  ['firejail', wrapper('', { concern: 'program_option', elsewhere: true })],
  ['bwrap', wrapper('', { concern: 'privilege', elsewhere: true })],
  ['watch', wrapper('-b|--beep -c|--color -C|--no-color -d|--differences?text -e|--errexit -g|--chgexit -n|--interval=text -p|--precise -q|--equexit=text -r|--no-rerun -t|--no-title -w|--no-wrap -x|--exec', { joins: true })],
  ['flock', wrapper('-s|--shared -x|--exclusive -e -u|--unlock -n|--nonblock --nb -w|--wait|--timeout=text -o|--close -c|--command=script -E|--conflict-exit-code=text -F|--no-fork -v|--verbose', { skip: 1 })],
  ['script', wrapper('-a|--append -c|--command=script -e|--return -f|--flush -q|--quiet -t|--timing?text -B|--log-io=write -I|--log-in=write -O|--log-out=write -T|--log-timing=write', { alone: 'interactive', skip: 1 })],
  ['su', wrapper('-|-l|--login -m|-p|--preserve-environment -P|--pty -f|--fast -c|--command=script --session-command=script -s|--shell=program -g|--group=text -G|--supp-group=text -w|--whitelist-environment=text', { concern: 'privilege', elsewhere: true })],
  ['runuser', wrapper('-|-l|--login -m|-p|--preserve-environment -P|--pty -f|--fast -c|--command=script -s|--shell=program -g|--group=text -G|--supp-group=text -u|--user=text', { concern: 'privilege' })],
  ['sg', wrapper('-c=script', { concern: 'privilege', elsewhere: true })],
  ['systemd-run', wrapper('', { concern: 'persistence', elsewhere: true })],
  ['start-stop-daemon', wrapper('', { concern: 'persistence', elsewhere: true })],
  ['daemonize', wrapper('', { concern: 'background', elsewhere: true })],
  ['strace', wrapper(`-c -C -d -f -F -ff -i -k -n -q -r -t -T -v -V -w -x -X=text -y -z -Z -a=text -b=text -e=text -E=text!environment_injection -I=text -o=write -O=text -p=text!process_list -P=text -s=text -S=text -u=text!privilege -U=text`)],
  ['ltrace', wrapper('-c -C -f -i -L -n=text -o=write -e=text -p=text!process_list -r -s=text -S -t -T -u=text -x=text')],
  ['valgrind', wrapper('', { concern: 'program_option', elsewhere: true })],
  ['perf', wrapper('', { concern: 'program_option', elsewhere: true })],
  ['gdb', wrapper('', { concern: 'program_option', elsewhere: true })], ['lldb', wrapper('', { concern: 'program_option', elsewhere: true })],
  ['rlwrap', wrapper('', { concern: 'program_option', elsewhere: true })],
  ['entr', wrapper('', { concern: 'background', elsewhere: true })], ['watchexec', wrapper('', { concern: 'background', elsewhere: true })],
  ['parallel', wrapper('', { concern: 'program_option', elsewhere: true })],
  ['busybox', wrapper('--help --list')], ['toybox', wrapper('--help --list')],
  ['npx', wrapper(NPX, { fetches: true, ...RUNNER })], ['bunx', wrapper(NPX, { fetches: true, ...RUNNER })], ['pnpx', wrapper(NPX, { fetches: true, ...RUNNER })],
  ['uvx', wrapper('--from=text!package_run --with=text!package_run --python=text -q|--quiet', { fetches: true, ...RUNNER })],
  ['ssh', wrapper('', { concern: 'network', elsewhere: true })], ['mosh', wrapper('', { concern: 'network', elsewhere: true })], ['rsh', wrapper('', { concern: 'network', elsewhere: true })],
  ['flatpak-spawn', wrapper('', { concern: 'container', elsewhere: true })], ['distrobox', wrapper('', { concern: 'container', elsewhere: true })], ['toolbox', wrapper('', { concern: 'container', elsewhere: true })],
]);

/** Shells: what follows `-c` is a script; `-o` and `-O` take a value. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'mksh', 'ash', 'fish', 'rbash', 'yash']);

/** `tool verb program ...`: runners that take the program after their own verb. */
export const VERB_WRAPPERS: ReadonlyMap<string, Readonly<Record<string, Wrapper>>> = new Map<string, Readonly<Record<string, Wrapper>>>([
  ['npm', { exec: wrapper(NPX, { fetches: true }), x: wrapper(NPX, { fetches: true }) }],
  ['pnpm', { exec: wrapper('-r|--recursive -c|--shell-mode!inline_code --parallel --no-bail'), dlx: wrapper('--package=text', { fetches: true, concern: 'package_run' }) }],
  ['yarn', { exec: wrapper(''), dlx: wrapper('-p=text -q', { fetches: true, concern: 'package_run' }) }],
  ['bun', { x: wrapper(NPX, { fetches: true }) }],
  ['pipx', { run: wrapper('--spec=text --python=text --no-cache --pypackages --index-url=text', { fetches: true, concern: 'package_run' }) }],
  ['poetry', { run: wrapper('') }], ['pipenv', { run: wrapper('') }], ['pdm', { run: wrapper('-s|--site-packages') }], ['rye', { run: wrapper('') }],
  ['uv', { run: wrapper('--no-sync --frozen --locked --offline --isolated -q|--quiet -m|--module=text!inline_code -p|--python=text --extra=text --all-extras --group=text --dev --no-dev --package=text --with=text!package_run --env-file=read --directory=folder!project_elsewhere --project=folder!project_elsewhere') }],
  ['hatch', { run: wrapper('') }], ['bundle', { exec: wrapper('--keep-file-descriptors --gemfile=text!project_elsewhere') }],
  ['rbenv', { exec: wrapper('') }], ['pyenv', { exec: wrapper('') }], ['direnv', { exec: wrapper('', { skip: 1, concern: 'environment_injection' }) }],
  ['mise', { exec: wrapper('', { concern: 'package_run', elsewhere: true }), x: wrapper('', { concern: 'package_run', elsewhere: true }) }],
]);
