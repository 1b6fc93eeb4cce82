import type { Call } from '../call.ts';
import type { ModelMessage } from './model.ts';

/** Most characters of a call's id, before a number that makes it unique. */
const ID_LIMIT = 100;

/**
 * The history of one task. Whatever happened, `messages()` pairs every call with exactly one result, directly
 * after the message that made it: strict providers refuse anything else.
 */
export class Transcript {
  readonly #messages: ModelMessage[] = [];
  readonly #usedIds = new Set<string>();
  readonly #answered = new Set<string>();

  /** Takes a history message by message: in a damaged one a result without its call, or a second one, is left out. */
  constructor(messages: readonly ModelMessage[] = []) {
    for (const message of messages) {
      if (message.role === 'user') this.addUser(message.text);
      else if (message.role === 'assistant') this.addAssistant(message.text, message.calls, message.reasoning);
      else if (this.#usedIds.has(message.callId) && !this.#answered.has(message.callId)) this.addResult(message.callId, message.text);
    }
  }

  addUser(text: string): void {
    this.#messages.push({ role: 'user', text });
  }

  /**
   * Adds the model's message and gives back its calls, with an id of their own each: a provider that repeats
   * an id makes a new call, never a second result for an old one. Ids end in addresses, records and logs, so only
   * letters, digits, `-` and `_` stay; the model reads the same ids back.
   */
  addAssistant(text: string, calls: readonly Call[], reasoning: string | undefined): readonly Call[] {
    const own = calls.map((call) => ({ ...call, id: this.#freshId(call.id) }));
    this.#messages.push({ role: 'assistant', text, calls: own, reasoning });
    return own;
  }

  addResult(callId: string, text: string): void {
    if (this.#answered.has(callId)) throw new Error(`the call ${callId} has a result already`);
    this.#answered.add(callId);
    this.#messages.push({ role: 'tool', callId, text });
  }

  /** Gives every call without a result one, so that the history is whole again after a stop or a crash. */
  closeOpenCalls(resultFor: (call: Call) => string): void {
    for (const call of this.openCalls()) this.addResult(call.id, resultFor(call));
  }

  openCalls(): readonly Call[] {
    return this.#messages.flatMap((message) => (message.role === 'assistant' ? message.calls : [])).filter((call) => !this.#answered.has(call.id));
  }

  /** As it is, open calls included: what a restart needs to know which calls never got a result. */
  snapshot(): readonly ModelMessage[] {
    return [...this.#messages];
  }

  /** For a request: a copy with each result moved directly behind its call's message. */
  messages(): readonly ModelMessage[] {
    const results = new Map(this.#messages.flatMap((message) => (message.role === 'tool' ? [[message.callId, message] as const] : [])));
    return this.#messages.flatMap((message): ModelMessage[] => {
      if (message.role === 'tool') return [];
      if (message.role === 'user') return [message];
      const paired = message.calls.map((call): ModelMessage => results.get(call.id) ?? { role: 'tool', callId: call.id, text: 'No result: the task stopped before this call was decided. Nothing ran.' });
      return [message, ...paired];
    });
  }

  #freshId(id: string): string {
    const plain = id.replaceAll(/[^\w-]/g, '_').slice(0, ID_LIMIT) || 'call';
    let fresh = plain;
    for (let n = 2; this.#usedIds.has(fresh); n += 1) fresh = `${plain}_${n}`;
    this.#usedIds.add(fresh);
    return fresh;
  }
}
