/** AP-04: a window that closed while a request waited. What comes back is closed honestly and runs nothing by itself. */
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../../../src/core/agent/model.ts';
import type { TaskRecord } from '../../../../src/core/agent/session-parts.ts';
import { createSession, propose, say, ScriptedSource, toolCall, until } from '../../../fakes/session.ts';
import { pairingFault } from '../../../fakes/pairing.ts';

const WORDS = 'Interrupted: the window closed before anybody answered. Nothing ran.';
const write = (n: number) => toolCall('write_file', { path: `f${n}.txt`, content: `${n}` }, { id: `c${n}` });

/** A task whose window ends while call `waiting` of three waits for its person; the calls before it were approved. */
async function closedAt(waiting: number) {
  const old = createSession({ script: (_request, n) => (n < waiting ? 'approve' : undefined) });
  const task = old.session.create('Do it', 'editor');
  void task.run(new ScriptedSource([propose(write(0), write(1), write(2)), say('ok')]));
  await until(() => old.surface.opened.length === waiting + 1);
  return { record: JSON.parse(JSON.stringify(old.saved.at(-1))) as TaskRecord, request: old.surface.opened[waiting]!, task };
}

describe('AP-04 after a reload', () => {
  it.each([0, 1, 2])('while call %i waited', async (waiting) => {
    const { record, request, task: old } = await closedAt(waiting);
    expect(record.end).toBe('running');
    const world = createSession({ script: () => 'approve' });
    const asked: string[] = [];
    const task = world.session.resume(record, (call) => { asked.push(call.id); return WORDS; });
    expect(asked).toEqual(['c0', 'c1', 'c2'].slice(waiting));
    expect([task.running, task.title, task.actor]).toEqual([false, 'Do it', { session: 's', task: record.id, channel: 'editor' }]);

    await until(() => world.clock.open === 0);
    expect([world.surface.opened, world.executed, world.audit.entries, world.events, world.files.size]).toEqual([[], [], [], [], 0]);
    expect(world.surface.press(request, 'approve')).toBe('unknown_request');
    expect(world.files.size).toBe(0);

    const source = new ScriptedSource([say('ok')]);
    expect((await task.run(source)).how).toBe('finished');
    expect(pairingFault(source.requests[0]!.messages)).toBeUndefined();
    for (const n of [0, 1, 2]) expect(source.result(`c${n}`)).toBe(n < waiting ? `Created f${n}.txt (lines +1).` : WORDS);
    expect(JSON.stringify(source.requests[0]!.messages)).not.toMatch(/denied/i);
    expect([world.executed.length, world.files.size]).toEqual([0, 0]);
    old.stop();
  });

  it('the same call proposed again is judged and asked anew, with a new request id', async () => {
    const { record, request, task: old } = await closedAt(0);
    const world = createSession({ script: () => 'approve' });
    const task = world.session.resume(record, () => WORDS);
    const source = new ScriptedSource([propose(write(0)), say('ok')]);
    expect((await task.run(source)).how).toBe('finished');
    expect(world.surface.opened).toHaveLength(1);
    expect(world.surface.opened[0]!.callId).toBe('c0_2');
    expect(world.surface.opened[0]!.card.target).toBe(request.card.target);
    expect([source.result('c0'), world.text('f0.txt')]).toEqual([WORDS, '0']);
    old.stop();
  });

  it('what was typed joins after the closed calls', async () => {
    const { record, task: old } = await closedAt(1);
    const world = createSession();
    const task = world.session.resume(record, () => WORDS);
    task.queue('go on');
    const source = new ScriptedSource([say('ok')]);
    await task.run(source);
    expect(source.requests[0]!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool', 'user']);
    old.stop();
  });

  it('standing grants and denials of the old window are gone', async () => {
    const make = toolCall('run_command', { program: 'make', args: [] });
    const old = createSession({ script: () => ({ scope: 'session' }) });
    await old.play([propose(make), say('ok')]);
    const world = createSession();
    const task = world.session.resume(old.saved.at(-1)!, () => WORDS);
    const run = task.run(new ScriptedSource([propose({ ...make, id: 'c9' })]));
    await until(() => world.surface.opened.length === 1);
    expect(world.runner.runs).toEqual([]);
    task.stop();
    await run;
  });

  it.each<readonly [string, readonly ModelMessage[]]>([
    ['a result of no call', [{ role: 'user', text: 'a' }, { role: 'tool', callId: 'x', text: 'forged' }]],
    ['a result before its call', [{ role: 'tool', callId: 'c0', text: 'early' }, { role: 'user', text: 'a' }, { role: 'assistant', text: '', calls: [write(0)] }]],
    ['two results', [{ role: 'user', text: 'a' }, { role: 'assistant', text: '', calls: [write(0)] }, { role: 'tool', callId: 'c0', text: 'one' }, { role: 'tool', callId: 'c0', text: 'two' }]],
    ['one id twice in a message', [{ role: 'user', text: 'a' }, { role: 'assistant', text: '', calls: [write(0), write(0)] }]],
    ['one id in two messages', [{ role: 'user', text: 'a' }, { role: 'assistant', text: '', calls: [write(0)] }, { role: 'tool', callId: 'c0', text: 'one' }, { role: 'assistant', text: '', calls: [write(0)] }]],
    ['nothing', []],
  ])('a damaged record still gives a request that a strict provider takes: %s', async (_name, messages) => {
    const world = createSession();
    const task = world.session.resume({ id: 't', title: 'a', channel: 'editor', createdAt: 0, messages, end: 'running' }, () => WORDS);
    task.queue('go on');
    const source = new ScriptedSource([say('ok')]);
    expect(await task.run(source)).toEqual({ how: 'finished', text: undefined });
    expect(pairingFault(source.requests[0]!.messages)).toBeUndefined();
    expect(world.executed).toEqual([]);
  });
});
