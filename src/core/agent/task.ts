import type { Actor, Call } from '../call.ts';
import { buildRequest } from '../approval/build.ts';
import type { SessionGrants } from '../approval/grants.ts';
import { auditTrouble, runCall, type ChainParts } from '../chain/chain.ts';
import { CallBudget, DenialMemory, type Settled } from '../chain/all-stages.ts';
import type { Policy } from '../policy/layers.ts';
import { filterToolsByPolicy } from '../policy/profiles.ts';
import type { Refusal } from '../refusal.ts';
import type { TaskEvent } from './events.ts';
import { runLoop, type LoopEnd } from './loop.ts';
import type { ModelSource } from './model.ts';
import { systemPrompt, toolPrompts } from './prompt.ts';
import type { SessionParts, TaskRecord } from './session-parts.ts';
import { Transcript } from './transcript.ts';

/** Most calls of one task, whatever its steps. */
const CALLS_PER_TASK = 1_000;
const MAX_COMMAND_SECONDS = 3_600;

/** One task: a history and a loop that can run, stop and go on. */
export class Task {
  readonly actor: Actor;
  readonly title: string;
  readonly #parts: SessionParts;
  readonly #grants: SessionGrants;
  readonly #record: TaskRecord;
  readonly #transcript: Transcript;
  readonly #denials = new DenialMemory();
  readonly #budget = new CallBudget(CALLS_PER_TASK);
  #queued: string[] = [];
  #policyVersion: string | undefined;
  #running: AbortController | undefined;

  constructor(parts: SessionParts, grants: SessionGrants, record: TaskRecord) {
    this.#parts = parts;
    this.#grants = grants;
    this.#record = record;
    this.actor = { session: parts.session, task: record.id, channel: record.channel };
    this.title = record.title;
    this.#transcript = new Transcript(record.messages);
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** What the person typed: joins the history before the next request. */
  queue(text: string): void {
    this.#queued.push(text);
    this.#emit({ task: this.actor.task, type: 'queued', texts: [...this.#queued] });
  }

  /** Whether something typed has not joined the history yet. */
  get hasQueued(): boolean {
    return this.#queued.length > 0;
  }

  /** Ends at once: the stream, the prompts and the processes of this task. Nothing is denied by it. */
  stop(): void {
    this.#running?.abort(new DOMException('The task was stopped.', 'AbortError'));
  }

  /** Runs until the model is done, a bound is reached or `stop`. Never rejects. One run at a time. */
  async run(source: ModelSource): Promise<LoopEnd> {
    if (this.#running !== undefined) throw new Error('the task runs already');
    const controller = new AbortController();
    this.#running = controller;
    const end = await this.#loop(source, controller.signal).catch((error: unknown): LoopEnd => ({ how: 'failed', text: wordsOf(error) }));
    this.#transcript.closeOpenCalls(() => fateAt(end.how));
    await this.#save(end.how).catch(() => undefined);
    await this.#parts.audit.append({ kind: 'task_end', task: this.actor.task, how: end.how }).catch(() => undefined);
    this.#running = undefined;
    this.#emit({ task: this.actor.task, type: 'task_ended', ...end });
    return end;
  }

  async #loop(source: ModelSource, signal: AbortSignal): Promise<LoopEnd> {
    const policy = this.#parts.policy();
    const { audit, sha256, clock } = this.#parts;
    const { task, channel } = this.actor;
    this.#emit({ task, type: 'task_started', title: this.title, model: source.label, notice: source.notice, profile: policy.settings.profile });
    await audit.append({
      kind: 'task', task, channel, model: source.label, profile: policy.settings.profile, policyVersion: policy.version, consent: consentOf(policy),
      promptDigest: `sha256:${sha256(promptOf(this.#record))}`,
    }).catch((error: unknown) => { throw new Error(auditTrouble(wordsOf(error)), { cause: error }); });
    this.#policyVersion = policy.version;
    const facts = { folders: this.#parts.surroundings.folders(), platform: this.#parts.surroundings.platform, trusted: policy.trusted };
    return runLoop({
      source, transcript: this.#transcript, actor: this.actor, system: systemPrompt(facts), clock, emit: this.#emit, maxSteps: policy.settings.maxSteps,
      tools: () => toolPrompts(filterToolsByPolicy(this.#parts.tools, { policy: this.#parts.policy(), channel })),
      settleCall: (call, agentSays, skip) => this.#settle(call, agentSays, signal, skip),
      takeQueued: () => this.#takeQueued(),
      save: () => this.#save('running').catch((error: unknown) => { throw new Error(`The task could not be kept: ${wordsOf(error)}. Nothing more runs in it until it can be; free space, then continue.`, { cause: error }); }),
    }, signal);
  }

  /** A view that throws has shown nothing; it decides nothing and ends nothing. */
  readonly #emit = (event: TaskEvent): void => {
    try {
      this.#parts.emit(event);
    } catch {
      // Truth is in the history and the audit.
    }
  };

  #takeQueued(): readonly string[] {
    const texts = this.#queued;
    this.#queued = [];
    if (texts.length > 0) this.#emit({ task: this.actor.task, type: 'queued', texts: [] });
    return texts;
  }

  #save(end: TaskRecord['end']): Promise<void> {
    return this.#parts.save({ ...this.#record, messages: this.#transcript.snapshot(), end });
  }

  async #settle(call: Call, agentSays: string | undefined, signal: AbortSignal, skip: Refusal | undefined): Promise<Settled> {
    const policy = this.#parts.policy();
    if (policy.version !== this.#policyVersion) {
      const recorded = this.#parts.audit.append({ kind: 'policy', task: this.actor.task, policyVersion: policy.version, consent: consentOf(policy) });
      await recorded.then(() => { this.#policyVersion = policy.version; }, () => undefined);
    }
    return runCall({ stage: 'proposed', call, actor: this.actor, agentSays }, this.#chainParts(policy), signal, skip);
  }

  #chainParts(policy: Policy): ChainParts {
    const { parts, task } = { parts: this.#parts, task: this.actor.task };
    const { home, platform, placeName } = parts.surroundings;
    return {
      tools: parts.tools, guards: parts.guards, guardContext: { policy, home, platform },
      resolveContext: {
        reading: parts.reading, commands: parts.commands,
        defaults: { commandTimeoutMs: policy.settings.commandTimeoutSeconds * 1_000, maxCommandTimeoutMs: MAX_COMMAND_SECONDS * 1_000 },
      },
      gate: { grants: this.#grants, denials: this.#denials, broker: parts.broker, sha256: parts.sha256 },
      buildRequest: (rated, standing) => buildRequest(rated, {
        id: parts.ids.next('ask'), now: parts.clock.now(), expiryMs: policy.settings.approvalExpiryMinutes * 60_000,
        taskTitle: this.title, standing, placeName,
      }),
      sandbox: () => parts.runner.status(),
      execution: parts.execution, budget: this.#budget, audit: parts.audit, redact: parts.redact, clock: parts.clock,
      report: (view) => this.#emit({ task, type: 'call', view }),
      onOutput: (callId, text) => this.#emit({ task, type: 'output', callId, text }),
    };
  }
}

function promptOf({ messages }: TaskRecord): string {
  return messages.find((message) => message.role === 'user')?.text ?? '';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown error';
}

/** Said for a call that the loop left open. Only a stop is told as a stop. */
function fateAt(how: LoopEnd['how']): string {
  if (how === 'stopped') return 'Cancelled: the person stopped the task. Nothing ran.';
  return 'No result: the task ended with an error. If this call had started, it may have had effects; look before trying again.';
}

/** Only while it is in force. */
function consentOf({ consented, consentKey }: Policy): string | undefined {
  return consented ? consentKey : undefined;
}
