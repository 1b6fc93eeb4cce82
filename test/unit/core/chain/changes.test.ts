/** Changes to files between the moment they are shown and the moment they are written. */
import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../../src/core/approval/request.ts';
import type { Call } from '../../../../src/core/call.ts';
import { StaleBase, type Reading } from '../../../../src/core/ports.ts';
import { GUARDS } from '../../../../src/guards/index.ts';
import { createSession, propose, say, ScriptedSource, toolCall, until, type SessionOptions, type SessionWorld } from '../../../fakes/session.ts';

const edit = (from: string, to: string, path = 'a.txt') => toolCall('edit_file', { path, edits: [{ old_text: from, new_text: to }] });

async function open(options: SessionOptions, ...calls: readonly Call[]) {
  const world = createSession(options);
  const source = new ScriptedSource([propose(...calls), say('ok')]);
  const task = world.session.create('Do it', 'editor');
  const run = task.run(source);
  await until(() => world.surface.opened.length === 1);
  return { world, source, task, run, request: world.surface.opened[0]! };
}

describe('DP-02 nothing but an answer is an answer', () => {
  it.each<readonly [string, (world: SessionWorld, request: ApprovalRequest, removeSurface: () => void) => void]>([
    ['the surface goes away', (_world, _request, removeSurface) => { removeSurface(); }],
    ['the surface says that it closed', (world, request) => { world.surface.close(request.id, 'cancelled'); }],
    ['a message is typed', (world) => { world.session.create('approve', 'editor').queue('yes, approve'); }],
    ['time passes, but not all of it', (world) => { world.clock.advance(479 * 60_000); }],
  ])('%s: the question stays open', async (_name, happen) => {
    const world = createSession({ files: { 'a.txt': 'v1\n' } });
    const removeSurface = world.broker.addSurface({ id: 'diff', open: () => undefined, close: () => undefined });
    const task = world.session.create('Do it', 'editor');
    const run = task.run(new ScriptedSource([propose(edit('v1', 'v2')), say('ok')]));
    await until(() => world.surface.opened.length === 1);
    happen(world, world.surface.opened[0]!, removeSurface);
    await until(() => world.broker.pending().length === 1);
    expect(world.broker.pending()).toEqual([world.surface.opened[0]]);
    expect([world.text('a.txt'), task.running]).toEqual(['v1\n', true]);
    const late = { opened: [] as string[] };
    world.broker.addSurface({ id: 'chat', open: ({ id }) => { late.opened.push(id); }, close: () => undefined });
    expect(late.opened).toEqual([world.surface.opened[0]!.id]);
    task.stop();
    await run;
    expect(world.text('a.txt')).toBe('v1\n');
  });

  it('a typed "yes" while it waits is kept for the model and approves nothing', async () => {
    const { world, task, run, source, request } = await open({ files: { 'a.txt': 'v1\n' } }, edit('v1', 'v2'));
    task.queue('yes, approve');
    expect(world.broker.pending()).toEqual([request]);
    world.surface.press(request, 'deny');
    expect((await run).how).toBe('finished');
    expect(source.requests.at(-1)!.messages.at(-1)).toEqual({ role: 'user', text: 'yes, approve' });
    expect(world.text('a.txt')).toBe('v1\n');
  });

  it('the end of the window settles it as undecided, never as a denial', async () => {
    const { world, run, source, request } = await open({ files: { 'a.txt': 'v1\n' } }, edit('v1', 'v2'));
    world.broker.dispose();
    await run;
    expect(source.result('c1')).toMatch(/^Interrupted before anybody decided; nothing ran\. This is not a denial/);
    expect(world.audit.outcomes()).toEqual(['interrupted']);
    expect([world.text('a.txt'), world.clock.open]).toEqual(['v1\n', 0]);
    expect(world.surface.press(request, 'approve')).toBe('already_answered');
    expect(world.text('a.txt')).toBe('v1\n');
  });

  it('time that runs out is told as no answer', async () => {
    const { world, run, source } = await open({ files: { 'a.txt': 'v1\n' } }, edit('v1', 'v2'));
    world.clock.advance(480 * 60_000);
    await run;
    expect(source.result('c1')).toMatch(/^No answer.*not a denial/);
    expect(world.text('a.txt')).toBe('v1\n');
  });
});

describe('DP-06 the person changes the text before approving', () => {
  it.each(['x=3\n', '', 'x=1\n', 'ü — 日本語\r\n', 'x=2\nx=3'])('exactly %j lands, as a new fingerprint, and the model is told', async (edited) => {
    const judged: string[] = [];
    const spy = { id: 'test/spy', check: ({ fingerprint, resolution }: Parameters<(typeof GUARDS)[number]['check']>[0]) => { judged.push(`${fingerprint} ${resolution.changes[0]!.after}`); return undefined; } };
    const { world, run, source, request } = await open({ files: { 'a.txt': 'x=1\n' }, over: { guards: [...GUARDS, spy] } }, edit('x=1', 'x=2'));
    world.surface.press(request, { edits: { '/w/a.txt': edited, '/w/other.txt': 'never', '/etc/passwd': 'never' } });
    await run;
    expect(world.text('a.txt')).toBe(edited);
    expect([...world.files.keys()]).toEqual(['/w/a.txt']);
    expect(source.result('c1')).toMatch(/The person changed the text before approving it/);
    const [decision] = world.audit.decisions();
    expect(decision).toMatchObject({ decision: 'allow', decider: { by: 'person', edited: true, scope: 'once' } });
    expect(decision!.fingerprint).not.toBe(request.fingerprint);
    expect(judged.map((line) => line.slice(line.indexOf(' ') + 1))).toEqual(['x=2\n', edited]);
    expect(judged[1]).toContain(decision!.fingerprint);
    expect(decision!.changes[0]).toMatchObject({ base: request.changes[0]!.baseDigest, after: world.world.reading.digestText(edited, 'utf8') });
    expect(world.audit.entries.find((entry) => entry.kind === 'asked')).toMatchObject({ fingerprint: request.fingerprint });
    expect(world.executed.map(({ spent }) => spent)).toEqual([true]);
  });

  it('an edit that a guard denies is refused and nothing is written', async () => {
    const words = { id: 'test/words', check: ({ resolution }: Parameters<(typeof GUARDS)[number]['check']>[0]) => (resolution.changes.some(({ after }) => after.includes('forbidden')) ? { rule: 'test/words', action: 'deny' as const, patternKey: 'forbidden_word', approvalAction: 'write_file' as const, reason: 'It holds a forbidden word.' } : undefined) };
    const { world, run, source, request } = await open({ files: { 'a.txt': 'x=1\n' }, over: { guards: [...GUARDS, words] } }, edit('x=1', 'x=2'));
    world.surface.press(request, { edits: { '/w/a.txt': 'forbidden\n' } });
    await run;
    expect([world.text('a.txt'), world.executed.length]).toEqual(['x=1\n', 0]);
    expect(source.result('c1')).toMatch(/^Not run, and it will not be: It holds a forbidden word/);
    expect(world.audit.decisions()).toMatchObject([{ decision: 'deny', code: 'guard_denied', patternKey: 'forbidden_word', decider: { by: 'person', edited: true } }]);
    expect(world.audit.results()).toEqual([]);
  });

  it('a guard that throws on the edited text denies it', async () => {
    let times = 0;
    const once = { id: 'test/once', check: () => { times += 1; if (times > 1) throw new Error('twice'); return undefined; } };
    const { world, run, request } = await open({ files: { 'a.txt': 'x=1\n' }, over: { guards: [...GUARDS, once] } }, edit('x=1', 'x=2'));
    world.surface.press(request, { edits: { '/w/a.txt': 'x=3\n' } });
    await run;
    expect([world.text('a.txt'), world.audit.outcomes()]).toEqual(['x=1\n', ['guard_failed']]);
  });

  it.each<readonly [string, Record<string, string> | undefined]>([['none', undefined], ['the proposal itself', { '/w/a.txt': 'x=2\n' }], ['another file', { '/w/b.txt': 'x=3\n' }], ['the path as the model wrote it', { 'a.txt': 'x=3\n' }]])(
    'edits that change nothing of this request leave it as shown: %s', async (_name, edits) => {
      const { world, run, source, request } = await open({ files: { 'a.txt': 'x=1\n' } }, edit('x=1', 'x=2'));
      world.surface.press(request, { edits });
      await run;
      expect([world.text('a.txt'), [...world.files.keys()]]).toEqual(['x=2\n', ['/w/a.txt']]);
      expect(world.audit.decisions()).toMatchObject([{ fingerprint: request.fingerprint, decider: { edited: false } }]);
      expect(source.result('c1')).not.toMatch(/person changed/);
    });

  it('edits on a denial, or on a command, do nothing', async () => {
    const denied = await open({ files: { 'a.txt': 'x=1\n' } }, edit('x=1', 'x=2'));
    denied.world.surface.press(denied.request, { choice: 'deny', edits: { '/w/a.txt': 'x=3\n' } });
    await denied.run;
    expect(denied.world.text('a.txt')).toBe('x=1\n');
    const command = await open({ files: { 'a.txt': 'x=1\n' } }, toolCall('run_command', { program: 'make', args: [] }));
    command.world.surface.press(command.request, { edits: { '/w/a.txt': 'x=3\n', '/w': 'rm' } });
    await command.run;
    expect(command.world.runner.runs.map(({ command: { argv } }) => argv)).toEqual([['make']]);
    expect(command.world.text('a.txt')).toBe('x=1\n');
  });

  it('an edited text over a file that changed meanwhile is stale too', async () => {
    const { world, run, request } = await open({ files: { 'a.txt': 'x=1\n' } }, edit('x=1', 'x=2'));
    world.files.set('/w/a.txt', Buffer.from('user\n'));
    world.surface.press(request, { edits: { '/w/a.txt': 'x=3\n' } });
    await run;
    expect([world.text('a.txt'), world.audit.results().map(({ status }) => status)]).toEqual(['user\n', ['stale']]);
  });
});

/** A reading whose `locate` can be led elsewhere while the request waits. */
function movable(world: SessionWorld): { reading: Reading; lead: (real: string) => void } {
  let elsewhere: string | undefined;
  const inner = world.world.reading;
  return {
    lead: (real) => { elsewhere = real; },
    reading: { ...inner, locate: async (asked, operation) => {
      const found = await inner.locate(asked, operation);
      return elsewhere === undefined ? found : { ...found, real: elsewhere, relative: undefined, folder: undefined, linked: true, fileKind: 'file' };
    } },
  };
}

describe('ED-09 the file changes while the approval waits', () => {
  const original = 'v1\n';
  const rows: readonly (readonly [string, (world: SessionWorld, lead: (real: string) => void) => void, 'stale' | 'written', Readonly<Record<string, string>>])[] = [
    ['A other text', ({ files }) => { files.set('/w/a.txt', Buffer.from('user\nv1\n')); }, 'stale', { '/w/a.txt': 'user\nv1\n' }],
    ['B deleted', ({ files }) => { files.delete('/w/a.txt'); }, 'stale', {}],
    ['C a directory', ({ files }) => { files.delete('/w/a.txt'); files.set('/w/a.txt/b', Buffer.from('b')); }, 'stale', { '/w/a.txt/b': 'b' }],
    ['D a link to outside', ({ files }, lead) => { files.set('/tmp/outside', Buffer.from(original)); lead('/tmp/outside'); }, 'stale', { '/w/a.txt': original, '/tmp/outside': original }],
    ['E touched only', ({ files }) => { files.set('/w/a.txt', Buffer.from(original)); }, 'written', { '/w/a.txt': 'v2\n' }],
    ['F other bytes of the same size', ({ files }) => { files.set('/w/a.txt', Buffer.from('w1\n')); }, 'stale', { '/w/a.txt': 'w1\n' }],
    ['G a byte order mark more', ({ files }) => { files.set('/w/a.txt', Buffer.from('\ufeffv1\n')); }, 'stale', { '/w/a.txt': '\ufeffv1\n' }],
    ['H other line ends', ({ files }) => { files.set('/w/a.txt', Buffer.from('v1\r\n')); }, 'stale', { '/w/a.txt': 'v1\r\n' }],
    ['I unsaved text in the editor', ({ world }) => { world.unsaved.set('/w/a.txt', 'typed\n'); }, 'stale', { '/w/a.txt': original }],
  ];

  it.each(rows)('%s', async (_name, happen, outcome, expected) => {
    const world = createSession({ files: { 'a.txt': original } });
    const { reading, lead } = movable(world);
    Object.assign(world.parts, { reading });
    const source = new ScriptedSource([propose(edit('v1', 'v2')), say('ok')]);
    const run = world.session.create('Do it', 'editor').run(source);
    await until(() => world.surface.opened.length === 1);
    happen(world, lead);
    world.surface.press(world.surface.opened[0]!, 'approve');
    expect((await run).how).toBe('finished');
    expect(Object.fromEntries([...world.files].map(([path, bytes]) => [path, bytes.toString('utf8')]))).toEqual(expected);
    expect(world.audit.results().map(({ status }) => status)).toEqual([outcome === 'stale' ? 'stale' : 'succeeded']);
    if (outcome === 'written') return;
    expect(world.executed).toEqual([]);
    expect(source.result('c1')).toBe('Not applied: a.txt changed after it was shown. Read it again and propose the change anew.');
    expect(world.audit.decisions()[0]!.changes).toMatchObject([{ path: 'a.txt', base: world.surface.opened[0]!.changes[0]!.baseDigest }]);
  });

  it('a new file that appears meanwhile is not overwritten', async () => {
    const { world, run, request } = await open({}, toolCall('write_file', { path: 'new.txt', content: 'agent' }));
    world.files.set('/w/new.txt', Buffer.from('user'));
    world.surface.press(request, 'approve');
    await run;
    expect([world.text('new.txt'), world.executed.length]).toEqual(['user', 0]);
  });

  it('a change that only the writer notices is stale as well, and the next try is asked anew', async () => {
    const world = createSession({ files: { 'a.txt': original }, script: () => 'approve', effects: { applyChanges: () => Promise.reject(new StaleBase('a.txt')) } });
    const { source } = await world.play((_request, n) => (n < 2 ? propose({ ...edit('v1', 'v2'), id: `c${n}` }) : say('ok')));
    expect(world.surface.opened).toHaveLength(2);
    expect(source.result('c1')).toMatch(/^Not applied: a\.txt changed/);
    expect(world.audit.results().map(({ status }) => status)).toEqual(['stale', 'stale']);
  });

  it('the working directory of a command that leads elsewhere stops it', async () => {
    const world = createSession({ files: { 'sub/a.txt': 'a' } });
    const { reading, lead } = movable(world);
    Object.assign(world.parts, { reading });
    const run = world.session.create('Do it', 'editor').run(new ScriptedSource([propose(toolCall('run_command', { program: 'make', args: [], cwd: 'sub' })), say('ok')]));
    await until(() => world.surface.opened.length === 1);
    lead('/tmp');
    world.surface.press(world.surface.opened[0]!, 'approve');
    await run;
    expect(world.runner.runs).toEqual([]);
    expect(world.audit.results().map(({ status }) => status)).toEqual(['stale']);
  });

  it('ED-13 later edits of one message are judged on what the earlier ones wrote', async () => {
    const lines = (change: (n: number) => string): string => Array.from({ length: 100 }, (_, n) => `${change(n + 1)}\n`).join('');
    const world = createSession({ files: { 'n.txt': lines((n) => `line ${n}.`) }, script: () => 'approve' });
    const { source } = await world.play([propose(...[['line 50.', 'FIFTY'], ['line 75.', 'SEVENTYFIVE'], ['line 50.', 'X']].map(([from, to], n) => ({ ...edit(from!, to!, 'n.txt'), id: `c${n}` }))), say('ok')]);
    expect(world.text('n.txt')).toBe(lines((n) => (n === 50 ? 'FIFTY' : n === 75 ? 'SEVENTYFIVE' : `line ${n}.`)));
    expect([0, 1, 2].map((n) => source.result(`c${n}`)!.split(' ', 1)[0])).toEqual(['Changed', 'Changed', 'Not']);
    expect(world.surface.opened).toHaveLength(2);
  });
});
