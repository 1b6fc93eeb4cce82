/**
 * The host's side of the chat, without the editor: keeps the state, sends it to whichever view is there, and
 * turns the view's messages into calls. Of these only an answer with this view's token reaches the desk.
 */
import type { TaskEvent } from '../../core/agent/events.ts';
import type { ApprovalDesk, ApprovalRequest, Closing } from '../../core/approval/request.ts';
import { join } from './batch.ts';
import { MAX_EVENTS } from './bounds.ts';
import type { ChatEvent, ChatFacts, ChatState } from './items.ts';
import { parseFromView } from './protocol.ts';
import type { AnswerMessage, CommandName, FromView, ToView } from './protocol.ts';
import { viewOf } from './request-view.ts';
import { initialState, reduce } from './state.ts';

/** Shortest time between two messages to the view, in milliseconds: at most 30 a second. */
export const FLUSH_MS = 34;

/** What the view may ask for. None of these approves anything; none may throw. */
export interface ChatCommands {
  /** Starts a task, or queues a follow-up for the running one. */
  send(text: string): void;
  stop(): void;
  continueTask(): void;
  /** Brings the request to the front on a surface other than the chat. */
  openRequest(requestId: string): void;
  openDiff(requestId: string): void;
  openRecord(callId: string): void;
  /** An http or https address out of the agent's text: the host asks before it opens it. */
  openLink(url: string): void;
  /** A relative path out of the agent's text: the host checks that it lies in a folder. */
  openFile(path: string): void;
  runCommand(name: CommandName): void;
}

export interface ExchangeOptions {
  readonly desk: ApprovalDesk;
  readonly commands: ChatCommands;
  readonly facts: ChatFacts;
  /** Runs `work` once after `ms`; the result cancels it. */
  readonly later: (work: () => void, ms: number) => () => void;
}

/** One view instance: how to reach it, and the token only it was given. */
export interface Peer {
  readonly token: string;
  post(message: ToView): void;
}

export interface Exchange {
  readonly state: () => ChatState;
  onEvent(event: TaskEvent): void;
  setFacts(facts: ChatFacts): void;
  opened(request: ApprovalRequest): void;
  closed(requestId: string, how: Closing): void;
  /** A message from `peer`, whatever it is. Never throws. */
  receive(peer: Peer, message: unknown): void;
  /** The view is gone or hidden: nothing is sent until one says `ready`. */
  detach(peer: Peer): void;
  dispose(): void;
}

export function createExchange({ desk, commands, facts, later }: ExchangeOptions): Exchange {
  let state = desk.pending().reduce((before, request) => reduce(before, { type: 'opened', request: viewOf(request) }), initialState(facts));
  let revision = 0;
  let sent = 0;
  let peer: Peer | undefined;
  let batch: ChatEvent[] = [];
  let cancel: (() => void) | undefined;

  const forget = (): void => {
    cancel?.();
    cancel = undefined;
    batch = [];
  };
  const replace = (): void => {
    forget();
    sent = revision;
    peer?.post({ type: 'replace', revision, state });
  };
  const flush = (): void => {
    cancel = undefined;
    if (peer === undefined || batch.length === 0) return;
    if (batch.length > MAX_EVENTS) return replace();
    const message: ToView = { type: 'events', from: sent, to: revision, events: batch };
    batch = [];
    sent = revision;
    peer.post(message);
  };
  const apply = (event: ChatEvent): void => {
    state = reduce(state, event);
    revision += 1;
    if (peer === undefined) return;
    // Past the limit the state itself is sent, so the rest of the burst need not be kept.
    if (batch.length <= MAX_EVENTS) join(batch, event);
    cancel ??= later(flush, FLUSH_MS);
  };
  const answer = (from: Peer, message: AnswerMessage): void => {
    const { requestId, fingerprint, choice, scope, reason, token } = message;
    const request = desk.pending().find((waiting) => waiting.id === requestId);
    const covered = request?.card.choices.some((offered) => offered.scope === scope) ?? true;
    if (token !== from.token || (choice === 'approve' && !covered)) return commands.openRequest(requestId);
    const receipt = desk.answer({
      requestId, fingerprint, choice, scope, reason: reason?.trim() === '' ? undefined : reason, edits: undefined, surface: 'chat',
    });
    apply({ type: 'receipt', requestId, receipt });
  };
  const act = (from: Peer, message: FromView): void => {
    switch (message.type) {
      case 'ready': peer = from; return replace();
      case 'answer': return answer(from, message);
      case 'pick_starter': {
        const starter = state.facts.starters.find(({ id }) => id === message.id);
        return starter === undefined ? undefined : commands.send(starter.prompt);
      }
      default: return start(commands, message);
    }
  };

  return {
    state: () => state,
    onEvent: (event) => apply({ type: 'task', event }),
    setFacts: (next) => apply({ type: 'facts', facts: next }),
    opened: (request) => apply({ type: 'opened', request: viewOf(request) }),
    closed: (requestId, how) => apply({ type: 'closed', requestId, how }),
    receive: (from, message) => {
      const parsed = parseFromView(message);
      if (parsed !== undefined) act(from, parsed);
    },
    detach: (gone) => {
      if (peer !== gone) return;
      peer = undefined;
      forget();
    },
    dispose: () => {
      peer = undefined;
      forget();
    },
  };
}

function start(commands: ChatCommands, message: Exclude<FromView, { type: 'ready' | 'answer' | 'pick_starter' }>): void {
  switch (message.type) {
    case 'send': return commands.send(message.text);
    case 'stop': return commands.stop();
    case 'continue': return commands.continueTask();
    case 'open_request': return commands.openRequest(message.requestId);
    case 'open_diff': return commands.openDiff(message.requestId);
    case 'open_record': return commands.openRecord(message.callId);
    case 'open_link': return commands.openLink(message.url);
    case 'open_file': return commands.openFile(message.path);
    case 'command': return commands.runCommand(message.name);
  }
}
