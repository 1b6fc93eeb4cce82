import { type PathRule } from '../subject.ts';

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
