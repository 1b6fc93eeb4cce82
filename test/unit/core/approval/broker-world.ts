import { getEventListeners } from 'node:events';
import { ApprovalBroker, type Outcome } from '../../../../src/core/approval/broker.ts';
import type { Answer, ApprovalRequest, ApprovalSurface, Closing } from '../../../../src/core/approval/request.ts';
import type { Clock } from '../../../../src/core/ports.ts';

const START = 1_000;

export function request(id: string, fingerprint = `fp-${id}`, over: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id, fingerprint, session: 's', task: 't', taskTitle: 'A task', callId: `call-${id}`, tool: 'run_command', risk: 'exec', confinement: 'sandboxed',
    patternKey: 'command_review', argumentsText: '{}', changes: [], createdAt: START, expiresAt: START + 60_000,
    card: {
      verb: 'Run a command', target: 'npm test', form: 'command', where: 'in sample', touches: [], why: 'it asks', rule: 'command_review',
      agentSays: undefined, banner: undefined, hiddenCharacters: false, choices: [{ scope: 'once', covers: 'once' }],
    },
    ...over,
  };
}

export function answer(id: string, choice: Answer['choice'], over: Partial<Answer> = {}): Answer {
  return { requestId: id, fingerprint: `fp-${id}`, choice, scope: 'once', reason: undefined, edits: undefined, surface: 'tree', ...over };
}

/** A clock whose timers fire by hand; `timers` are the live ones by their length in milliseconds. */
export class HandClock implements Clock {
  time = START;
  readonly timers = new Map<number, () => void>();
  now(): number {
    return this.time;
  }
  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new Error('aborted'));
      this.timers.set(ms, () => { this.timers.delete(ms); resolve(); });
      signal.addEventListener('abort', () => { this.timers.delete(ms); reject(new Error('aborted')); }, { once: true });
    });
  }
}

/** Remembers what is open on it; opening twice or closing by another end is visible. */
export class Glass implements ApprovalSurface {
  readonly id = 'tree';
  readonly open_ = new Set<string>();
  readonly log: string[] = [];
  open(opened: ApprovalRequest): void {
    this.log.push(`open ${opened.id}`);
    this.open_.add(opened.id);
  }
  close(id: string, how: Closing): void {
    this.log.push(`close ${id} ${how}`);
    this.open_.delete(id);
  }
}

/** Throws at everything. */
export const brokenSurface: ApprovalSurface = {
  id: 'chat',
  open: () => { throw new Error('no window'); },
  close: () => { throw new Error('no window'); },
};

export interface Asked {
  readonly request: ApprovalRequest;
  readonly controller: AbortController;
  readonly outcomes: Outcome[];
  readonly errors: unknown[];
}

export interface BrokerWorld {
  readonly broker: ApprovalBroker;
  readonly clock: HandClock;
  readonly glass: Glass;
  /** Ids in each save, oldest save first. */
  readonly saved: (readonly string[])[];
  ask(asked: ApprovalRequest): Asked;
}

export function brokerWorld(save: (pending: readonly ApprovalRequest[]) => Promise<void> = () => Promise.resolve()): BrokerWorld {
  const clock = new HandClock();
  const glass = new Glass();
  const saved: (readonly string[])[] = [];
  const broker = new ApprovalBroker(clock, {
    save: (pending) => {
      saved.push(pending.map(({ id }) => id));
      return save(pending);
    },
  });
  broker.addSurface(brokenSurface);
  broker.addSurface(glass);
  return {
    broker, clock, glass, saved,
    ask(asked) {
      const one: Asked = { request: asked, controller: new AbortController(), outcomes: [], errors: [] };
      broker.ask(asked, one.controller.signal).then((outcome) => one.outcomes.push(outcome), (error: unknown) => one.errors.push(error));
      return one;
    },
  };
}

export function listenersOf({ controller }: Asked): number {
  return getEventListeners(controller.signal, 'abort').length;
}

/** Lets everything that can go on without a timer or an answer go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
}
