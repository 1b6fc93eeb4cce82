import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { grammarBytes } from '../../../src/build/grammar-bytes.mjs';
import { createDecider, type Decider, type Decision } from '../../../src/cli/decide.ts';
import type { DecideOptions } from '../../../src/cli/options.ts';

interface Circumstances {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly sandbox?: 'available' | 'missing';
  readonly platform?: DecideOptions['platform'];
  readonly trusted?: boolean;
  readonly hosts?: DecideOptions['hosts'];
}

const deciders = new Map<string, Decider>();
afterAll(() => { for (const decider of deciders.values()) decider.dispose(); });

/** One decider for each set of circumstances: loading the grammar is what takes time. */
function judge(line: string, { settings = {}, links = {}, sandbox = 'available', platform = 'linux', trusted = true, hosts = {} }: Circumstances = {}): Promise<Decision> {
  const options: DecideOptions = { workspaces: ['/workspace/project'], home: '/home/user', platform, sandbox, trusted, settings, links, hosts };
  const key = JSON.stringify(options);
  const decider = deciders.get(key) ?? createDecider(options, grammarBytes, () => undefined);
  deciders.set(key, decider);
  return decider.decide(line);
}

const call = (tool: string, args: unknown, more: object = {}): string => JSON.stringify({ tool, args, ...more });
const auto = { settings: { 'approval.writes': 'auto' } };

describe('decide', () => {
  const rows: readonly (readonly [string, string, Circumstances?])[] = [
    ['allow', call('read_file', { path: 'src/a.ts' })],
    ['ask', call('read_file', { path: '/workspace/project/../../etc/passwd' })],
    ['deny', call('read_file', { path: '~/.ssh/id_rsa' })],
    ['ask', call('write_file', { path: 'src/a.ts', content: '' })],
    ['allow', call('write_file', { path: 'src/a.ts', content: '' }), auto],
    ['allow', call('edit_file', { path: 'src/a.ts', edits: [{ old_text: 'a', new_text: 'b' }] }), auto],
    ['ask', call('write_file', { path: '/workspace/project-evil/x', content: '' }), auto],
    ['ask', call('write_file', { path: 'package.json', content: '' }), auto],
    ['deny', call('write_file', { path: 'innocent', content: '' }), { ...auto, links: { '/workspace/project/innocent': '/etc/passwd' } }],
    ['deny', call('read_file', { path: 'keys/id_rsa' }), { links: { '/workspace/project/keys': '/home/user/.ssh' } }],
    ['allow', call('run_shell', { command: 'git status && ls -la | head' })],
    ['ask', call('run_shell', { command: 'git status && ls -la | head' }), { sandbox: 'missing' }],
    ['ask', call('run_shell', { command: 'git status' }), { settings: { 'approval.commands': 'ask' } }],
    ['ask', call('run_command', { program: 'npm', args: ['publish'] })],
    ['deny', call('run_command', { program: 'npm', args: ['publish'] }, { channel: 'schedule' })],
    ['deny', call('run_shell', { command: 'reboot' })],
    ['deny', call('web_fetch', { url: 'http://169.254.169.254/latest/meta-data' }), { settings: { 'network.policy': 'restricted' } }],
    ['allow', call('web_fetch', { url: 'https://allowed.test/a' }), { settings: { 'network.policy': 'restricted', 'network.allowedHosts': ['allowed.test'] } }],
    ['deny', call('web_fetch', { url: 'https://allowed.test/a' })],
    ['deny', call('no_such_tool', {})],
    ['deny', call('read_file', { path: 'a', surprise: 1 })],
  ];
  it.each(rows.map(([action, line, circumstances]) => ({ action, line, circumstances })))('$action: $line', async ({ action, line, circumstances }) => {
    const decision = await judge(line, circumstances);
    expect(decision.action).toBe(action);
    expect(decision.reason).not.toBe('');
  });

  it('gives the id back as it came and every finding that was made', async () => {
    expect(await judge(call('run_shell', { command: 'rm -rf build' }, { id: 7 }))).toMatchObject({ id: 7, action: 'ask', confined: true, risk: 'exec', stage: 'guard', patternKey: 'delete', findings: [{ action: 'ask', patternKey: 'delete' }] });
  });

  it.each(['nonsense', '[]', '{"tool":7}', '{"tool":"read_file","args":{},"chanel":"schedule"}', 'null', '"'])('tells what is wrong with %s', async (line) => {
    const decision = await judge(line);
    expect([decision.action, decision.patternKey, decision.id]).toEqual(['deny', 'malformed', null]);
    expect(decision.error).toBeTypeOf('string');
  });

  it('answers any line, and random text is never allowed', async () => {
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), async (text) => {
      expect((await judge(text)).action).toBe('deny');
      const run = await judge(call('run_shell', { command: text }));
      expect(['ask', 'deny', 'allow']).toContain(run.action);
      expect(run.patternKey).not.toBe('internal_error');
    }), { numRuns: 300 });
  });

  it('keeps the order of the stages: what is hidden is not judged further', async () => {
    expect(await judge(call('web_fetch', { url: 'https://allowed.test' }))).toMatchObject({ stage: 'visibility', patternKey: 'network_denied', findings: [] });
    expect(await judge(call('run_shell', { command: 'ls' }), { trusted: false })).toMatchObject({ action: 'deny', stage: 'visibility', patternKey: 'tool_hidden' });
    expect(await judge(call('read_file', { path: 'a', surprise: 1 }))).toMatchObject({ stage: 'schema', patternKey: 'invalid_arguments' });
    expect(await judge(call('run_shell', { command: 'ls' }), { sandbox: 'missing' })).toMatchObject({ stage: 'elevate', patternKey: 'unconfined_run', confined: false });
    expect(await judge(call('write_file', { path: 'src/a.ts', content: '' }))).toMatchObject({ stage: 'gate', patternKey: 'sluice.approval.writes', risk: 'write' });
  });

  it('counts an unknown tool as one that writes', async () => {
    expect(await judge(call('no_such_tool', {}))).toMatchObject({ action: 'deny', risk: 'write', patternKey: 'unknown_tool' });
  });

  it('judges what a name resolves to, every address of it', async () => {
    const restricted = { settings: { 'network.policy': 'restricted', 'network.allowedHosts': ['allowed.test'] } };
    const fetch = call('web_fetch', { url: 'https://allowed.test/a' });
    expect((await judge(fetch, { ...restricted, hosts: { 'allowed.test': ['93.184.215.14'] } })).action).toBe('allow');
    for (const address of ['169.254.169.254', '127.0.0.1', '::ffff:10.0.0.1', 'fd00::1']) {
      expect(await judge(fetch, { ...restricted, hosts: { 'allowed.test': ['93.184.215.14', address] } })).toMatchObject({ action: 'deny', patternKey: 'address_private' });
    }
    expect((await judge(fetch, { ...restricted, hosts: { 'allowed.test': [] } })).action).toBe('deny');
    expect(await judge(fetch, { settings: { ...restricted.settings, 'network.deniedHosts': ['allowed.test'] } })).toMatchObject({ action: 'deny', patternKey: 'host_denied' });
  });

  it('reads a line as the shell of the platform would', async () => {
    expect((await judge(call('run_shell', { command: 'Get-ChildItem -Recurse' }), { platform: 'win32' })).action).toBe('allow');
    expect((await judge(call('run_shell', { command: 'Remove-Item -Recurse -Force C:\\' }), { platform: 'win32' })).action).not.toBe('allow');
    expect((await judge(call('run_shell', { command: 'Get-ChildItem -Recurse' }, { shell: 'pwsh' }))).action).toBe('allow');
    expect((await judge(call('run_shell', { command: 'ls' }, { shell: 'fish' }))).action).toBe('ask');
  });
});
