import type { ShellRule } from '../rule.ts';
import { gitWrite } from './git-write.ts';
import { gitDiscard } from './git-discard.ts';
import { gitHistory } from './git-history.ts';
import { gitPush } from './git-push.ts';
import { gitRemote } from './git-remote.ts';
import { gitConfig } from './git-config.ts';
import { packageInstall } from './package-install.ts';
import { packagePublish } from './package-publish.ts';
import { packageRun } from './package-run.ts';
import { networkCommand } from './network.ts';

export const SHARING_RULES: readonly ShellRule[] = [gitWrite, gitDiscard, gitHistory, gitPush, gitRemote, gitConfig, packageInstall, packagePublish, packageRun, networkCommand];
