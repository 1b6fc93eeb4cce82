import { configures } from './configures.ts';
import { credentialTree } from './credential-tree.ts';
import { credentials } from './credentials.ts';
import { gitDelete } from './git-delete.ts';
import { ownPolicy } from './own-policy.ts';
import { rootDelete } from './root-delete.ts';
import { secrets } from './secrets.ts';
import type { PathRule } from '../subject.ts';

/** What the files hold or decide. */
export const CONTENT_RULES: readonly PathRule[] = [rootDelete, gitDelete, ownPolicy, credentials, credentialTree, secrets, configures];
