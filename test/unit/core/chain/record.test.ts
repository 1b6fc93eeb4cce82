/** Nothing runs without a record, and a record says what happened. */
import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../../src/core/agent/model.ts';
import type { AuditEntry } from '../../../../src/core/audit/record.ts';
import { createSession, propose, say, ScriptedSource, sha256, toolCall, until, type SessionWorld } from '../../../fakes/session.ts';

const write = (n: number) => toolCall('write_file', { path: `f${n}.txt`, content: `${n}` }, { id: `c${n}` });
const make = toolCall('run_command', { program: 'make', args: [] });

/** Every effect has an allow before it, and every allow that ended has one result after it. */
function balanced({ audit, executed }: SessionWorld): void {
  const allowed = audit.decisions().filter(({ decision }) => decision === 'allow').length;
  expect(executed.length).toBeLessThanOrEqual(allowed);
  expect(new Set(executed).size).toBe(executed.length);
}

describe('AU-03 the record cannot be written', () => {
  it.each<readonly [string, AuditEntry['kind'][], readonly string[]]>([
    ['full', ['asked', 'decision', 'result'], ['asked', 'decision']],
    ['the question cannot be recorded', ['asked'], ['asked']],
    ['the decision cannot be recorded', ['decision'], ['decision']],
  ])('%s: nothing runs, it is said, and it works again later without a new session', async (_name, kinds) => {
    const world = createSession({ script: () => 'approve' });
    let full = true;
    world.audit.refuse = (entry) => full && kinds.includes(entry.kind);
    const { source } = await world.play((_request, n) => {
      if (n === 3) full = false;
      return n < 5 ? propose(write(n)) : say('ok');
    });
    for (const n of [0, 1, 2]) expect(source.result(`c${n}`)).toMatch(/^Not run: the decision could not be recorded \(no space left\)\. Nothing more runs/);
    expect([...world.files.keys()]).toEqual(['/w/f3.txt', '/w/f4.txt']);
    expect(world.surface.opened).toHaveLength(kinds.includes('asked') ? 2 : 5);
    expect(world.executed).toHaveLength(2);
    const words = world.events.flatMap((event) => (event.type === 'call' && event.view.rule === 'audit_unavailable' ? [event.view.reason] : []));
    expect(words).toHaveLength(3);
    expect(words[0]).toMatch(/audit cannot be written: no space left.*Free space or repair/);
    balanced(world);
  });

  it('also what needs nobody does not run: reads, auto writes, what a standing grant covers', async () => {
    const world = createSession({ files: { 'a.txt': 'a' }, settings: { 'approval.writes': 'auto' }, script: () => ({ scope: 'session' }) });
    await world.play([propose(make), say('ok')]);
    expect(world.runner.runs).toHaveLength(1);
    world.audit.refuse = (entry) => entry.kind === 'decision';
    await world.play([propose(make, write(1), toolCall('read_file', { path: 'a.txt' }, { id: 'c2' }), toolCall('ask_user', { question: 'Which?' }, { id: 'c3' })), say('ok')]);
    expect([world.runner.runs.length, world.executed.length, world.files.size, world.world.questions.length]).toEqual([1, 1, 1, 0]);
  });

  it('stops going round when it never recovers', async () => {
    const world = createSession({ script: () => 'approve' });
    world.audit.refuse = (entry) => entry.kind === 'decision';
    const { source, how } = await world.play((_request, n) => propose(write(n)));
    expect([how, source.requests.length, world.files.size]).toEqual(['step_limit', 5, 0]);
  });

  it('no task starts without its own record, and the model is not asked', async () => {
    const world = createSession({ script: () => 'approve' });
    world.audit.refuse = () => true;
    const { source, how, text, task } = await world.play([propose(make), say('ok')]);
    expect([how, source.requests.length, task.running]).toEqual(['failed', 0, false]);
    expect(text).toMatch(/^The audit cannot be written: no space left\. Nothing more runs.*Free space or repair/);
    world.audit.refuse = () => false;
    expect((await task.run(source)).how).toBe('finished');
    expect(world.runner.runs).toHaveLength(1);
  });

  it.each<readonly [string, Parameters<typeof toolCall>, (world: SessionWorld) => void]>([
    ['a write', ['write_file', { path: 'a.txt', content: 'a' }], () => undefined],
    ['a command that fails', ['run_command', { program: 'make', args: [] }], ({ runner }) => { runner.behave = () => ({ exitCode: 2 }); }],
    ['a command that was cancelled', ['run_command', { program: 'make', args: [] }], ({ runner }) => { runner.behave = () => ({ end: 'cancelled', exitCode: undefined }); }],
    ['a command that timed out', ['run_command', { program: 'make', args: [] }], ({ runner }) => { runner.behave = () => ({ end: 'timed_out', exitCode: undefined }); }],
  ])('%s ran but its result cannot be recorded: that is what the model reads, and the decision stays open', async (_name, call, prepare) => {
    const world = createSession({ script: () => 'approve' });
    prepare(world);
    world.audit.refuse = (entry) => entry.kind === 'result';
    const { source } = await world.play([propose(toolCall(...call)), say('ok')]);
    expect(source.result('c1')).toMatch(/^It ran, but its result could not be recorded \(no space left\)/);
    expect([world.audit.outcomes(), world.audit.results(), world.executed.length]).toEqual([['allow'], [], 1]);
  });

  it('a change of policy is recorded once the record works again', async () => {
    const world = createSession({ script: () => 'approve' });
    world.audit.refuse = (entry) => entry.kind === 'policy';
    await world.play((_request, n) => {
      if (n === 0) world.setPolicy({ 'approval.expiryMinutes': 5 });
      if (n === 2) world.audit.refuse = () => false;
      return n < 4 ? propose(write(n)) : say('ok');
    });
    const version = world.parts.policy().version;
    expect(world.audit.entries.filter((entry) => entry.kind === 'policy')).toMatchObject([{ policyVersion: version }]);
    expect(world.audit.decisions().map(({ policyVersion }) => policyVersion)).toEqual([version, version, version, version]);
  });
});

describe('the record says what happened', () => {
  it('in order: task, asked, decision before the effect, result after it, end', async () => {
    const world = createSession({ script: () => 'approve' });
    const seen: string[] = [];
    world.runner.behave = () => { seen.push(...world.audit.entries.map(({ kind }) => kind)); return {}; };
    await world.play([propose(make), say('ok')]);
    expect(seen).toEqual(['task', 'asked', 'decision']);
    expect(world.audit.entries.map(({ kind }) => kind)).toEqual(['task', 'asked', 'decision', 'result', 'task_end']);
    const [decision] = world.audit.decisions();
    expect(decision).toMatchObject({ callId: 'c1', tool: 'run_command', confinement: 'sandboxed', risk: 'exec', patternKey: 'command_review', fingerprint: world.surface.opened[0]!.fingerprint, policyVersion: world.parts.policy().version });
  });

  it('the digest of a task is of all that was asked, not of its title', async () => {
    const world = createSession();
    for (const prompt of ['Do it', 'Do it\nand that', 'Do it\nand this']) await world.play([say('ok')], prompt);
    const digests = world.audit.entries.flatMap((entry) => (entry.kind === 'task' ? [entry.promptDigest] : []));
    expect(digests).toEqual(['Do it', 'Do it\nand that', 'Do it\nand this'].map((prompt) => `sha256:${sha256(prompt)}`));
  });

  it.each<readonly [Parameters<typeof toolCall>, string]>([
    [['nothing', {}], 'unknown_tool'], [['read_file', '{'], 'invalid_arguments'], [['read_file', '{}', { complete: false }], 'incomplete_arguments'],
    [['edit_file', { path: 'none.txt', edits: [{ old_text: 'a', new_text: 'b' }] }], 'not_found'], [['run_shell', { command: 'reboot' }], 'guard_denied'],
    [['write_file', { path: '/etc/passwd', content: '' }], 'guard_denied'], [['read_file', { path: 'a.txt' }], 'allow'],
  ])('one decision for %j: %s', async (call, outcome) => {
    const world = createSession({ files: { 'a.txt': 'a' }, script: () => 'approve' });
    await world.play([propose(toolCall(...call)), say('ok')]);
    expect(world.audit.outcomes()).toEqual([outcome]);
    expect(world.audit.results()).toHaveLength(outcome === 'allow' ? 1 : 0);
    balanced(world);
  });

  it('an effect that throws is a failure that may have had effects, with a result', async () => {
    const world = createSession({ script: () => 'approve', effects: { applyChanges: () => Promise.reject(new Error('disk full')) } });
    const { source } = await world.play([propose(write(1)), say('ok')]);
    expect(source.result('c1')).toBe('Failed while running: disk full. It may have had effects; look before trying again.');
    expect([world.audit.outcomes(), world.audit.results().map(({ status }) => status)]).toEqual([['allow'], ['failed']]);
  });

  it('a stop between the yes and the run is recorded as cancelled, and nothing ran', async () => {
    const world = createSession();
    const task = world.session.create('Do it', 'editor');
    world.audit.refuse = (entry) => { if (entry.kind === 'decision') task.stop(); return false; };
    const run = task.run(new ScriptedSource([propose(make), say('ok')]));
    await until(() => world.surface.opened.length === 1);
    world.surface.press(world.surface.opened[0]!, 'approve');
    expect((await run).how).toBe('stopped');
    expect([world.runner.runs.length, world.audit.results().map(({ status }) => status)]).toEqual([0, ['cancelled']]);
    expect(world.saved.at(-1)!.messages.at(-1)).toMatchObject({ role: 'tool', text: 'Cancelled before it ran; nothing happened.' });
  });

  it('each result is kept before the next call is judged: a crash forgets nothing that was done', async () => {
    const world = createSession({ script: (_request, n) => (n === 0 ? 'approve' : undefined) });
    const task = world.session.create('Do it', 'editor');
    const run = task.run(new ScriptedSource([propose(write(1), write(2)), say('ok')]));
    await until(() => world.surface.opened.length === 2);
    const kept = world.saved.at(-1)!.messages.filter((message) => message.role === 'tool');
    expect(kept).toEqual([{ role: 'tool', callId: 'c1', text: 'Created f1.txt (lines +1).' }]);
    task.stop();
    await run;
  });

  it('a history that cannot be kept ends the task with the truth, not with a stop nobody made', async () => {
    let broken = false;
    const world = createSession({ script: () => 'approve', over: { save: () => (broken ? Promise.reject(new Error('quota')) : Promise.resolve()) } });
    const { how, text, task } = await world.play((_request, n) => { broken = n === 0; return propose(write(1), write(2)); });
    expect([how, world.executed.length]).toEqual(['failed', 0]);
    expect(text).toMatch(/^The task could not be kept: quota\. .*then continue\.$/);
    broken = false;
    const source = new ScriptedSource([say('ok')]);
    expect((await task.run(source)).how).toBe('finished');
    for (const id of ['c1', 'c2']) expect(source.result(id)).toMatch(/^No result: the task ended with an error/);
  });

  it('the model failing for good ends with its words', async () => {
    const world = createSession();
    const { how, text } = await world.play([new ModelError('unauthorized', 'The key is not accepted.')]);
    expect([how, text]).toEqual(['failed', 'The key is not accepted.']);
    expect(world.audit.entries.at(-1)).toMatchObject({ kind: 'task_end', how: 'failed' });
  });
});
