import { configures } from './configures.ts';
import { credentials, credentialTree } from './credentials.ts';
import { gitDelete, ownPolicy, rootDelete } from './deletes.ts';
import { secrets } from './secrets.ts';
import type { PathRule } from './subject.ts';
import { accountFiles, devices, linkedAway, outsideRead, outsideWrite, patternWrite, sockets, spelling, unknownPath } from './system.ts';

/** Every rule about paths. All of them look at every path; the strictest answer wins. */
export const PATH_RULES: readonly PathRule[] = [
  rootDelete, gitDelete, ownPolicy, accountFiles, devices, credentials, credentialTree, secrets, configures, sockets, outsideWrite, outsideRead, unknownPath, patternWrite, linkedAway, spelling,
];
