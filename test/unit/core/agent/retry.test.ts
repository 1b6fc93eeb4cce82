/** PV-02: an answer that breaks off is thrown away whole and asked again, within a cap. */
import { describe, expect, it } from 'vitest';
import { ModelError, type ModelErrorKind, type ModelRequest } from '../../../../src/core/agent/model.ts';
import { RETRY_LIMIT } from '../../../../src/core/agent/retry.ts';
import { createSession, propose, say, ScriptedSource, toolCall, until, type SessionWorld } from '../../../fakes/session.ts';

const lost = (kind: ModelErrorKind = 'connection_lost', retryAfterMs?: number): ModelError => new ModelError(kind, 'The connection was lost.', retryAfterMs);
const make = toolCall('run_command', { program: 'make', args: [] });
const notes = ({ events }: SessionWorld) => events.flatMap((event) => (event.type === 'retrying' ? [[event.attempt, event.limit, event.waitMs]] : []));

/** Lets every back-off pass until the task has ended. */
async function passTime(world: SessionWorld, ended: Promise<unknown>): Promise<void> {
  let over = false;
  void ended.then(() => { over = true; });
  for (let round = 0; round < 50 && !over; round += 1) {
    await until(() => over || world.clock.open > 0);
    world.clock.advance(60_000);
  }
}

describe('PV-02 half an answer', () => {
  it('leaves nothing in the history, runs nothing, and the whole one runs once', async () => {
    const world = createSession({ script: () => 'approve' });
    const source = new ScriptedSource((_request, n, onDelta) => {
      if (n === 0) {
        onDelta({ type: 'text', text: 'Let me' });
        onDelta({ type: 'call_started', tool: 'run_command' });
        return lost();
      }
      return n === 1 ? propose(make) : say('ok');
    });
    const run = world.session.create('Do it', 'editor').run(source);
    await passTime(world, run);
    expect((await run).how).toBe('finished');
    expect([world.runner.runs.length, world.surface.opened.length, source.requests.length]).toEqual([1, 1, 3]);
    expect(source.requests[1]).toEqual(source.requests[0]);
    expect(JSON.stringify(world.saved)).not.toContain('Let me');
    expect(notes(world)).toEqual([[1, RETRY_LIMIT, 1_000]]);
    expect(world.events.findIndex(({ type }) => type === 'text')).toBeLessThan(world.events.findIndex(({ type }) => type === 'retrying'));
  });

  it.each<ModelErrorKind>(['connection_lost', 'idle', 'overloaded', 'rate_limited'])('stops at the cap and can go on: %s', async (kind) => {
    const world = createSession();
    const task = world.session.create('Do it', 'editor');
    const source = new ScriptedSource((_request, n) => (n <= RETRY_LIMIT ? lost(kind) : say('ok')));
    const run = task.run(source);
    await passTime(world, run);
    expect(await run).toEqual({ how: 'failed', text: 'The connection was lost.' });
    expect(source.requests).toHaveLength(RETRY_LIMIT + 1);
    expect(notes(world)).toEqual([[1, 4, 1_000], [2, 4, 2_000], [3, 4, 4_000], [4, 4, 8_000]]);
    expect(world.saved.at(-1)).toMatchObject({ end: 'failed', messages: [{ role: 'user', text: 'Do it' }] });
    expect(world.clock.open).toBe(0);
    expect((await task.run(source)).how).toBe('finished');
    expect(source.requests.at(-1)!.messages).toEqual([{ role: 'user', text: 'Do it' }]);
  });

  it.each<ModelErrorKind>(['unauthorized', 'bad_request', 'context_exceeded', 'content_filter', 'malformed', 'not_found'])('does not ask again when that cannot help: %s', async (kind) => {
    const world = createSession();
    const { source, how } = await world.play([lost(kind), say('ok')]);
    expect([how, source.requests.length, notes(world).length, world.clock.open]).toEqual(['failed', 1, 0, 0]);
  });

  it('waits as long as the server asks, but not for hours', async () => {
    const world = createSession();
    const run = world.session.create('Do it', 'editor').run(new ScriptedSource((_request, n) => [lost('rate_limited', 7_500), lost('rate_limited', 86_400_000), say('ok')][n]!));
    await until(() => world.clock.open === 1);
    world.clock.advance(7_499);
    await until(() => world.clock.open === 1);
    expect(notes(world)).toHaveLength(1);
    await passTime(world, run);
    expect(notes(world).map(([, , waitMs]) => waitMs)).toEqual([7_500, 60_000]);
  });

  it('the cap is for one answer: it starts anew with the next', async () => {
    const world = createSession({ script: () => 'approve' });
    const source = new ScriptedSource((_request, n) => (n < 3 ? lost() : n === 3 ? propose(make) : n < 7 ? lost() : say('ok')));
    const run = world.session.create('Do it', 'editor').run(source);
    await passTime(world, run);
    expect((await run).how).toBe('finished');
    expect(notes(world).map(([attempt]) => attempt)).toEqual([1, 2, 3, 1, 2, 3]);
  });
});

describe('PV-02 stop', () => {
  it('during the back-off ends at once and leaves no timer', async () => {
    const world = createSession();
    const task = world.session.create('Do it', 'editor');
    const source = new ScriptedSource([lost()]);
    const run = task.run(source);
    await until(() => world.clock.open === 1);
    task.stop();
    expect(await run).toEqual({ how: 'stopped', text: undefined });
    expect([world.clock.open, source.requests.length, task.running, world.clock.now()]).toEqual([0, 1, false, 1_000]);
    expect(world.saved.at(-1)).toMatchObject({ end: 'stopped', messages: [{ role: 'user' }] });
  });

  it('before the first request nothing is sent', async () => {
    const world = createSession();
    const task = world.session.create('Do it', 'editor');
    const source = new ScriptedSource([say('ok')]);
    const run = task.run(source);
    task.stop();
    expect((await run).how).toBe('stopped');
    expect(source.requests).toEqual([]);
  });

  it('during an answer reaches the source, and the half answer is gone', async () => {
    const world = createSession();
    const task = world.session.create('Do it', 'editor');
    let told = false;
    const source = new ScriptedSource((_request, _n, onDelta, signal) => new Promise((_, reject) => {
      onDelta({ type: 'text', text: 'half' });
      signal.addEventListener('abort', () => { told = true; reject(signal.reason as Error); });
    }));
    const run = task.run(source);
    await until(() => source.requests.length === 1);
    task.stop();
    expect([(await run).how, told]).toEqual(['stopped', true]);
    expect(JSON.stringify(world.saved)).not.toContain('half');
  });

  it('a connection that breaks because of the stop is not asked again', async () => {
    const world = createSession();
    const task = world.session.create('Do it', 'editor');
    const source = new ScriptedSource(() => { task.stop(); return lost(); });
    expect((await task.run(source)).how).toBe('stopped');
    expect([notes(world), source.requests.length, world.clock.open]).toEqual([[], 1, 0]);
  });

  it('an answer that arrives although it was stopped runs nothing', async () => {
    const world = createSession({ script: () => 'approve', settings: { 'approval.writes': 'auto' } });
    const task = world.session.create('Do it', 'editor');
    const source = new ScriptedSource(() => { task.stop(); return propose(toolCall('write_file', { path: 'a.txt', content: 'a' })); });
    expect((await task.run(source)).how).toBe('stopped');
    expect([world.executed.length, world.surface.opened.length, world.files.size]).toEqual([0, 0, 0]);
    expect(world.saved.at(-1)!.messages.at(-1)).toMatchObject({ role: 'tool', callId: 'c1', text: 'Cancelled: the person stopped the task. Nothing ran.' });
  });

  it('while a command runs reaches the command, and its end is told as it was', async () => {
    const world = createSession({ script: () => 'approve' });
    world.runner.behave = (_command, { signal }) => new Promise((resolve) => { signal.addEventListener('abort', () => resolve({ end: 'cancelled', exitCode: undefined })); });
    const task = world.session.create('Do it', 'editor');
    const run = task.run(new ScriptedSource([propose(make, { ...make, id: 'c2' })]));
    await until(() => world.runner.runs.length === 1);
    task.stop();
    expect((await run).how).toBe('stopped');
    const results = world.saved.at(-1)!.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));
    expect(results[0]).toMatch(/^\[cancelled after .*did not finish, confined\]/);
    expect(results[1]).toBe('Cancelled: the person stopped the task. Nothing ran.');
    expect(world.audit.results().map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('one run at a time, and a stop without a run is nothing', async () => {
    const world = createSession();
    const task = world.session.create('Do it', 'editor');
    task.stop();
    const asked: ModelRequest[] = [];
    const source = new ScriptedSource((request, _n, _onDelta, signal) => { asked.push(request); return new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason as Error)); }); });
    const run = task.run(source);
    await expect(task.run(source)).rejects.toThrow('the task runs already');
    await until(() => asked.length === 1);
    task.stop();
    task.stop();
    expect((await run).how).toBe('stopped');
    expect(world.events.filter(({ type }) => type === 'task_ended')).toHaveLength(1);
  });

  it('counts as running until its end is kept, so that a second run cannot overtake it', async () => {
    let release: () => void = () => undefined;
    let slow = false;
    const world = createSession({ over: { save: () => (slow ? new Promise((resolve) => { release = resolve; }) : Promise.resolve()) } });
    const task = world.session.create('Do it', 'editor');
    const run = task.run(new ScriptedSource(() => { slow = true; return new ModelError('unauthorized', 'no key'); }));
    await until(() => slow);
    await until(() => world.audit.entries.length === 1);
    expect(task.running).toBe(true);
    await expect(task.run(new ScriptedSource([say('ok')]))).rejects.toThrow('runs already');
    slow = false;
    release();
    expect((await run).how).toBe('failed');
    expect(task.running).toBe(false);
    expect(world.audit.entries.map(({ kind }) => kind)).toEqual(['task', 'task_end']);
  });
});
