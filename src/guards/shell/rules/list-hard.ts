import type { ShellRule } from '../rule.ts';
import { forkBomb } from './fork-bomb.ts';
import { power } from './power.ts';
import { formatDevice } from './format-device.ts';
import { systemPermissions } from './system-permissions.ts';
import { remoteCode } from './remote-code.ts';
import { unreadable } from './unreadable.ts';
import { blockDeviceTools } from './block-device-tools.ts';
import { tampering } from './tampering.ts';
import { untrustedWorkspace } from './untrusted-workspace.ts';

export const HARD_RULES: readonly ShellRule[] = [forkBomb, power, formatDevice, systemPermissions, remoteCode, unreadable, untrustedWorkspace, blockDeviceTools, tampering];
