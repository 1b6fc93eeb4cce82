import { accountFiles } from './account-files.ts';
import { devices } from './devices.ts';
import { linkedAway } from './linked-away.ts';
import { outsideRead } from './outside-read.ts';
import { outsideWrite } from './outside-write.ts';
import { patternWrite } from './pattern-write.ts';
import { sockets } from './sockets.ts';
import { spelling } from './spelling.ts';
import { unknownPath } from './unknown.ts';
import type { PathRule } from '../subject.ts';

/** Where the path leads, and how it is written. */
export const PLACE_RULES: readonly PathRule[] = [accountFiles, devices, sockets, outsideWrite, outsideRead, linkedAway, spelling, unknownPath, patternWrite];
