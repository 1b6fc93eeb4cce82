import type { ShellRule } from '../rule.ts';
import { hiddenWrite } from './hidden-write.ts';
import { permissions } from './permissions.ts';
import { ownership } from './ownership.ts';
import { deletes } from './delete.ts';
import { truncate } from './truncate.ts';
import { archive } from './archive.ts';
import { patch } from './patch.ts';
import { outsideLink } from './outside-link.ts';
import { secretVariable } from './secret-variable.ts';
import { secretStore } from './secret-store.ts';
import { environmentDump } from './environment-dump.ts';

export const FILES_RULES: readonly ShellRule[] = [hiddenWrite, permissions, ownership, deletes, truncate, archive, patch, outsideLink, secretVariable, secretStore, environmentDump];
