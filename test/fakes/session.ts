/**
 * A world in memory for the real `Session`: files, clock, ids, audit, runner, surface and model are fakes; the chain,
 * the loop, the broker, the guards, the tools and the policy are the real ones.
 */
import { createHash } from 'node:crypto';
import type { TaskEvent } from '../../src/core/agent/events.ts';
import { ModelError, type ModelDelta, type ModelReply, type ModelRequest, type ModelSource } from '../../src/core/agent/model.ts';
import { Session } from '../../src/core/agent/session.ts';
import type { SessionParts, TaskRecord } from '../../src/core/agent/session-parts.ts';
import type { Task } from '../../src/core/agent/task.ts';
import { ApprovalBroker } from '../../src/core/approval/broker.ts';
import type { Answer, ApprovalRequest, ApprovalSurface, Closing, Receipt } from '../../src/core/approval/request.ts';
import type { AuditEntry, AuditLog, DecisionEntry, ResultEntry } from '../../src/core/audit/record.ts';
import { createRedactor } from '../../src/core/audit/redact.ts';
import type { Call, CommandResource } from '../../src/core/call.ts';
import type { ExecutionHooks } from '../../src/core/chain/09-execute.ts';
import type { Granted } from '../../src/core/chain/grant.ts';
import { mergeLayers, type Layer, type Policy } from '../../src/core/policy/layers.ts';
import type { Clock, CommandResult, CommandRunner, Effects, RunOptions } from '../../src/core/ports.ts';
import { GUARDS } from '../../src/guards/index.ts';
import { TOOLS } from '../../src/tools/index.ts';
import { pairingFault } from './pairing.ts';
import { shellAnalysis } from './shell-analysis.ts';
import { createWorld, type World } from './reading.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Time stands still until `advance`. `open` counts the timers that nobody has ended. */
export class HandClock implements Clock {
  #now = 1_000;
  readonly #timers = new Set<{ readonly at: number; readonly fire: () => void }>();
  get open(): number {
    return this.#timers.size;
  }
  now(): number {
    return this.#now;
  }
  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => { this.#timers.delete(timer); reject(signal.reason as Error); };
      const timer = { at: this.#now + ms, fire: () => { signal.removeEventListener('abort', stop); resolve(); } };
      if (signal.aborted) return reject(signal.reason as Error);
      this.#timers.add(timer);
      signal.addEventListener('abort', stop, { once: true });
    });
  }
  /** Fires what is due, earliest first. */
  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)) {
      this.#timers.delete(timer);
      timer.fire();
    }
  }
}

/** Keeps every entry; `refuse` decides which appends fail. */
export class RecordingAudit implements AuditLog {
  readonly entries: AuditEntry[] = [];
  refuse: (entry: AuditEntry) => boolean = () => false;
  append(entry: AuditEntry): Promise<void> {
    if (this.refuse(entry)) return Promise.reject(new Error('no space left'));
    this.entries.push(structuredClone(entry));
    return Promise.resolve();
  }
  decisions(): readonly DecisionEntry[] {
    return this.entries.filter((entry) => entry.kind === 'decision');
  }
  results(): readonly ResultEntry[] {
    return this.entries.filter((entry) => entry.kind === 'result');
  }
  /** `allow`, or the code of the refusal, decision by decision. */
  outcomes(): readonly string[] {
    return this.decisions().map(({ decision, code }) => (decision === 'allow' ? 'allow' : code ?? 'deny'));
  }
}

export class RecordingRunner implements CommandRunner {
  readonly runs: { readonly command: CommandResource; readonly confined: boolean }[] = [];
  available = true;
  /** What a command does while it runs. */
  behave: (command: CommandResource, options: RunOptions) => Partial<CommandResult> | Promise<Partial<CommandResult>> = () => ({});
  status(): ReturnType<CommandRunner['status']> {
    return Promise.resolve({ available: this.available, detail: this.available ? 'confined' : 'bubblewrap is missing', fix: undefined });
  }
  async run(command: CommandResource, options: RunOptions): Promise<CommandResult> {
    this.runs.push({ command, confined: options.confined });
    const done = await this.behave(command, options);
    return { end: 'exited', exitCode: 0, signal: undefined, output: '', droppedBytes: 0, durationMs: 5, confined: options.confined, note: undefined, ...done };
  }
  dispose(): Promise<void> {
    return Promise.resolve();
  }
}

/** What the person does with the n-th request (from 0). Undefined: nothing, it stays open. */
export type Script = (request: ApprovalRequest, n: number) => Response | Promise<Response>;
export type Response = 'approve' | 'deny' | Partial<Answer> | undefined;

export class RecordingSurface implements ApprovalSurface {
  readonly id = 'tree';
  readonly opened: ApprovalRequest[] = [];
  readonly closed: (readonly [id: string, how: Closing])[] = [];
  readonly receipts: Receipt[] = [];
  script: Script = () => undefined;
  answer: (answer: Answer) => Receipt = () => 'unknown_request';

  open(request: ApprovalRequest): void {
    const n = this.opened.push(request) - 1;
    void Promise.resolve(this.script(request, n)).then((response) => {
      if (response !== undefined) this.press(request, response);
    });
  }
  close(id: string, how: Closing): void {
    this.closed.push([id, how]);
  }
  press(request: ApprovalRequest, response: NonNullable<Response>): Receipt {
    const over = typeof response === 'string' ? { choice: response } : response;
    const receipt = this.answer({
      requestId: request.id, fingerprint: request.fingerprint, choice: 'approve', scope: 'once', reason: undefined, edits: undefined, surface: this.id, ...over,
    });
    this.receipts.push(receipt);
    return receipt;
  }
}

export type Turn = ModelReply | Error;
/** The n-th request (from 0) and what the model answers; a delta may be sent before. */
export type Play = (request: ModelRequest, n: number, onDelta: (delta: ModelDelta) => void, signal: AbortSignal) => Turn | Promise<Turn>;

/** Plays its turns, the last one for ever. Like a strict provider it refuses a history whose calls and results do not pair. */
export class ScriptedSource implements ModelSource {
  readonly id = 'scripted';
  readonly label = 'scripted';
  readonly notice = undefined;
  readonly requests: ModelRequest[] = [];
  readonly #play: Play;
  constructor(turns: readonly Turn[] | Play) {
    this.#play = typeof turns === 'function' ? turns : (_request, n) => turns[Math.min(n, turns.length - 1)]!;
  }
  async respond(request: ModelRequest, onDelta: (delta: ModelDelta) => void, signal: AbortSignal): Promise<ModelReply> {
    const n = this.requests.push(structuredClone(request)) - 1;
    const fault = pairingFault(request.messages);
    if (fault !== undefined) throw new ModelError('bad_request', fault);
    const turn = await this.#play(request, n, onDelta, signal);
    if (turn instanceof Error) throw turn;
    return turn;
  }
  /** What the model read as the result of a call, in the last request. */
  result(callId: string): string | undefined {
    const found = this.requests.at(-1)?.messages.filter((message) => message.role === 'tool' && message.callId === callId) ?? [];
    if (found.length > 1) throw new Error(`${callId} has ${found.length} results`);
    return found[0]?.role === 'tool' ? found[0].text : undefined;
  }
}

export function say(text: string): ModelReply {
  return { text, reasoning: undefined, calls: [], finishReason: 'stop', usage: undefined, model: 'scripted', responseId: undefined };
}

export function toolCall(tool: string, args: unknown, over: Partial<Call> = {}): Call {
  return { id: 'c1', tool, argumentsText: typeof args === 'string' ? args : JSON.stringify(args), complete: true, finishReason: 'tool_calls', ...over };
}

export function propose(...calls: readonly Call[]): ModelReply {
  return { ...say(''), calls, finishReason: 'tool_calls' };
}

export interface SessionOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** User settings by key, without `sluice.`. */
  readonly settings?: Layer['values'];
  readonly trusted?: boolean;
  readonly sandbox?: boolean;
  readonly script?: Script;
  readonly over?: Partial<SessionParts>;
  readonly effects?: Partial<Effects>;
}

export interface SessionWorld {
  readonly session: Session;
  readonly parts: SessionParts;
  readonly files: World['files'];
  readonly world: World;
  readonly clock: HandClock;
  readonly audit: RecordingAudit;
  readonly runner: RecordingRunner;
  readonly surface: RecordingSurface;
  readonly broker: ApprovalBroker;
  readonly events: TaskEvent[];
  readonly saved: TaskRecord[];
  /** Grants that were opened for execution, in order. */
  readonly executed: Granted[];
  text(path: string): string | undefined;
  setPolicy(settings: Layer['values'], trusted?: boolean): void;
  /** A new task on the editor's channel, run to its end. */
  play(turns: readonly Turn[] | Play, prompt?: string): Promise<Played>;
}

export interface Played {
  readonly task: Task;
  readonly source: ScriptedSource;
  readonly how: string;
  readonly text: string | undefined;
}

/** Every command asks unless `settings` says otherwise: most tests are about asking. */
export function policyOf(settings: Layer['values'] = {}, trusted = true): Policy {
  return mergeLayers([{ name: 'user', values: { 'approval.commands': 'ask', ...settings } }], trusted, sha256);
}

export function createSession(options: SessionOptions = {}): SessionWorld {
  const world = createWorld({ files: options.files ?? {} });
  const [clock, audit, runner, surface] = [new HandClock(), new RecordingAudit(), new RecordingRunner(), new RecordingSurface()];
  const broker = new ApprovalBroker(clock, { save: () => Promise.resolve() });
  const [events, saved, executed]: [TaskEvent[], TaskRecord[], Granted[]] = [[], [], []];
  runner.available = options.sandbox ?? true;
  surface.script = options.script ?? (() => undefined);
  surface.answer = (answer) => broker.answer(answer);
  broker.addSurface(surface);
  let policy = policyOf(options.settings, options.trusted);
  let ids = 0;
  const open = (granted: Granted, hooks: ExecutionHooks): Effects => {
    executed.push(granted);
    const run: Effects['runCommand'] = (command) => runner.run(command, {
      confined: granted.rated.elevated.confinement !== 'unconfined', writable: ['/w'], outputLimitBytes: 32_768, onOutput: hooks.onOutput, signal: hooks.signal,
    });
    return { ...world.effects, runCommand: run, ...options.effects };
  };
  const parts: SessionParts = {
    session: 's', tools: TOOLS, guards: GUARDS, policy: () => policy, reading: world.reading, commands: shellAnalysis, runner, broker, audit, clock, sha256, execution: { open },
    surroundings: { home: '/home/person', platform: 'linux', folders: () => ['/w'], placeName: 'w' },
    redact: createRedactor(() => []), ids: { next: (prefix) => `${prefix}-${(ids += 1)}` },
    emit: (event) => events.push(event), save: async (record) => { saved.push(structuredClone(record)); }, ...options.over,
  };
  const session = new Session(parts);
  return {
    session, parts, world, files: world.files, clock, audit, runner, surface, broker, events, saved, executed,
    text: (path) => world.files.get(path.startsWith('/') ? path : `/w/${path}`)?.toString('utf8'),
    setPolicy: (settings, trusted) => { policy = policyOf(settings, trusted); },
    play: async (turns, prompt = 'Do it') => {
      const source = new ScriptedSource(turns);
      const task = session.create(prompt, 'editor');
      return { task, source, ...(await task.run(source)) };
    },
  };
}

/** Lets everything that needs neither the hand clock nor an answer go on until `holds`; what loads from the disk gets real time. */
export async function until(holds: () => boolean, what = 'the awaited state'): Promise<void> {
  for (let turn = 0; turn < 5_000; turn += 1) {
    if (holds()) return;
    await new Promise<void>((resolve) => { if (turn < 500) setImmediate(resolve); else setTimeout(resolve, 2); });
  }
  throw new Error(`${what} was not reached`);
}
