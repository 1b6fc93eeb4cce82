import { isWithin } from '../../core/command/place.ts';
import { CHANGES, READS, canBe, contains, folded, inHome, inWorkspace, type PathRule, type PathSubject } from './subject.ts';

const ACCOUNTS = /^\/(?:private\/)?(?:etc\/(?:passwd|shadow|group|gshadow|sudoers|master\.passwd|subuid|subgid|login\.defs|nsswitch\.conf|pam\.d|pam\.conf|security|ssh|ld\.so\.preload|ld\.so\.conf|crypttab|fstab|shells|doas\.conf|polkit-1)|root|boot|var\/spool\/cron|var\/at)(?:[-~.\d]|\/|$)/;

/** Files that decide who may log in and what runs as root. */
export const accountFiles: PathRule = {
  id: 'path/account-files', patternKey: 'account_files', sensitive: true,
  reason: 'It changes accounts, logins or what runs as root',
  instead: 'Describe the change in words; an administrator can make it by hand.',
  judge: ({ operation, target }) => (CHANGES.has(operation) && (ACCOUNTS.test(target.real) || globbed(target.real)) ? (target.uncertain ? 'ask' : 'deny') : undefined),
  examples: {
    hit: [{ operation: 'write', path: '/etc/passwd' }, { operation: 'write', path: '/etc/sudoers.d/x' }, { operation: 'write', path: '/root/.bashrc' }, { operation: 'delete', path: '/etc/shadow' }],
    miss: [{ operation: 'read', path: '/etc/passwd' }, { operation: 'write', path: 'etc/passwd' }, { operation: 'write', path: '/etc/hosts' }],
  },
};

function globbed(real: string): boolean {
  const parts = folded(real);
  return parts.length === 2 && /[*?[]/.test(real) && canBe(parts[0] ?? '', 'etc') && ['passwd', 'shadow', 'sudoers'].some((name) => canBe(parts[1] ?? '', name));
}

const DEVICE = /^\/dev\/(?:[sh]d[a-z]|nvme|vd[a-z]|xvd|mmcblk|disk|rdisk|mapper|dm-|md\d|loop|sr\d|sg\d|ram|zram|mem|kmem|port|nbd|cciss|fd\d|st\d|block|dasd|mtd|pmem)/;

/** Disks and memory, past the file system. */
export const devices: PathRule = {
  id: 'path/devices', patternKey: 'block_device', sensitive: true,
  reason: 'It opens a disk or the memory directly',
  instead: 'Work on an image file inside the workspace.',
  judge: ({ operation, target }) => {
    if (!DEVICE.test(target.real) && !/^\/dev\/[^/]*[*?[]/.test(target.real)) return undefined;
    return operation === 'list' ? undefined : 'deny';
  },
  examples: {
    hit: [{ operation: 'write', path: '/dev/sda' }, { operation: 'read', path: '/dev/nvme0n1p1' }, { operation: 'write', path: '/dev/disk/by-id/usb-foo' }, { operation: 'empty', path: '/dev/mem' }],
    miss: [{ operation: 'write', path: '/dev/null' }, { operation: 'list', path: '/dev/sda' }, { operation: 'read', path: '/dev/urandom' }],
  },
};

const QUIET = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|ptmx|fd(?:\/\d+)?)$/;
const OPEN_SYSTEM = /^\/(?:usr|bin|sbin|lib\w*|opt|nix\/store|tmp|var\/tmp|System\/Library|Library\/Developer|Applications|private\/tmp|snap\/bin|run\/current-system|workspaces?\/\.[a-z]+)(?:\/|$)/;
const OPEN_FILES = /^\/(?:etc\/(?:hosts|hostname|os-release|lsb-release|debian_version|redhat-release|alpine-release|timezone|localtime|issue|services|protocols|mime\.types|locale\.conf|machine-id|shells|resolv\.conf|nsswitch\.conf|environment)|proc\/(?:cpuinfo|meminfo|version|uptime|loadavg|filesystems|stat|self\/(?:status|cgroup|mountinfo|limits)|mounts|swaps|diskstats|sys\/kernel\/(?:osrelease|hostname))|sys\/fs\/cgroup\/.*|sys\/class\/(?:net|power_supply)\/.*)$/;

/** Reading outside the workspace, the ordinary user folders and the installed programs. */
export const outsideRead: PathRule = {
  id: 'path/outside-read', patternKey: 'outside_read',
  reason: 'It reads a file outside the workspace',
  instead: 'Copy what is needed into the workspace.',
  judge: (subject) => {
    if (!READS.has(subject.operation) || subject.target.uncertain) return undefined;
    return inWorkspace(subject) || ordinary(subject) ? undefined : 'ask';
  },
  examples: {
    hit: [{ operation: 'read', path: '/etc/passwd' }, { operation: 'read', path: '../other/file.txt' }, { operation: 'read', path: '/var/log/auth.log' }, { operation: 'read', path: '~/.bashrc' }, { operation: 'read', path: '/home/other/x' }],
    miss: [{ operation: 'read', path: 'src/a.ts' }, { operation: 'read', path: '/usr/include/stdio.h' }, { operation: 'read', path: '/tmp/report.csv' }, { operation: 'read', path: '~/Documents/a.txt' }, { operation: 'list', path: '/etc' }],
  },
};

function ordinary(subject: PathSubject): boolean {
  const { real } = subject.target;
  if (QUIET.test(real) || OPEN_FILES.test(real) || OPEN_SYSTEM.test(real)) return true;
  if (!inHome(subject) || real === subject.place.home) return false;
  const first = real.slice(subject.place.home.length + 1);
  return !/^[.[?]/.test(first) && !/^(?:Library|AppData)(?:\/|$)/i.test(first);
}

/** Changing anything outside the workspace. */
export const outsideWrite: PathRule = {
  id: 'path/outside-write', patternKey: 'outside_write',
  reason: 'It changes something outside the workspace',
  instead: 'Write inside the workspace.',
  judge: (subject) => {
    if (!CHANGES.has(subject.operation) || subject.target.uncertain || QUIET.test(subject.target.real)) return undefined;
    return inWorkspace(subject) ? undefined : 'ask';
  },
  examples: {
    hit: [{ operation: 'write', path: '/tmp/out.txt' }, { operation: 'write', path: '../file.txt' }, { operation: 'write', path: '~/file.txt' }, { operation: 'delete', path: '/var/log/auth.log' }, { operation: 'write', path: '/workspace/project-evil/x' }],
    miss: [{ operation: 'write', path: 'src/a.ts' }, { operation: 'write', path: '/dev/null' }, { operation: 'read', path: '/tmp/x' }],
  },
};

/** A path that is known only when the command runs. */
export const unknownPath: PathRule = {
  id: 'path/unknown', patternKey: 'dynamic_path',
  reason: 'Which file it touches is decided only when it runs',
  instead: 'Write the path out.',
  judge: ({ operation, target }) => (target.uncertain && operation !== 'list' ? 'ask' : undefined),
  examples: { hit: [], miss: [{ operation: 'read', path: 'src/a.ts' }, { operation: 'write', path: 'dist/app.js' }] },
};

/** A pattern as the target of a change may reach more than was meant, links included. */
export const patternWrite: PathRule = {
  id: 'path/pattern-write', patternKey: 'pattern_write',
  reason: 'It changes whatever a pattern matches',
  instead: 'Write the names out.',
  judge: ({ operation, target }) => (target.glob && (operation === 'empty' || operation === 'permissions') ? 'ask' : undefined),
  examples: { hit: [{ operation: 'empty', path: 'logs/*' }], miss: [{ operation: 'empty', path: 'logs/a' }, { operation: 'read', path: 'src/*.ts' }] },
};

/** Sockets of daemons: whoever may write to one commands the daemon. */
export const sockets: PathRule = {
  id: 'path/sockets', patternKey: 'daemon_socket', sensitive: true,
  reason: 'It opens the control socket of a system service',
  judge: ({ operation, target }) => (operation !== 'list' && /(?:docker|containerd|podman|crio|dbus|system_bus|snapd|libvirt|ssh-agent|agent)[\w.-]*\.?sock(?:et)?$|^\/tmp\/ssh-/.test(target.real) ? 'ask' : undefined),
  examples: { hit: [{ operation: 'read', path: '/var/run/docker.sock' }], miss: [{ operation: 'read', path: 'src/socket.ts' }] },
};

/** A link that leads from one folder of the workspace into another, or out of it. */
export const linkedAway: PathRule = {
  id: 'path/linked-away', patternKey: 'linked_away',
  reason: 'A link leads somewhere else than the path says',
  instead: 'Name the file it really is.',
  judge: ({ operation, target, place }) => {
    if (!target.linked || !CHANGES.has(operation)) return undefined;
    const written = place.roots.find((root) => isWithin(target.asked, root)) ?? (target.asked.startsWith('/') ? undefined : place.roots[0]);
    return written !== undefined && isWithin(target.real, written) ? undefined : 'ask';
  },
  examples: { hit: [], miss: [{ operation: 'write', path: 'src/a.ts' }] },
};

/** Strange spellings that an editor, a shell and a file system read differently. */
export const spelling: PathRule = {
  id: 'path/spelling', patternKey: 'path_spelling',
  reason: 'The path is written in a way that systems read differently',
  instead: 'Write the plain path.',
  judge: ({ operation, target, place }) => {
    const { asked } = target;
    if (CHANGES.has(operation) && /%\w+%|![A-Z_]+!/.test(asked)) return 'ask';
    if (/[\0-\x1f\x7f]/.test(asked)) return 'deny';
    if (/^(?:\\\\|\\\?\?\\|\/\/[^/])/.test(asked) || /::\$/.test(asked)) return 'ask';
    const parts = asked.split(place.platform === 'win32' ? /[\\/]/ : '/');
    if (parts.some((part) => /[^. ][. ]+$/.test(part) || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i.test(part) && place.platform === 'win32')) return 'ask';
    if (place.platform === 'win32' && (/^[A-Za-z]:(?![\\/])/.test(asked) || /.:.*:|^[^:]{2,}:/.test(asked) || /~\d/.test(asked))) return 'ask';
    return /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/.test(asked) ? 'ask' : undefined;
  },
  examples: {
    hit: [{ operation: 'write', path: 'a\u0000.ts' }, { operation: 'read', path: '\\??\\UNC\\server\\share\\x' }, { operation: 'write', path: '.git /config' }, { operation: 'write', path: '.env::$DATA' }],
    miss: [{ operation: 'write', path: 'src/a.ts' }, { operation: 'read', path: '../x' }, { operation: 'read', path: './a b/c' }],
  },
};

export function protectedFolder(real: string, subject: Pick<PathSubject, 'place'>): boolean {
  const { place } = subject;
  if (real === '/' || /^[A-Za-z]:$/.test(real) || contains(real, place.home) || place.roots.some((root) => contains(real, root))) return true;
  return /^\/(?:bin|boot|dev|etc|home|lib\w*|opt|proc|root|sbin|srv|sys|usr|var|run|mnt|media|Users|System|Library|Applications|private|Volumes|cores)$/.test(real)
    || /^\/(?:usr|System)\/(?:bin|lib\w*|sbin|local|share|Library)$/.test(real) || /^\/(?:home|Users)\/[^/]+$/.test(real) && !isWithin(real, place.home)
    || /^[A-Za-z]:\/(?:Windows|Users|Program Files(?: \(x86\))?)(?:\/[^/]+)?$/i.test(real);
}
