import * as vscode from 'vscode';
import { plainMessage } from '../surfaces/plain-message.ts';

const ANSWER = 'Answer…';
/** Buttons a toast can hold beside `Answer…`. */
const MOST_OPTIONS = 3;
const TOAST_LENGTH = 240;

interface Waiting {
  readonly question: string;
  readonly settle: (answer: string | undefined) => void;
}

/**
 * Clarifying questions of the agent. They are not approvals and cannot carry one: an answer is text for the model.
 * A question waits in the chat; a toast rings once. A message typed in the chat answers the oldest.
 */
export class Questions {
  readonly #waiting: Waiting[] = [];
  readonly #announce: (question: string, options: readonly string[]) => void;

  constructor(announce: (question: string, options: readonly string[]) => void) {
    this.#announce = announce;
  }

  /** Undefined when the task was stopped first. */
  ask(question: string, options: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
      const entry: Waiting = { question, settle: (answer) => { if (this.#remove(entry)) resolve(answer); } };
      this.#waiting.push(entry);
      signal.addEventListener('abort', () => entry.settle(undefined), { once: true });
      this.#announce(question, options);
      void this.#ring(entry, options);
    });
  }

  get waiting(): boolean {
    return this.#waiting.length > 0;
  }

  answerOldest(text: string): boolean {
    const [oldest] = this.#waiting;
    oldest?.settle(text);
    return oldest !== undefined;
  }

  dispose(): void {
    for (const entry of [...this.#waiting]) entry.settle(undefined);
  }

  #remove(entry: Waiting): boolean {
    const index = this.#waiting.indexOf(entry);
    if (index >= 0) this.#waiting.splice(index, 1);
    return index >= 0;
  }

  async #ring(entry: Waiting, options: readonly string[]): Promise<void> {
    const short = entry.question.length <= TOAST_LENGTH ? entry.question : `${entry.question.slice(0, TOAST_LENGTH)}…`;
    const buttons = options.length <= MOST_OPTIONS ? [...options, ANSWER] : [ANSWER];
    const chosen = await vscode.window.showInformationMessage(plainMessage(`The agent asks: ${short}`), ...buttons);
    if (chosen === undefined || !this.#waiting.includes(entry)) return;
    if (chosen !== ANSWER) {
      entry.settle(chosen);
      return;
    }
    const text = await vscode.window.showInputBox({ title: 'The agent asks', prompt: plainMessage(entry.question), ignoreFocusOut: true });
    if (text !== undefined) entry.settle(text);
  }
}
