import { describe, expect, it } from 'vitest';
import type { CallState } from '../../../src/core/agent/events.ts';
import type { ModelMessage } from '../../../src/core/agent/model.ts';
import type { TaskRecord } from '../../../src/core/agent/session-parts.ts';
import { replayTask } from '../../../src/host/replay.ts';

const record = (messages: readonly ModelMessage[]): TaskRecord => ({ id: 'task_1', title: 'A task', channel: 'editor', createdAt: 1, end: 'running', messages });
const assistant = (text: string, ...ids: string[]): ModelMessage => ({
  role: 'assistant', text, calls: ids.map((id) => ({ id, tool: 'run_command', argumentsText: '{}', complete: true })),
});
const result = (callId: string, text: string): ModelMessage => ({ role: 'tool', callId, text });

describe('a task from an earlier window', () => {
  it('shows its history in order, and nothing that runs', () => {
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Fix it' }, assistant('I run the tests.', 'call_1', 'call_2'), result('call_2', '[exit code 0 after 1.0 s, confined]\nok'),
      result('call_1', 'Denied by the person; nothing ran.\nThey said'), { role: 'user', text: 'Thanks' }, assistant('', 'call_3'), assistant('Bye.'),
    ];
    const view = (callId: string, state: CallState, reason: string | undefined): object => ({
      task: 'task_1', type: 'call', view: { callId, tool: 'run_command', state, subject: undefined, reason },
    });
    expect(replayTask(record(messages), 'rehearsal', 'coding')).toEqual([
      { task: 'task_1', type: 'task_started', title: 'A task', model: 'rehearsal', notice: undefined, profile: 'coding' },
      { task: 'task_1', type: 'user_message', text: 'Fix it' },
      { task: 'task_1', type: 'text', text: 'I run the tests.' },
      { task: 'task_1', type: 'message_ended' },
      view('call_1', 'denied_by_person', 'Denied by the person; nothing ran.'),
      view('call_2', 'done', '[exit code 0 after 1.0 s, confined]'),
      { task: 'task_1', type: 'user_message', text: 'Thanks' },
      { task: 'task_1', type: 'message_ended' },
      view('call_3', 'no_answer', undefined),
      { task: 'task_1', type: 'text', text: 'Bye.' },
      { task: 'task_1', type: 'message_ended' },
    ]);
  });

  it.each<[CallState, string]>([
    ['done', '[src/date.js: all 3 lines]\n1|x'],
    ['done', 'Changed src/date.js (lines +1 -1).'],
    ['done', '[exit code 0 after 1.0 s, confined]'],
    ['failed', '[exit code 1 after 1.0 s, confined]\nnot ok'],
    ['failed', '[ended by SIGKILL after 1.0 s; there is no exit code, confined]'],
    ['timed_out', '[ended at the time limit of 120 s; it did not finish, confined]'],
    ['failed', 'Not applied: src/date.js changed after it was shown.'],
    ['failed', 'Failed while running: disk full. It may have had effects; look before trying again.'],
    ['failed', 'Not run: src/date.js: old_text was not found.'],
    ['invalid', 'Not run: the arguments of run_command were incomplete when the message ended.'],
    ['invalid', 'There is no tool "run".'],
    ['denied_by_rule', 'The tool run_command is not available in this session: profile minimal does not include it.'],
    ['denied_by_rule', 'Not run, and it will not be: It would write outside the workspace.'],
    ['denied_by_rule', 'Not run: this needs a person\'s approval and nobody is there. Commands ask.'],
    ['denied_by_person', 'Denied by the person; nothing ran. They gave no reason.'],
    ['denied_by_person', 'Not run: the person already denied exactly this in this task.'],
    ['no_answer', 'No answer: nobody decided in time, so nothing ran. This is not a denial.'],
    ['no_answer', 'No result: the task stopped before this call was decided. Nothing ran.'],
    ['no_answer', 'Interrupted before anybody decided; nothing ran. This is not a denial.'],
    ['no_answer', 'Interrupted: the window closed before anybody answered. Nothing ran. This is not a denial.'],
    ['unknown', 'Interrupted: the editor ended before this call had a result. If it had started, it may have had effects; look before trying again.'],
    ['cancelled', 'Cancelled: the person stopped the task. Nothing ran.'],
    ['cancelled', 'Not run: an earlier call of the same message was denied.'],
  ])('says %s of: %s', (state, text) => {
    const events = replayTask(record([assistant('', 'call_1'), result('call_1', text)]), 'm', 'coding');
    expect(events.flatMap((event) => (event.type === 'call' ? [event.view.state] : []))).toEqual([state]);
  });

  it('never says that nobody\'s answer was a no', () => {
    const silent = ['No answer: nobody decided', 'Interrupted before anybody decided', 'Cancelled before anybody decided', 'Interrupted: the window closed before anybody answered.'];
    for (const text of silent) {
      const [, , call] = replayTask(record([assistant('', 'call_1'), result('call_1', text)]), 'm', 'coding');
      expect(call?.type === 'call' ? call.view.state : '').not.toMatch(/denied|done/);
    }
  });

  it('cuts a long reason and shows only its first line', () => {
    const [, , call] = replayTask(record([assistant('', 'call_1'), result('call_1', `${'x'.repeat(900)}\nsecond`)]), 'm', 'coding');
    expect(call).toMatchObject({ view: { reason: 'x'.repeat(300) } });
  });
});
