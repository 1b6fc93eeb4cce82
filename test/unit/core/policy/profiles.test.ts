/** Which tools a session sees: the same answer for what the model is told and for what it may call. */
import { describe, expect, it } from 'vitest';
import { CAPABILITIES, CHANNELS, PROFILES, type Capability } from '../../../../src/core/call.ts';
import { filterToolsByPolicy, whyHidden } from '../../../../src/core/policy/profiles.ts';
import type { Tool } from '../../../../src/core/tool.ts';
import { TOOLS } from '../../../../src/tools/index.ts';
import { createSession, policyOf, propose, ScriptedSource, say, toolCall } from '../../../fakes/session.ts';

const NAMES = TOOLS.map(({ name }) => name);
const READS = ['read_file', 'list_directory', 'find_files', 'search_text', 'read_diagnostics', 'ask_user'];
const see = (settings: Record<string, unknown>, trusted = true): readonly string[] => filterToolsByPolicy(TOOLS, { policy: policyOf(settings, trusted), channel: 'editor' }).map(({ name }) => name);

/** Arguments that would run or be asked about if the tool were there. */
const ARGS: Record<string, unknown> = {
  read_file: { path: 'a.txt' }, list_directory: { path: '.' }, find_files: { pattern: '*' }, search_text: { pattern: 'a' }, read_diagnostics: {},
  edit_file: { path: 'a.txt', edits: [{ old_text: 'a', new_text: 'b' }] }, write_file: { path: 'b.txt', content: 'b' },
  run_command: { program: 'ls', args: [] }, run_shell: { command: 'ls' }, ask_user: { question: 'Which?' },
};

describe('profiles', () => {
  it.each([['minimal', READS], ['messaging', READS], ['coding', NAMES], ['full', NAMES]] as const)('%s shows %j', (profile, shown) => {
    expect(see({ profile }).toSorted()).toEqual([...shown].toSorted());
  });

  it('a wider profile shows everything a narrower one does', () => {
    for (const [index, profile] of PROFILES.entries()) {
      for (const narrower of PROFILES.slice(0, index)) expect(see({ profile })).toEqual(expect.arrayContaining([...see({ profile: narrower })]));
    }
  });

  it('an untrusted workspace shows tools that only read, whatever the profile', () => {
    for (const profile of PROFILES) for (const name of see({ profile }, false)) expect(READS).toContain(name);
    expect(see({}, false).toSorted()).toEqual(READS.toSorted());
  });

  it('a closed network hides what needs it', () => {
    const fetching: Tool = { ...TOOLS[0]!, name: 'fetch', capabilities: ['network.outbound'] };
    const hidden = (policy: string): string | undefined => whyHidden(fetching, { policy: policyOf({ 'network.policy': policy }), channel: 'editor' });
    expect([hidden('deny'), hidden('restricted'), hidden('allow')]).toEqual(['the network is closed', undefined, undefined]);
  });

  it.each(CHANNELS)('a question needs somebody to answer it: %s', (channel) => {
    const names = filterToolsByPolicy(TOOLS, { policy: policyOf(), channel }).map(({ name }) => name);
    expect(names.includes('ask_user')).toBe(channel !== 'schedule' && channel !== 'external');
    expect(names).toEqual(expect.arrayContaining(NAMES.filter((name) => name !== 'ask_user')));
  });
});

describe('sluice.tools.deny', () => {
  it.each<readonly [string, readonly string[]]>([
    ['run_shell', ['run_shell']], ['run_*', ['run_command', 'run_shell']], ['run_?????', ['run_shell']], ['*', NAMES], ['fs.write', ['edit_file', 'write_file']],
    ['fs.*', ['read_file', 'list_directory', 'find_files', 'search_text', 'edit_file', 'write_file']], ['process.exec', ['run_command', 'run_shell']], ['process.*', ['run_command', 'run_shell']],
    ['RUN_SHELL', []], ['run', []], ['_shell', []], ['exec', []], ['file', []],
  ])('%s hides %j', (pattern, hidden) => {
    const shown = see({ 'tools.deny': [pattern] });
    expect(NAMES.filter((name) => !shown.includes(name)).toSorted()).toEqual([...hidden].toSorted());
  });

  it('every capability can be denied by its name', () => {
    for (const capability of CAPABILITIES) {
      const tool: Tool = { ...TOOLS[0]!, name: 'one', capabilities: ['fs.read', capability] satisfies Capability[] };
      expect(whyHidden(tool, { policy: policyOf({ 'tools.deny': [capability], 'network.policy': 'allow' }), channel: 'editor' })).toContain(capability);
    }
  });

  it.each(['{run_shell,write_file}', '{a,b}'.repeat(20), '!read_file', '#run_shell', '+(run_*)', '[rw]*', 'run shell', ''])('a pattern that would do less than it seems to is an error, and hides all: %s', (pattern) => {
    const policy = policyOf({ 'tools.deny': ['write_file', pattern] });
    expect(policy.problems).toHaveLength(1);
    expect(filterToolsByPolicy(TOOLS, { policy, channel: 'editor' })).toEqual([]);
  });
});

describe('a hidden tool cannot be called', () => {
  const hiddenWhen = (settings: Record<string, unknown>, trusted: boolean): readonly string[] => NAMES.filter((name) => !see(settings, trusted).includes(name));
  const rows: readonly (readonly [string, Record<string, unknown>, boolean])[] = [
    ['profile minimal', { profile: 'minimal' }, true], ['profile messaging', { profile: 'messaging' }, true], ['denied by name', { 'tools.deny': ['*'] }, true],
    ['denied by capability', { 'tools.deny': ['fs.read', 'process.exec'] }, true], ['Restricted Mode', {}, false], ['Restricted Mode, profile full', { profile: 'full', 'approval.writes': 'auto' }, false],
  ];

  it.each(rows.flatMap(([what, settings, trusted]) => hiddenWhen(settings, trusted).map((tool) => [what, tool, settings, trusted] as const)))('%s: %s', async (_, tool, settings, trusted) => {
    const world = createSession({ files: { 'a.txt': 'a\n' }, settings, trusted, script: () => 'approve' });
    const { source } = await world.play([propose(toolCall(tool, ARGS[tool])), say('ok')]);
    expect(source.requests[0]!.tools.map(({ name }) => name)).not.toContain(tool);
    expect(source.result('c1')).toContain(`The tool ${tool} is not available in this session`);
    expect([world.surface.opened, world.executed, world.runner.runs]).toEqual([[], [], []]);
    expect(world.audit.outcomes()).toEqual(['hidden_tool']);
    expect(world.text('a.txt')).toBe('a\n');
  });

  it('what is hidden while a task runs is gone from the next request and from the next call', async () => {
    const world = createSession({ files: { 'a.txt': 'a\n' }, script: () => 'approve' });
    const { source } = await world.play((_request, n) => {
      if (n === 1) world.setPolicy({ 'tools.deny': ['run_*'] });
      return n < 2 ? propose(toolCall('run_command', ARGS['run_command'], { id: `c${n}` })) : say('ok');
    });
    expect(source.result('c0')).toMatch(/exit code 0/);
    expect(source.result('c1')).toMatch(/not available in this session/);
    expect(source.requests[2]!.tools.map(({ name }) => name)).not.toContain('run_command');
    expect(world.runner.runs).toHaveLength(1);
    expect(world.audit.entries.filter(({ kind }) => kind === 'policy')).toHaveLength(1);
  });

  it.each(['schedule', 'external'] as const)('nobody is asked on the channel %s: what asks is denied, what only reads runs', async (channel) => {
    const world = createSession({ files: { 'a.txt': 'a\n', '.env': 'A=1\n' }, script: () => 'approve' });
    const source = new ScriptedSource([
      propose(...['write_file', 'edit_file', 'run_command', 'run_shell', 'ask_user', 'read_file'].map((tool) => toolCall(tool, ARGS[tool], { id: tool })), toolCall('read_file', { path: '.env' }, { id: 'secret' })),
      say('ok'),
    ]);
    await world.session.create('Do it', channel).run(source);
    for (const id of ['write_file', 'edit_file', 'run_command', 'run_shell', 'secret']) expect(source.result(id), id).toMatch(/needs a person's approval and nobody is there/);
    expect(source.result('ask_user')).toMatch(/nobody is there to answer/);
    expect(source.result('read_file')).toContain('a');
    expect(world.surface.opened).toEqual([]);
    expect(world.audit.outcomes()).toEqual(['denied_unattended', 'denied_unattended', 'denied_unattended', 'denied_unattended', 'hidden_tool', 'allow', 'denied_unattended']);
    expect([world.runner.runs.length, world.text('a.txt'), world.text('b.txt')]).toEqual([0, 'a\n', undefined]);
  });
});
