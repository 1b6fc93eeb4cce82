/** Made-up requests, facts and events for the chat's tests. */
import type { CallView, TaskEvent } from '../../../../src/core/agent/events.ts';
import type { Answer, ApprovalDesk, ApprovalRequest, Card, Receipt } from '../../../../src/core/approval/request.ts';
import type { FileChange } from '../../../../src/core/call.ts';
import type { ChatCommands } from '../../../../src/surfaces/chat/exchange.ts';
import type { ChatFacts } from '../../../../src/surfaces/chat/items.ts';

export const facts: ChatFacts = {
  model: { label: 'Rehearsal', connected: false },
  notice: 'rehearsal: a prepared session, no model',
  profile: 'coding',
  sandbox: { available: true, detail: 'Commands run confined: this folder is writable, the network is closed.', fix: undefined },
  restricted: false,
  starters: [
    { id: 'problems', label: 'Fix the problems in this file', detail: 'date.ts has 2 problems', prompt: 'Fix the problems in src/date.ts.' },
    { id: 'tests', label: 'Make the failing tests pass', detail: '1 test fails', prompt: 'Make the failing tests pass.' },
    { id: 'explain', label: 'Explain this project', detail: undefined, prompt: 'Explain this project.' },
  ],
};

export function card(over: Partial<Card> = {}): Card {
  return {
    verb: 'Run a command', target: 'npm install left-pad', form: 'command', where: 'in sample · confined · no network',
    touches: ['writes node_modules/, package.json, package-lock.json', 'reaches the npm registry (asked)'],
    why: 'installing packages runs their scripts', rule: 'package_install', agentSays: 'The test needs left-pad.', banner: undefined,
    hiddenCharacters: false,
    choices: [{ scope: 'once', covers: 'this call, once' }, { scope: 'session', covers: 'npm install in sample, until the window closes' }],
    ...over,
  };
}

export function request(over: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: 'req_1', fingerprint: 'sha256:aa', session: 's', task: 't1', taskTitle: 'Fix the failing test', callId: 'c1', tool: 'run_command',
    risk: 'exec', confinement: 'sandboxed', patternKey: 'package_install', argumentsText: '{}', card: card(), changes: [], createdAt: 0,
    expiresAt: undefined, ...over,
  };
}

export function change(path: string, before: string, after: string): FileChange {
  return {
    path: { kind: 'path', operation: 'write', asked: path, real: `/w/${path}`, relative: path, folder: '/w', fileKind: 'file', linked: false },
    change: before === '' ? 'create' : 'modify', before, after, baseDigest: 'absent', afterDigest: 'sha256:b', source: 'disk', encoding: 'utf8',
  };
}

export function called(callId: string, state: CallView['state'], over: Partial<CallView> = {}): TaskEvent {
  return {
    task: 't1', type: 'call',
    view: { callId, tool: 'read_file', state, subject: { verb: 'Read', target: 'src/date.ts', form: 'path' }, ...over },
  };
}

export const started: Extract<TaskEvent, { type: 'task_started' }> = {
  task: 't1', type: 'task_started', title: 'Fix the failing test', model: 'Rehearsal', notice: 'rehearsal: a prepared session, no model', profile: 'coding',
};

export interface FakeDesk extends ApprovalDesk {
  readonly answers: Answer[];
  receipt: Receipt;
  waiting: ApprovalRequest[];
}

export function fakeDesk(waiting: ApprovalRequest[] = []): FakeDesk {
  const answers: Answer[] = [];
  const desk: FakeDesk = {
    answers, receipt: 'accepted', waiting,
    pending: () => desk.waiting,
    answer: (answer) => {
      answers.push(answer);
      return desk.receipt;
    },
  };
  return desk;
}

/** Every command notes its name and argument. */
export function fakeCommands(): { readonly commands: ChatCommands; readonly asked: (readonly [string, string | undefined])[] } {
  const asked: (readonly [string, string | undefined])[] = [];
  const note = (name: string) => (value?: string) => void asked.push([name, value]);
  const commands: ChatCommands = {
    send: note('send'), stop: note('stop'), continueTask: note('continueTask'), openRequest: note('openRequest'), openDiff: note('openDiff'),
    openRecord: note('openRecord'), openLink: note('openLink'), openFile: note('openFile'), runCommand: note('runCommand'),
  };
  return { commands, asked };
}
