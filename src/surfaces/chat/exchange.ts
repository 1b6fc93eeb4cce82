/**
 * The host's side of the chat, without the editor: keeps the state, sends it to whichever view is there, and
 * turns the view's messages into calls. Of these only an answer with this view's token reaches the desk.
 */
import type { TaskEvent } from '../../core/agent/events.ts';
import type { ApprovalDesk, ApprovalRequest, Closing } from '../../core/approval/request.ts';
import type { ChatEvent, ChatFacts, ChatState } from './items.ts';
import { createOutbox } from './outbox.ts';
import type { Later, Peer } from './outbox.ts';
import { parseFromView } from './protocol.ts';
import type { AnswerMessage, CommandName, FromView } from './protocol.ts';
import { viewOf } from './request-view.ts';
import { initialState, reduce } from './state.ts';

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
  readonly later: Later;
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
  const waiting = desk.pending().map((request): ChatEvent => ({ type: 'opened', request: viewOf(request) }));
  const outbox = createOutbox(waiting.reduce(reduce, initialState(facts)), later);

  const answer = (from: Peer, message: AnswerMessage): void => {
    const { requestId, fingerprint, choice, scope, reason, token } = message;
    const request = desk.pending().find((pending) => pending.id === requestId);
    const covered = request?.card.choices.some((offered) => offered.scope === scope) ?? true;
    if (token !== from.token || (choice === 'approve' && !covered)) return commands.openRequest(requestId);
    const receipt = desk.answer({
      requestId, fingerprint, choice, scope, reason: reason?.trim() === '' ? undefined : reason, edits: undefined, surface: 'chat',
    });
    outbox.apply({ type: 'receipt', requestId, receipt });
  };
  const pick = (id: string): void => {
    const starter = outbox.state().facts.starters.find((known) => known.id === id);
    if (starter !== undefined) commands.send(starter.prompt);
  };
  const act = (from: Peer, message: FromView): void => {
    switch (message.type) {
      case 'ready': return outbox.attach(from);
      case 'answer': return answer(from, message);
      case 'pick_starter': return pick(message.id);
      default: return start(commands, message);
    }
  };

  return {
    state: outbox.state,
    onEvent: (event) => outbox.apply({ type: 'task', event }),
    setFacts: (next) => outbox.apply({ type: 'facts', facts: next }),
    opened: (request) => outbox.apply({ type: 'opened', request: viewOf(request) }),
    closed: (requestId, how) => outbox.apply({ type: 'closed', requestId, how }),
    receive: (from, message) => {
      const parsed = parseFromView(message);
      if (parsed !== undefined) act(from, parsed);
    },
    detach: outbox.detach,
    dispose: outbox.dispose,
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
