import { readFile } from 'node:fs/promises';

/** The line that installs what the sandbox needs, by the distribution's family (`ID` and `ID_LIKE`). */
const INSTALL_LINES: readonly (readonly [family: string, line: string])[] = [
  ['debian', 'sudo apt-get install -y bubblewrap socat ripgrep'],
  ['ubuntu', 'sudo apt-get install -y bubblewrap socat ripgrep'],
  ['fedora', 'sudo dnf install -y bubblewrap socat ripgrep'],
  ['rhel', 'sudo dnf install -y bubblewrap socat ripgrep'],
  ['arch', 'sudo pacman -S --needed bubblewrap socat ripgrep'],
  ['suse', 'sudo zypper install -y bubblewrap socat ripgrep'],
  ['alpine', 'sudo apk add bubblewrap socat ripgrep'],
];

/** From the text of /etc/os-release. Undefined for a family we have no line for. */
export function installLine(osRelease: string): string | undefined {
  const families = [...osRelease.matchAll(/^ID(?:_LIKE)?=["']?([^"'\n]*)/gm)].flatMap((match) => (match[1] ?? '').split(/\s+/));
  return INSTALL_LINES.find(([family]) => families.some((name) => name === family || name.startsWith(`${family}-`)))?.[1];
}

export async function installAdvice(platform: NodeJS.Platform): Promise<string | undefined> {
  if (platform !== 'linux') return undefined;
  return installLine(await readFile('/etc/os-release', 'utf8').catch(() => ''));
}

export interface NamespaceAdvice {
  readonly detail: string;
  readonly fix: string | undefined;
}

/** Explains a sandbox that is installed but refused by the kernel, from what it said. Undefined for anything else. */
export async function namespaceAdvice(said: string): Promise<NamespaceAdvice | undefined> {
  if (!/uid map|namespace|clone|unshare|loopback|Operation not permitted/i.test(said)) return undefined;
  const detail = 'Commands cannot be confined: this system does not let an ordinary program create user namespaces.';
  if ((await setting('kernel/apparmor_restrict_unprivileged_userns')) === '1') {
    return { detail, fix: 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0' };
  }
  if ((await setting('kernel/unprivileged_userns_clone')) === '0') return { detail, fix: 'sudo sysctl -w kernel.unprivileged_userns_clone=1' };
  if ((await setting('user/max_user_namespaces')) === '0') return { detail, fix: 'sudo sysctl -w user.max_user_namespaces=15000' };
  return { detail, fix: undefined };
}

async function setting(name: string): Promise<string> {
  return (await readFile(`/proc/sys/${name}`, 'utf8').catch(() => '')).trim();
}
