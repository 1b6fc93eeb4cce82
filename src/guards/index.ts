import type { Guard } from '../core/chain/04-guard.ts';
import { configuresOrExecutes } from './path/configures-or-executes.ts';
import { credentials } from './path/credentials.ts';
import { environmentFiles } from './path/environment-files.ts';
import { outsideWorkspace } from './path/outside-workspace.ts';
import { ownFiles } from './path/own-files.ts';
import { specialFiles } from './path/special-files.ts';
import { everyCommand } from './shell/every-command.ts';
import { hardBlocks } from './shell/hard-blocks.ts';
import { restrictedMode } from './trust/restricted-mode.ts';

/** Every static guard. The order is of no meaning: all run, the strictest wins. */
export const GUARDS: readonly Guard[] = [
  configuresOrExecutes, credentials, environmentFiles, outsideWorkspace, ownFiles, specialFiles,
  everyCommand, hardBlocks,
  restrictedMode,
];
