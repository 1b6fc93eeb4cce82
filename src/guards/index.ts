import type { Guard } from '../core/chain/04-guard.ts';
import { networkGuard } from './network/guard.ts';
import { pathGuard } from './path/guards.ts';
import { specialFiles } from './path/special-files.ts';
import { everyCommand } from './shell/every-command.ts';
import { commandGuard } from './shell/guards.ts';
import { restrictedMode } from './trust/restricted-mode.ts';

/** Every static guard. All run, whatever the order; the strictest answer wins. */
export const GUARDS: readonly Guard[] = [commandGuard, pathGuard, networkGuard, everyCommand, specialFiles, restrictedMode];
