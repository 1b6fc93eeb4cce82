/**
 * Command lines as data, for the guards only. They are text to be judged and are never run: write them with an editor,
 * never through a shell.
 */
export interface Line {
  readonly line: string;
  /** The stable name of the denial; undefined where the line must not be denied. */
  readonly denied: string | undefined;
}

const hits = (denied: string, ...lines: readonly string[]): readonly Line[] => lines.map((line) => ({ line, denied }));
const misses = (...lines: readonly string[]): readonly Line[] => lines.map((line) => ({ line, denied: undefined }));

export const LINES: readonly Line[] = [
  ...hits(
    'destructive_delete', 'rm -rf /', 'rm -fr /', 'rm -r -f /', 'rm --recursive --force /', 'rm -rf -- /', 'rm -rf /*', 'rm -Rf ~', 'rm -rf ~/', 'rm -rf $HOME', 'rm -rf "$HOME"',
    'rm -rf ${HOME}', 'rm -rf .git', 'rm -rf .', 'rm -rf *', '/bin/rm -rf /', 'sudo rm -rf /', 'true && rm -rf /', 'true; rm -rf ~', 'echo $(rm -rf /)', '(rm -rf /)',
  ),
  ...misses(
    'rm -rf node_modules', 'rm -rf ./dist', 'rm -r build', 'rm notes.txt', 'rm -rf /tmp/sluice-test', 'rm -f .gitignore', 'git rm -r --cached dist', 'rm -rf .github/old', 'rm -rf src/.cache',
    'npm run rm -- dist', 'alarm -r .',
  ),
  ...hits(
    'device_write', 'mkfs /dev/sda1', 'mkfs.ext4 /dev/sda1', 'sudo wipefs -a /dev/sda', 'dd if=/dev/zero of=/dev/sda', 'cat image > /dev/nvme0n1', 'fdisk /dev/sda', 'blkdiscard /dev/sda',
  ),
  ...misses('dd if=a.bin of=b.bin', 'dd if=a.bin of=/dev/null', 'make > /dev/null', 'make 2> /dev/stderr', 'ls mkfs-notes.txt'),
  ...hits('fork_bomb', ':(){ :|:& };:', 'bomb() { bomb | bomb & }; bomb'),
  ...misses('f() { echo a | cat; }; f', 'a | b &'),
  ...hits('power_control', 'shutdown now', 'sudo reboot', 'systemctl poweroff', 'true; halt', 'init 0'),
  ...misses('npm init', 'git init', 'systemctl status nginx', 'cat notes.txt | head', 'npm run test:reboot'),
  ...hits('own_policy', 'rm -r .sluice', 'tee ./.sluice/policy.json', 'echo x > .SLUICE/policy.json', 'cp a "/w/.sluice"'),
  ...misses('cat notes.sluice.txt', 'cat my.sluice', 'ls sluice'),
  ...misses('npm test', 'node --test', 'git status', 'ls -la /', 'echo done', ''),
];
