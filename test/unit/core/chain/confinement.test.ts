/** What is hidden stays hidden, what has nobody to ask is denied, and what runs unconfined asks every time. */
import { describe, expect, it, test } from 'vitest';
import { CHANNELS, PROFILES, type Channel } from '../../../../src/core/call.ts';
import { TOOLS } from '../../../../src/tools/index.ts';
import { createSession, propose, say, ScriptedSource, toolCall, type SessionOptions } from '../../../fakes/session.ts';

/** Arguments that would do something, for each tool. */
const ARGS: Readonly<Record<string, unknown>> = {
  read_file: { path: 'a.txt' }, list_directory: { path: '.' }, find_files: { pattern: '*' }, search_text: { pattern: 'a' }, read_diagnostics: {},
  edit_file: { path: 'a.txt', edits: [{ old_text: 'a', new_text: 'b' }] }, write_file: { path: 'b.txt', content: 'b' },
  run_command: { program: 'make', args: [] }, run_shell: { command: 'make' }, ask_user: { question: 'Which?' },
};

async function playOn(channel: Channel, options: SessionOptions, ...calls: readonly (readonly [string, unknown])[]) {
  const world = createSession({ files: { 'a.txt': 'a\n', '/srv/x': 'x' }, script: () => 'approve', ...options });
  const source = new ScriptedSource([propose(...calls.map(([tool, args], n) => toolCall(tool, args, { id: `c${n}` }))), say('ok')]);
  const end = await world.session.create('Do it', channel).run(source);
  return { world, source, ...end };
}

const offered = (source: ScriptedSource): string[] => source.requests[0]!.tools.map(({ name }) => name);

it('has arguments for every tool', () => {
  expect(Object.keys(ARGS).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});

describe('a tool that is not offered cannot be called', () => {
  it.each<readonly [string, SessionOptions]>([
    ...PROFILES.map((profile) => [`profile ${profile}`, { settings: { profile } }] as const),
    ['denied by name', { settings: { 'tools.deny': ['write_file', 'ask_user'] } }], ['denied by glob', { settings: { 'tools.deny': ['run_*'] } }],
    ['denied by capability', { settings: { 'tools.deny': ['fs.write', 'process.exec'] } }], ['denied whole', { settings: { 'tools.deny': ['*'] } }],
    ['Restricted Mode', { trusted: false }], ['Restricted Mode, profile full', { trusted: false, settings: { profile: 'full', 'approval.writes': 'auto' } }],
  ])('%s', async (_name, options) => {
    const { source } = await playOn('editor', options);
    const shown = new Set(offered(source));
    for (const { name } of TOOLS) {
      const { world, source: asked } = await playOn('editor', options, [name, ARGS[name]]);
      if (shown.has(name)) {
        expect(world.audit.outcomes(), name).toEqual(['allow']);
        continue;
      }
      expect(world.audit.outcomes(), name).toEqual(['hidden_tool']);
      expect([world.surface.opened.length, world.executed.length], name).toEqual([0, 0]);
      expect(asked.result('c0')).toContain(`The tool ${name} is not available`);
    }
  });

  it('a tool hidden while the task runs is not callable from the next call on, and not offered either', async () => {
    const world = createSession({ files: { 'a.txt': 'a\n' }, script: () => 'approve' });
    const { source } = await world.play((_request, n) => {
      if (n === 1) world.setPolicy({ 'tools.deny': ['run_command'] });
      return n < 2 ? propose(toolCall('run_command', ARGS['run_command'], { id: `c${n}` })) : say('ok');
    });
    expect(world.audit.outcomes()).toEqual(['allow', 'hidden_tool']);
    expect(source.requests.map(({ tools }) => tools.some(({ name }) => name === 'run_command'))).toEqual([true, true, false]);
    expect(world.audit.entries.filter(({ kind }) => kind === 'policy')).toHaveLength(1);
    expect(world.runner.runs).toHaveLength(1);
  });
});

describe('Restricted Mode', () => {
  it('offers reading only, says so to the model, and changes nothing', async () => {
    const { source, world } = await playOn('editor', { trusted: false }, ...Object.entries(ARGS));
    expect(offered(source).sort()).toEqual(['ask_user', 'find_files', 'list_directory', 'read_diagnostics', 'read_file', 'search_text']);
    expect(source.requests[0]!.system).toMatch(/not trusted/);
    expect([world.text('a.txt'), world.files.has('/w/b.txt'), world.runner.runs.length, world.surface.opened.length]).toEqual(['a\n', false, 0, 0]);
  });

  it('begins for the call after trust is lost, also between two calls of one message', async () => {
    const world = createSession({ files: { 'a.txt': 'a\n' } });
    world.surface.script = () => { world.setPolicy({}, false); return 'approve'; };
    await world.play([propose(toolCall('run_command', ARGS['run_command']), toolCall('run_command', ARGS['run_command'], { id: 'c2' })), say('ok')]);
    expect(world.audit.outcomes()).toEqual(['allow', 'hidden_tool']);
    expect(world.runner.runs).toHaveLength(1);
  });
});

describe('an unattended channel has nobody to ask', () => {
  it.each(CHANNELS)('%s', async (channel) => {
    const unattended = channel === 'schedule' || channel === 'external';
    for (const [tool, args] of [...Object.entries(ARGS), ['read_file', { path: '/srv/x' }]] as const) {
      const gated = ['edit_file', 'write_file', 'run_command', 'run_shell'].includes(tool) || args !== ARGS[tool];
      const { world, source } = await playOn(channel, {}, [tool, args]);
      const outcome = !unattended ? 'allow' : gated ? 'denied_unattended' : tool === 'ask_user' ? 'hidden_tool' : 'allow';
      expect([tool, world.audit.outcomes(), world.surface.opened.length]).toEqual([tool, [outcome], gated && !unattended ? 1 : 0]);
      if (!gated || !unattended) continue;
      expect(world.executed).toEqual([]);
      expect(source.result('c0')).toMatch(/needs a person's approval and nobody is there/);
      expect(source.result('c0')).not.toMatch(/denied by the person/i);
    }
  });
});

describe('without the sandbox', () => {
  it.each(['run_command', 'run_shell'])('%s asks every time, offers no session grant and takes none', async (tool) => {
    const world = createSession({ sandbox: false, script: () => ({ scope: 'session' }), settings: { 'approval.writes': 'auto' } });
    for (let round = 0; round < 3; round += 1) await world.play([propose(toolCall(tool, ARGS[tool])), say('ok')]);
    expect(world.surface.opened).toHaveLength(3);
    expect(world.runner.runs.map(({ confined }) => confined)).toEqual([false, false, false]);
    for (const { card, confinement } of world.surface.opened) {
      expect(card.choices.map(({ scope }) => scope)).toEqual(['once']);
      expect(card.banner).toMatch(/unconfined/);
      expect(card.where).toMatch(/unconfined/);
      expect(confinement).toBe('unconfined');
    }
    expect(world.session.grants.list()).toEqual([]);
    expect(world.audit.decisions().map(({ decider, confinement }) => [decider.by, decider.scope, confinement])).toEqual(Array(3).fill(['person', 'once', 'unconfined']));
  });

  it('asks although no guard does, and an unattended task is denied', async () => {
    const asked = await playOn('editor', { sandbox: false, over: { guards: [] } }, ['run_command', ARGS['run_command']]);
    expect(asked.world.surface.opened).toMatchObject([{ patternKey: 'unconfined_run', risk: 'exec' }]);
    expect(asked.world.surface.opened[0]!.card.why).toContain('bubblewrap is missing');
    const alone = await playOn('schedule', { sandbox: false, over: { guards: [] } }, ['run_command', ARGS['run_command']]);
    expect([alone.world.audit.outcomes(), alone.world.runner.runs.length]).toEqual([['denied_unattended'], 0]);
  });

  it('a guard\'s denial stays a denial', async () => {
    const { world } = await playOn('editor', { sandbox: false }, ['run_shell', { command: 'reboot' }]);
    expect([world.audit.outcomes(), world.surface.opened.length]).toEqual([['guard_denied'], 0]);
  });
});

test('with the sandbox a command runs confined, whatever the model says it needs', async () => {
  const { world, source } = await playOn('editor', {}, ['run_command', ARGS['run_command']], ['run_command', { program: 'make', args: [], confined: false }], ['run_command', { program: 'make', args: [], sandbox: 'off' }]);
  expect(world.runner.runs.map(({ confined }) => confined)).toEqual([true]);
  expect([source.result('c1'), source.result('c2')].every((text) => text!.includes('unknown parameter'))).toBe(true);
});

test('a sandbox that cannot be asked for its state runs nothing', async () => {
  const world = createSession({ script: () => 'approve' });
  world.runner.status = () => Promise.reject(new Error('the self-test fell'));
  const { source } = await world.play([propose(toolCall('run_command', ARGS['run_command'])), say('ok')]);
  expect([world.surface.opened.length, world.runner.runs.length, world.audit.outcomes()]).toEqual([0, 0, ['internal_error']]);
  expect(source.result('c1')).toBe('Not run: the self-test fell.');
});

test('a tool that declares no known risk counts as one that writes: it is asked, never free', async () => {
  const [base] = TOOLS;
  const odd = { ...base!, name: 'odd_tool', risk: 'harmless' as 'read_only' };
  const { world } = await playOn('editor', { over: { tools: [odd], guards: [] } }, ['odd_tool', { path: 'a.txt' }]);
  expect(world.surface.opened).toMatchObject([{ risk: 'write', tool: 'odd_tool' }]);
});
