/** A session for the bench: real chain, guards, tools and policy over files in memory, and nobody to ask. */
import { ApprovalBroker } from '../../src/core/approval/broker.ts';
import { SessionGrants } from '../../src/core/approval/grants.ts';
import type { TaskEvent } from '../../src/core/agent/events.ts';
import type { SessionParts } from '../../src/core/agent/session-parts.ts';
import type { AuditLog } from '../../src/core/audit/record.ts';
import { createRedactor } from '../../src/core/audit/redact.ts';
import { CallBudget, DenialMemory } from '../../src/core/chain/all-stages.ts';
import type { ChainParts } from '../../src/core/chain/chain.ts';
import { mergeLayers, type Policy } from '../../src/core/policy/layers.ts';
import type { CommandRunner } from '../../src/core/ports.ts';
import { GUARDS } from '../../src/guards/index.ts';
import { randomIds, sha256, systemClock } from '../../src/host/system.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { createWorld, DEFAULTS, type World } from '../fakes/reading.ts';
import { shellAnalysis } from '../fakes/shell-analysis.ts';

export const defaultPolicy: Policy = mergeLayers([], true, sha256);

export const discard: AuditLog = { append: () => Promise.resolve() };

/** A file of a size that agents often read: 200 lines, 8 KB. */
export function smallWorld(): World {
  return createWorld({ files: { 'src/date.js': 'export const dayInMilliseconds = 86400000;\n'.repeat(200) } });
}

const surroundings = { home: '/home/person', platform: 'linux' } as const;

export function chainParts(world: World, audit: AuditLog): ChainParts {
  return {
    tools: TOOLS, guards: GUARDS, guardContext: { policy: defaultPolicy, ...surroundings },
    resolveContext: { reading: world.reading, commands: shellAnalysis, defaults: DEFAULTS },
    gate: { grants: new SessionGrants(), denials: new DenialMemory(), broker: new ApprovalBroker(systemClock, { save: () => Promise.resolve() }), sha256 },
    buildRequest: () => { throw new Error('the bench makes no call that asks'); },
    sandbox: () => Promise.resolve({ available: true, detail: 'not checked', fix: undefined }),
    execution: { open: () => world.effects }, budget: new CallBudget(1_000_000), audit, redact: createRedactor(() => []), clock: systemClock,
    report: () => undefined, onOutput: () => undefined,
  };
}

export function sessionParts(world: World, audit: AuditLog, emit: (event: TaskEvent) => void): SessionParts {
  const runner: CommandRunner = {
    status: () => Promise.resolve({ available: true, detail: 'not checked', fix: undefined }),
    run: () => Promise.reject(new Error('the bench runs no command here')), dispose: () => Promise.resolve(),
  };
  return {
    session: 'bench', tools: TOOLS, guards: GUARDS, policy: () => defaultPolicy,
    surroundings: { ...surroundings, folders: () => ['/w'], placeName: 'w' }, reading: world.reading, runner, execution: { open: () => world.effects },
    broker: new ApprovalBroker(systemClock, { save: () => Promise.resolve() }), audit, redact: createRedactor(() => []), sha256, clock: systemClock,
    ids: randomIds, emit, save: () => Promise.resolve(),
  };
}
