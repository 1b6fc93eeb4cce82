import type { Segment } from '../../../core/command/form.ts';
import type { ShellRule } from '../rule.ts';

const FORMATS = /^(?:mkfs(?:\..+)?|mke2fs|mkdosfs|mkntfs|mkswap|newfs(?:_.+)?|wipefs|sgdisk|gdisk|sfdisk|parted|blkdiscard|badblocks|shred|diskutil|zpool|mdadm|pvcreate|pvremove|vgremove|lvremove|cryptsetup|hdparm|nvme|dcfldd|dc3dd|ddrescue|format|fdisk|cfdisk|cgdisk|partprobe|debugfs|tune2fs)$/;
const LOOKS = /^(?:-n|--dry-run|--no-act|-l|--list|-p|--print|print|list|info|status|dump|luksdump|isluks|--help|-h|--version|-v|-i|--info|--detail|--examine|-d|--dump)$/i;
const DEVICE = /^(?:of=)?\/dev\/(?!null$|zero$|tty|pts|shm|fd\b|std)/;

/** Formatting, partitioning or erasing a disk. */
export const formatDevice: ShellRule = {
  id: 'shell/format-device', action: 'deny', patternKey: 'block_device', approvalAction: 'run_command', sensitive: true,
  reason: 'It formats, partitions or erases a disk',
  instead: 'Work on an image file inside the workspace.',
  find: (form) => {
    const found = form.segments.find(formats);
    return found === undefined ? undefined : { detail: found.name };
  },
  examples: {
    hit: ['mkfs.ext4 /dev/sda1', 'wipefs -a /dev/sda', 'sudo parted /dev/sda mklabel gpt', 'sgdisk --zap-all /dev/sda', 'mkfs.ext4 -L -n /dev/sda1', 'cryptsetup luksFormat /dev/sda1', 'MKFS.EXT4 /dev/sda'],
    miss: ['mkfs.ext4 ./disk.img', 'fdisk -l /dev/sda', 'parted /dev/sda print', 'lsblk', 'mount /dev/sdb1 /mnt'],
  },
};

const ERASES = /^(?:format-volume|clear-disk|initialize-disk|remove-partition|reset-physicaldisk)$/;

function formats(segment: Segment): boolean {
  if (ERASES.test(segment.name)) return true;
  if (!FORMATS.test(segment.name)) return false;
  const words = segment.argv.slice(1).map((word) => word.text);
  if (!words.some((word) => DEVICE.test(word))) return false;
  const looks = words.some((word, index) => LOOKS.test(word) && !/^-[LUN]$/.test(words[index - 1] ?? ''));
  const dry = /^(?:mkfs|mke2fs|mkswap)/.test(segment.name) ? words.some((word, index) => word === '-n' && !/^-[LUNO]$/.test(words[index - 1] ?? '')) : looks;
  return !dry || /^(?:blkdiscard|sgdisk)$/.test(segment.name) && words.some((word) => /zap|^-Z|^-o$/.test(word));
}
