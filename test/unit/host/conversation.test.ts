import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ApprovalBroker } from '../../../src/core/approval/broker.ts';
import type { TaskEvent } from '../../../src/core/agent/events.ts';
import type { ModelReply, ModelRequest, ModelSource } from '../../../src/core/agent/model.ts';
import { Session } from '../../../src/core/agent/session.ts';
import type { SessionParts, TaskRecord } from '../../../src/core/agent/session-parts.ts';
import { mergeLayers } from '../../../src/core/policy/layers.ts';
import { Conversation } from '../../../src/host/conversation.ts';
import { randomIds, sha256, systemClock } from '../../../src/host/system.ts';
import { createWorld } from '../../fakes/reading.ts';
import { request } from '../core/approval/broker-world.ts';

interface Held<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}
const held = <T>(): Held<T> => Promise.withResolvers<T>();

const reply = (text: string): ModelReply => ({ text, reasoning: undefined, calls: [], finishReason: 'stop', usage: undefined, model: undefined, responseId: undefined });

/** A conversation over a real session; models are chosen and answer when the test says so. */
function world(question = false): {
  talk: Conversation; events: TaskEvent[]; running: boolean[]; choices: Held<ModelSource>[]; requests: ModelRequest[]; answers: Held<ModelReply>[]; said: () => string[]; source: ModelSource; saving: { gate: Promise<unknown> };
} {
  const events: TaskEvent[] = [];
  const running: boolean[] = [];
  const choices: Held<ModelSource>[] = [];
  const requests: ModelRequest[] = [];
  const answers: Held<ModelReply>[] = [];
  const saving: { gate: Promise<unknown> } = { gate: Promise.resolve() };
  const source: ModelSource = {
    id: 'fake', label: 'fake', notice: undefined,
    respond: (asked, _onDelta, signal) => {
      requests.push(asked);
      const answer = held<ModelReply>();
      answers.push(answer);
      signal.addEventListener('abort', () => { answer.reject(new Error('aborted')); });
      return answer.promise;
    },
  };
  const { reading, effects } = createWorld();
  const parts: SessionParts = {
    session: 's', tools: [], guards: [], policy: () => mergeLayers([], true, sha256), reading, execution: { open: () => effects },
    surroundings: { home: '/home/person', platform: 'linux', folders: () => ['/w'], placeName: 'w' },
    runner: { status: () => Promise.resolve({ available: true, detail: '', fix: undefined }), run: () => Promise.reject(new Error('no command runs here')), dispose: () => Promise.resolve() },
    broker: new ApprovalBroker(systemClock, { save: () => Promise.resolve() }), audit: { append: () => Promise.resolve() }, redact: (text) => text,
    sha256, clock: systemClock, ids: randomIds, emit: (event) => events.push(event), save: ({ end }) => (end === 'running' ? Promise.resolve() : saving.gate.then(() => undefined)),
  };
  const session = new Session(parts);
  const talk = new Conversation({
    session: () => session, emit: (event) => events.push(event), answerQuestion: () => question, runningChanged: (now) => running.push(now),
    model: () => {
      const choice = held<ModelSource>();
      choices.push(choice);
      return choice.promise;
    },
  });
  const said = (): string[] => events.flatMap((event) => {
    if (event.type === 'user_message') return [`person: ${event.text}`];
    if (event.type === 'task_started') return [`started: ${event.title}`];
    return event.type === 'task_ended' ? [`ended: ${event.how}${event.text === undefined ? '' : ` (${event.text})`}`] : [];
  });
  return { talk, events, running, choices, requests, answers, said, source, saving };
}

const userTexts = (asked: ModelRequest | undefined): string[] => (asked?.messages ?? []).flatMap((message) => (message.role === 'user' ? [message.text] : []));

describe('a message', () => {
  it('starts the task, and the next one goes on with it', async () => {
    const { talk, choices, answers, requests, said, running, source } = world();
    talk.send('Fix it');
    expect(talk.running).toBe(true);
    await turn();
    choices[0]!.resolve(source);
    await turn();
    answers[0]!.resolve(reply('done'));
    await turn();
    expect(talk.running).toBe(false);
    expect(running).toEqual([true, false]);
    talk.send('And more');
    await turn();
    choices[1]!.resolve(source);
    await turn();
    expect(userTexts(requests[1])).toEqual(['Fix it', 'And more']);
    answers[1]!.resolve(reply('done'));
    await turn();
    expect(said()).toEqual(['person: Fix it', 'started: Fix it', 'ended: finished', 'started: Fix it', 'person: And more', 'ended: finished']);
  });

  it('joins the task while it runs, and while its model is being chosen', async () => {
    const { talk, choices, answers, requests, source } = world();
    talk.send('one');
    talk.send('two');
    await turn();
    choices[0]!.resolve(source);
    await turn();
    expect(userTexts(requests[0])).toEqual(['one', 'two']);
    talk.send('three');
    answers[0]!.resolve(reply(''));
    await turn();
    expect(userTexts(requests[1])).toEqual(['one', 'two', 'three']);
    expect(choices).toHaveLength(1);
  });

  it('answers the question that waits, and starts nothing', async () => {
    const { talk, choices, said } = world(true);
    talk.send('yes');
    await turn();
    expect(choices).toEqual([]);
    expect(said()).toEqual([]);
    expect(talk.running).toBe(false);
  });

  it('sent while a run is being put away is answered by the next run, which begins after its end', async () => {
    const { talk, choices, answers, said, source, saving, requests } = world();
    talk.send('one');
    await turn();
    choices[0]!.resolve(source);
    await turn();
    answers[0]!.resolve(reply(''));
    const slow = held<string>();
    saving.gate = slow.promise;
    await turn();
    talk.send('two');
    await turn();
    expect(said()).toEqual(['person: one', 'started: one']);
    slow.resolve('saved');
    await turn();
    choices[1]!.resolve(source);
    await turn();
    expect(userTexts(requests[1])).toEqual(['one', 'two']);
    expect(said()).toEqual(['person: one', 'started: one', 'ended: finished', 'started: one', 'person: two']);
  });
});

describe('stop and reset', () => {
  it('stop ends a task whose model is still being chosen; nothing is asked, and it can go on', async () => {
    const { talk, choices, requests, said, running, source } = world();
    talk.send('one');
    await turn();
    talk.stop();
    choices[0]!.resolve(source);
    await turn();
    expect(requests).toEqual([]);
    expect(said()).toEqual(['started: one', 'person: one', 'ended: stopped']);
    expect(running).toEqual([true, false]);
    talk.goOn();
    await turn();
    choices[1]!.resolve(source);
    await turn();
    expect(userTexts(requests[0])).toEqual(['one']);
  });

  it('stop ends a running task at once', async () => {
    const { talk, choices, said, source } = world();
    talk.send('one');
    await turn();
    choices[0]!.resolve(source);
    await turn();
    talk.stop();
    await turn();
    expect(said().at(-1)).toBe('ended: stopped');
    expect(talk.running).toBe(false);
  });

  it('reset while the model is being chosen: the old task never runs, and says nothing into the new one', async () => {
    const { talk, choices, requests, said, running, source } = world();
    talk.send('old');
    await turn();
    talk.reset();
    expect([talk.running, talk.taskId]).toEqual([false, undefined]);
    talk.send('new');
    await turn();
    for (const choice of choices) choice.resolve(source);
    await turn();
    expect(requests.map(userTexts)).toEqual([['new']]);
    expect(said()).toEqual(['person: new', 'started: new']);
    expect(talk.running).toBe(true);
    expect(running.at(-1)).toBe(true);
  });

  it('reset while a task runs: its late end does not make the new one look ended', async () => {
    const { talk, choices, running, source, saving } = world();
    talk.send('old');
    await turn();
    choices[0]!.resolve(source);
    await turn();
    const slow = held<string>();
    saving.gate = slow.promise;
    talk.reset();
    await turn();
    talk.send('new');
    await turn();
    slow.resolve('saved');
    await turn();
    expect(talk.running).toBe(true);
    expect(running).toEqual([true, true]);
  });

  it('does nothing when there is nothing to stop or to go on with', async () => {
    const { talk, choices, events } = world();
    talk.stop();
    talk.goOn();
    talk.reset();
    await turn();
    expect([choices, events, talk.running]).toEqual([[], [], false]);
  });
});

describe('a model that cannot be chosen', () => {
  it('ends the task with the reason, and the message is not lost', async () => {
    const { talk, choices, said, requests, source, running } = world();
    talk.send('one');
    await turn();
    choices[0]!.reject(new Error('There is no key for this address.'));
    await turn();
    expect(said()).toEqual(['started: one', 'person: one', 'ended: failed (There is no key for this address.)']);
    expect(running).toEqual([true, false]);
    talk.goOn();
    await turn();
    choices[1]!.resolve(source);
    await turn();
    expect(userTexts(requests[0])).toEqual(['one']);
  });
});

describe('a task from an earlier window', () => {
  it('tells apart what waited for a person from what may have run', async () => {
    const calls = ['waited', 'ran'].map((id) => ({ id, tool: 'run_command', argumentsText: '{}', complete: true }));
    const record: TaskRecord = { id: 'task_1', title: 'one', channel: 'editor', createdAt: 1, end: 'running', messages: [{ role: 'user', text: 'one' }, { role: 'assistant', text: '', calls }] };
    const { talk, choices, requests, source } = world();
    talk.restore(record, { pending: [request('a', 'fp', { callId: 'waited' })] });
    expect([talk.taskId, talk.running, choices.length]).toEqual(['task_1', false, 0]);
    talk.goOn();
    await turn();
    choices[0]!.resolve(source);
    await turn();
    const results = requests[0]!.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));
    expect(results[0]).toMatch(/^Interrupted: the window closed before anybody answered\. Nothing ran/);
    expect(results[1]).toMatch(/^Interrupted: the editor ended .* may have had effects/);
  });
});
