/** What a person's answer, or none, does to a call. */
import { describe, expect, it, test } from 'vitest';
import { ApprovalBroker } from '../../../../src/core/approval/broker.ts';
import type { SessionGrants } from '../../../../src/core/approval/grants.ts';
import type { Call } from '../../../../src/core/call.ts';
import { createSession, HandClock, propose, say, ScriptedSource, toolCall, until, type SessionOptions, type SessionWorld } from '../../../fakes/session.ts';

const FILES = { 'a.txt': 'a\n', '/srv/other.txt': 'secret words\n' };
/** One gated call of each kind of tool. */
const GATED: readonly (readonly [string, unknown])[] = [
  ['write_file', { path: 'new.txt', content: 'x' }],
  ['write_file', { path: 'a.txt', content: 'x' }],
  ['edit_file', { path: 'a.txt', edits: [{ old_text: 'a', new_text: 'b' }] }],
  ['run_command', { program: 'touch', args: ['ran'] }],
  ['run_shell', { command: 'touch ran' }],
  ['read_file', { path: '/srv/other.txt' }],
  ['search_text', { pattern: 'secret', path: '/srv/other.txt' }],
];

function noEffect(world: SessionWorld): void {
  expect(world.executed).toEqual([]);
  expect(world.runner.runs).toEqual([]);
  expect([...world.files.keys()].sort()).toEqual(['/srv/other.txt', '/w/a.txt']);
  expect(world.text('a.txt')).toBe('a\n');
  expect(world.audit.results()).toEqual([]);
  expect(world.audit.decisions().every(({ decision }) => decision === 'deny')).toBe(true);
}

async function one(tool: string, args: unknown, options: SessionOptions = {}) {
  const world = createSession({ files: FILES, ...options });
  return { world, ...(await world.play([propose(toolCall(tool, args)), say('ok')])) };
}

describe.each(GATED)('AP-01 no effect without a yes: %s %j', (tool, args) => {
  it('deny, with a note that reaches the model as the person\'s words', async () => {
    const { world, source } = await one(tool, args, { script: () => ({ choice: 'deny', reason: 'use the other one' }) });
    noEffect(world);
    expect(source.result('c1')).toMatch(/^Denied by the person; nothing ran\. They said: "use the other one"/);
    expect(world.audit.outcomes()).toEqual(['denied_by_person']);
    expect(world.audit.decisions()[0]!.decider).toMatchObject({ by: 'person', source: 'tree' });
  });

  it('a guard that throws denies without asking', async () => {
    const { world, source } = await one(tool, args, { script: () => 'approve', over: { guards: [{ id: 'test/broken', check: () => { throw new Error('bad rule'); } }] } });
    noEffect(world);
    expect(world.surface.opened).toEqual([]);
    expect(source.result('c1')).toMatch(/test\/broken failed \(bad rule\)/);
    expect(world.audit.outcomes()).toEqual(['guard_failed']);
  });

  it('a surface that throws has not answered', async () => {
    const world = createSession({ files: FILES });
    world.broker.addSurface({ id: 'chat', open: () => { throw new Error('no window'); }, close: () => { throw new Error('no window'); } });
    const source = new ScriptedSource([propose(toolCall(tool, args)), say('ok')]);
    const task = world.session.create('Do it', 'editor');
    const run = task.run(source);
    await until(() => world.surface.opened.length === 1);
    noEffect(world);
    task.stop();
    expect((await run).how).toBe('stopped');
    noEffect(world);
    expect(world.audit.outcomes()).toEqual(['cancelled']);
  });

  it('a gate that throws denies, and says so in the record', async () => {
    for (const broken of ['answer', 'store', 'ids'] as const) {
      const ids = { next: (prefix: string) => { if (prefix === 'ask') throw new Error('no entropy'); return 'id'; } };
      const full = new ApprovalBroker(new HandClock(), { save: () => Promise.reject(new Error('store is full')) });
      const world = createSession({ files: FILES, script: () => 'approve', over: broken === 'ids' ? { ids } : broken === 'store' ? { broker: full } : {} });
      if (broken === 'answer') world.broker.ask = () => Promise.reject(new Error('gate fell'));
      const { source, how } = await world.play([propose(toolCall(tool, args)), say('ok')]);
      noEffect(world);
      expect(how).toBe('finished');
      expect(source.result('c1')).toMatch(/^Not run: (gate fell|store is full|no entropy)\.$/);
      expect(world.audit.outcomes()).toEqual(['internal_error']);
    }
  });

  it.each(['yes', 'APPROVE', '', true, undefined])('a choice that is no choice is no yes: %j', async (choice) => {
    const { world } = await one(tool, args, { script: () => ({ choice: choice as 'approve' }) });
    noEffect(world);
  });

  it('an answer for another fingerprint or another request is not taken', async () => {
    const world = createSession({ files: FILES, script: (request, n) => (n === 0 ? { fingerprint: `${request.fingerprint}0` } : undefined) });
    const source = new ScriptedSource([propose(toolCall(tool, args)), say('ok')]);
    const task = world.session.create('Do it', 'editor');
    const run = task.run(source);
    await until(() => world.surface.receipts.length === 1);
    expect(world.surface.receipts).toEqual(['fingerprint_mismatch']);
    expect(world.surface.press(world.surface.opened[0]!, { requestId: 'ask-99' })).toBe('unknown_request');
    noEffect(world);
    expect(world.broker.pending()).toHaveLength(1);
    task.stop();
    await run;
    noEffect(world);
  });
});

test('AP-01 a view that throws decides nothing: the call runs as approved, once, and is told as it was', async () => {
  const states: string[] = [];
  const world = createSession({
    files: FILES, script: () => 'approve',
    over: { emit: (event) => { if (event.type === 'call') states.push(event.view.state); throw new Error('no window'); } },
  });
  const { source, how } = await world.play([propose(toolCall('run_command', { program: 'make', args: [] })), say('ok')]);
  expect(how).toBe('finished');
  expect(world.runner.runs).toHaveLength(1);
  expect(source.result('c1')).toMatch(/exit code 0/);
  expect(states).toEqual(['judging', 'waiting', 'running', 'done']);
  expect(world.audit.results().map(({ status }) => status)).toEqual(['succeeded']);
});

test('AP-01 a tool that throws while it is judged leaves a record', async () => {
  const { world, source } = await one('read_file', { path: 'a.txt' }, { over: { reading: { locate: () => Promise.reject(new Error('disk gone')), readText: () => Promise.reject(new Error('disk gone')), digestText: () => 'x' } } });
  expect(source.result('c1')).toBe('Not run: disk gone.');
  expect(world.audit.outcomes()).toEqual(['internal_error']);
});

describe('AP-03 cancel while the first of several calls waits', () => {
  it.each([0, 1, 2])('at call %i: one open prompt, all settled, a late yes does nothing', async (at) => {
    const world = createSession({ files: FILES, script: (_request, n) => (n < at ? 'approve' : undefined) });
    const three = ['one', 'two', 'three'].map((name, n) => toolCall('run_command', { program: name, args: [] }, { id: `c${n}` }));
    const source = new ScriptedSource([propose(...three), say('ok')]);
    const task = world.session.create('Do it', 'editor');
    const run = task.run(source);
    await until(() => world.surface.opened.length === at + 1 && world.broker.pending().length === 1);
    const waiting = world.surface.opened[at]!;
    task.stop();
    expect(world.broker.pending()).toEqual([]);
    expect(world.surface.press(waiting, 'approve')).toBe('already_answered');
    expect((await run).how).toBe('stopped');
    expect(world.surface.opened).toHaveLength(at + 1);
    expect(world.surface.closed.at(-1)).toEqual([waiting.id, 'cancelled']);
    expect(world.runner.runs).toHaveLength(at);
    expect([world.clock.open, task.running]).toEqual([0, false]);
    expect(world.audit.outcomes()).toEqual([...Array.from({ length: at }, () => 'allow'), ...Array.from({ length: 3 - at }, () => 'cancelled')]);

    task.queue('go on');
    expect((await task.run(new ScriptedSource([say('ok')]))).how).toBe('finished');
    const results = world.saved.at(-1)!.messages.filter((message) => message.role === 'tool');
    expect(results.map(({ callId }) => callId).sort()).toEqual(['c0', 'c1', 'c2']);
    expect(results.slice(at).every(({ text }) => text.startsWith('Cancelled'))).toBe(true);
    expect(results.some(({ text }) => /denied/i.test(text))).toBe(false);
    expect(world.surface.press(waiting, 'approve')).toBe('already_answered');
    expect(world.runner.runs).toHaveLength(at);
  });

  it('a denial ends the rest of the message without a prompt, each with its own result', async () => {
    const world = createSession({ files: FILES, script: () => 'deny' });
    const { source, how } = await world.play([propose(...GATED.map(([tool, args], n) => toolCall(tool, args, { id: `c${n}` }))), say('ok')]);
    expect([how, world.surface.opened.length]).toEqual(['finished', 1]);
    noEffect(world);
    for (let n = 1; n < GATED.length; n += 1) expect(source.result(`c${n}`)).toBe('Not run: an earlier call of the same message was denied.');
    expect(world.audit.decisions().map(({ callId, code, patternKey }) => [callId, code, patternKey]).slice(1)).toEqual(GATED.slice(1).map((_, n) => [`c${n + 1}`, 'cancelled', 'after_denial']));
  });
});

describe('AP-06 identical requests', () => {
  const make = toolCall('run_command', { program: 'make', args: [] });

  it('in one message are asked one after the other; one yes is one run', async () => {
    const world = createSession({ script: (_request, n) => (n === 0 ? 'approve' : undefined) });
    const source = new ScriptedSource([propose(make, { ...make, id: 'c2' }), say('ok')]);
    const task = world.session.create('Do it', 'editor');
    const run = task.run(source);
    await until(() => world.surface.opened.length === 2);
    expect(world.runner.runs).toHaveLength(1);
    const [first, second] = world.surface.opened;
    expect(first!.id).not.toBe(second!.id);
    expect(world.surface.press(first!, 'approve')).toBe('already_answered');
    expect(world.broker.pending().map(({ id }) => id)).toEqual([second!.id]);
    expect(world.runner.runs).toHaveLength(1);
    task.stop();
    await run;
    expect(world.audit.outcomes()).toEqual(['allow', 'cancelled']);
  });

  it('of two tasks wait side by side; the yes to one is not a yes to the other, even for the session', async () => {
    const world = createSession();
    const tasks = [0, 1].map(() => world.session.create('Do it', 'editor'));
    const runs = tasks.map((task) => task.run(new ScriptedSource([propose(make), say('ok')])));
    await until(() => world.surface.opened.length === 2);
    const [first, second] = world.surface.opened;
    expect(first!.fingerprint).not.toBe(second!.fingerprint);
    expect(world.surface.press(first!, { scope: 'session' })).toBe('accepted');
    expect((await runs[0]!).how).toBe('finished');
    expect(world.runner.runs).toHaveLength(1);
    expect(world.broker.pending().map(({ id }) => id)).toEqual([second!.id]);
    tasks[1]!.stop();
    expect((await runs[1]!).how).toBe('stopped');
    expect(world.runner.runs).toHaveLength(1);
  });
});

describe('AP-08 a denied call that comes back', () => {
  it.each<readonly [string, readonly unknown[]]>([
    ['run_command', [{ program: 'make', args: ['all'] }, { args: ['all'], program: 'make' }, { program: 'make', args: ['all'], cwd: '.' }, { program: 'make', args: ['all'], cwd: './' }, { program: 'make', args: ['all'], timeout_seconds: 7 }]],
    ['write_file', [{ path: 'a.txt', content: 'x' }, { content: 'x', path: './a.txt' }, { path: '/w/a.txt', content: 'x' }, { path: 'b/../a.txt', content: 'x' }]],
    ['read_file', [{ path: '/srv/other.txt' }, { path: '../srv/other.txt' }, { path: '/srv/./other.txt' }]],
  ])('%s is asked once in any spelling, then the task pauses', async (tool, spellings) => {
    const world = createSession({ files: FILES, script: () => ({ choice: 'deny', reason: 'no' }) });
    const { source, how } = await world.play((_request, n) => propose(toolCall(tool, spellings[n % spellings.length], { id: `c${n}` })));
    expect(world.surface.opened).toHaveLength(1);
    expect([how, source.requests.length]).toEqual(['step_limit', 6]);
    expect(source.result('c1')).toMatch(/already denied exactly this.*"no".*Do not try it again/);
    noEffect(world);
  });

  it('a call that only looks different each time is asked three times at most, then the task pauses', async () => {
    const world = createSession({ files: FILES, script: () => 'deny' });
    const { source, how, text, task } = await world.play((_request, n) => propose(toolCall('run_shell', { command: `make${' '.repeat(n + 1)}all` }, { id: `c${n}` })));
    expect([how, world.surface.opened.length, source.requests.length]).toEqual(['step_limit', 3, 3]);
    expect(text).toBe('Paused: you denied 3 calls in a row. Say how to go on, or continue.');
    noEffect(world);
    task.queue('go on');
    await task.run(source);
    expect(world.surface.opened).toHaveLength(6);
  });

  it('denied again in between does not start the count anew, anything else does', async () => {
    const make = (n: number) => toolCall('run_command', { program: 'make', args: [String(n)] });
    const read = toolCall('read_file', { path: 'a.txt' });
    const asked = async (...calls: readonly Call[]): Promise<number> => {
      const world = createSession({ files: FILES, script: () => 'deny' });
      await world.play([...calls.map((call, n) => propose({ ...call, id: `c${n}` })), say('ok')]);
      return world.surface.opened.length;
    };
    expect(await asked(make(1), make(1), make(2), make(1), make(3), make(4))).toBe(3);
    expect(await asked(make(1), make(2), read, make(3), make(4))).toBe(4);
  });

  it('what the person says meanwhile starts the count anew', async () => {
    const world = createSession({ files: FILES, script: () => 'deny' });
    const task = world.session.create('Do it', 'editor');
    const source = new ScriptedSource((_request, n) => {
      if (n === 1) task.queue('try another way');
      return n < 6 ? propose(toolCall('run_command', { program: 'make', args: [String(n)] }, { id: `c${n}` })) : say('ok');
    });
    expect((await task.run(source)).how).toBe('step_limit');
    expect(world.surface.opened).toHaveLength(5);
  });

  it('ends with the task: another task may ask', async () => {
    const world = createSession({ files: FILES, script: () => 'deny' });
    const turns = [propose(toolCall('run_command', { program: 'make', args: [] })), say('ok')];
    await world.play(turns);
    await world.play(turns);
    expect(world.surface.opened).toHaveLength(2);
  });

  it('nobody\'s answer is not a denial: the same call is asked again', async () => {
    const world = createSession({ files: FILES });
    const task = world.session.create('Do it', 'editor');
    const source = new ScriptedSource((_request, n) => (n < 2 ? propose(toolCall('run_command', { program: 'make', args: [] }, { id: `c${n}` })) : say('ok')));
    const run = task.run(source);
    await until(() => world.surface.opened.length === 1 && world.clock.open === 1);
    world.clock.advance(480 * 60_000);
    await until(() => world.surface.opened.length === 2 && world.clock.open === 1);
    world.clock.advance(480 * 60_000);
    expect((await run).how).toBe('finished');
    expect(source.result('c0')).toMatch(/^No answer.*not a denial/);
    expect(world.audit.outcomes()).toEqual(['no_answer', 'no_answer']);
    expect(world.clock.open).toBe(0);
    noEffect(world);
  });
});

describe('AP-11 a session grant covers what was shown and nothing wider', () => {
  const shell = (command: string) => ['run_shell', { command }] as const;
  const run = (program: string, ...args: string[]) => ['run_command', { program, args }] as const;

  async function askedAfter(first: readonly [string, unknown], then: readonly [string, unknown], change: (world: SessionWorld) => void = () => undefined) {
    const world = createSession({ files: { ...FILES, 'sub/b.txt': 'b' }, script: (_request, n) => (n === 0 ? { scope: 'session' } : 'deny') });
    await world.play([propose(toolCall(...first)), say('ok')]);
    change(world);
    await world.play([propose(toolCall(...then)), say('ok')]);
    return { world, asked: world.surface.opened.length === 2 };
  }

  it.each([
    [run('npm', 'test'), run('npm', 'test', '--', '--x')], [run('npm', 'test'), run('npm', 'run', 'deploy')], [run('npm', 'test'), run('npm test')],
    [run('npm', 'test'), shell('npm test')], [shell('npm test'), run('npm', 'test')], [shell('npm test'), shell('npm test; curl http://stub/')],
    [shell('npm test'), shell('npm  test')], [run('python3', '-c', 'print(1)'), run('python3', '-c', 'print(2)')],
    [run('npm', 'test'), ['run_command', { program: 'npm', args: ['test'], cwd: 'sub' }]], [run('a', 'b c'), run('a', 'b', 'c')],
    [run('npm', 'test'), run('./npm', 'test')], [run('npm', 'test'), ['run_command', { program: 'npm', args: ['test'], timeout_seconds: 3_600 }]],
  ] as const)('%j does not cover %j', async (first, then) => {
    const { world, asked } = await askedAfter(first, then);
    expect(asked || world.surface.opened.length === 1 && world.runner.runs.length === 1).toBe(true);
    expect(world.runner.runs).toHaveLength(1);
  });

  it('covers a shorter time limit than the one that was shown', async () => {
    const { asked, world } = await askedAfter(run('npm', 'test'), ['run_command', { program: 'npm', args: ['test'], timeout_seconds: 5 }]);
    expect([asked, world.runner.runs.map(({ command }) => command.timeoutMs)]).toEqual([false, [120_000, 5_000]]);
  });

  it('covers exactly the same, in another task, and the record says which grant', async () => {
    const { world, asked } = await askedAfter(run('npm', 'test'), run('npm', 'test'));
    expect([asked, world.runner.runs.length]).toEqual([false, 2]);
    expect(world.surface.opened[0]!.card.choices).toEqual([{ scope: 'once', covers: 'once' }, { scope: 'session', covers: 'this session: exactly `npm test` in w' }]);
    expect(world.audit.decisions().map(({ decider }) => [decider.by, decider.scope])).toEqual([['person', 'session'], ['standing_grant', 'session']]);
    expect(world.session.grants.list()).toMatchObject([{ covers: 'this session: exactly `npm test` in w', uses: 1 }]);
  });

  it.each<readonly [string, (world: SessionWorld, grants: SessionGrants) => void]>([
    ['revoked', (_world, grants) => { for (const { key } of grants.list()) grants.revoke(key); }],
    ['without the sandbox', (world) => { world.runner.available = false; }],
  ])('ends: %s', async (_name, change) => {
    const { world, asked } = await askedAfter(run('npm', 'test'), run('npm', 'test'), (now) => { change(now, now.session.grants); });
    expect([asked, world.runner.runs.length]).toEqual([true, 1]);
  });

  it('never turns a deny into a yes', async () => {
    const { world } = await askedAfter(run('npm', 'test'), run('npm', 'test'), (now) => { now.setPolicy({}, false); });
    expect(world.audit.outcomes()).toEqual(['allow', 'hidden_tool']);
    expect(world.runner.runs).toHaveLength(1);
  });

  it.each(GATED.filter(([tool]) => !tool.startsWith('run_')))('is not offered for %s %j, and an answer that takes it anyway is a once', async (tool, args) => {
    const { world } = await one(tool, args, { script: () => ({ scope: 'session' }) });
    expect(world.surface.opened[0]!.card.choices.map(({ scope }) => scope)).toEqual(['once']);
    expect(world.session.grants.list()).toEqual([]);
    expect(world.audit.decisions()[0]!.decider.scope).toBe('once');
  });
});
