/** The ten stages in order, for the fold. */
export { checkVisibility } from './01-visibility.ts';
export { parseArguments } from './02-schema.ts';
export { resolveCall, seal } from './03-resolve.ts';
export { evaluateToolCall, guardCall, type Guard, type GuardContext } from './04-guard.ts';
export { elevateCall } from './05-elevate.ts';
export { rateCall } from './06-risk.ts';
export { passGate, DenialMemory, type GateParts } from './07-gate.ts';
export { lease, CallBudget, type Leased } from './08-lease.ts';
export { executeCall, type Execution } from './09-execute.ts';
export { settleRefusal, settleResult, type Settled } from './10-settle.ts';
export type { Resolved } from './stages.ts';
export type { Decider } from './grant.ts';
export type { ResolveContext } from '../tool.ts';
