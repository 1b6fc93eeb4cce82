import { expect, it } from 'vitest';
import { TaskFeed } from '../../../src/host/task-feed.ts';

it('a call of a later task with the same id is an entry and an output of its own', () => {
  const entries = new Map<string, string>();
  const written: string[] = [];
  const feed = new TaskFeed({
    activity: { add: ({ id, outcome }) => entries.set(id, outcome) }, log: () => undefined, now: () => 0,
    terminals: { start: (line) => ({ write: (text) => written.push(`${line}: ${text}`), end: () => undefined }) },
  });
  const subject = (target: string) => ({ verb: 'Run a command', target, form: 'command' }) as const;
  feed.onEvent({ task: 'a', type: 'call', view: { callId: 'call_1', tool: 'run_command', state: 'denied_by_person', subject: subject('rm x') } });
  for (const task of ['b', 'c']) feed.onEvent({ task, type: 'call', view: { callId: 'call_1', tool: 'run_command', state: 'running', subject: subject(`echo ${task}`) } });
  for (const task of ['b', 'c']) feed.onEvent({ task, type: 'output', callId: 'call_1', text: task });
  feed.onEvent({ task: 'b', type: 'call', view: { callId: 'call_1', tool: 'run_command', state: 'done', subject: subject('echo b') } });
  expect([...entries.values()]).toEqual(['denied_by_person', 'done']);
  expect(written).toEqual(['echo b: b', 'echo c: c']);
});
