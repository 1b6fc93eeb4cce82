import type { Guard } from '../core/chain/04-guard.ts';
import { pathGuard } from './path/guards.ts';
import { commandGuard } from './shell/guards.ts';

/** Every static guard. All run, whatever the order; the strictest answer wins. */
export const GUARDS: readonly Guard[] = [commandGuard, pathGuard];
