import { concernRule } from '../rule.ts';

export const blockDeviceTools = concernRule({
  id: 'shell/block-device-tools', keys: ['block_device'], sensitive: true,
  reason: 'It works on disks or file systems',
  examples: {
    hit: ["mount /dev/sdb1 /mnt", "fdisk -l /dev/sda", "mkfs.ext4 ./disk.img"],
    miss: ["df -h", "lsblk"],
  },
});
