import { READS, inHome, inWorkspace, QUIET_DEVICES, type PathRule, type PathSubject } from '../subject.ts';

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
  if (QUIET_DEVICES.test(real) || OPEN_FILES.test(real) || OPEN_SYSTEM.test(real)) return true;
  if (!inHome(subject) || real === subject.place.home) return false;
  const first = real.slice(subject.place.home.length + 1);
  return !/^[.[?]/.test(first) && !/^(?:Library|AppData)(?:\/|$)/i.test(first);
}
