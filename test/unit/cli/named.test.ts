/** The rules that people ask for by name, each through the whole way of a call. */
import { afterAll, describe, expect, it } from 'vitest';
import { grammarBytes } from '../../../src/build/grammar-bytes.mjs';
import { createDecider, type Decision } from '../../../src/cli/decide.ts';
import type { DecideOptions } from '../../../src/cli/options.ts';

const base: DecideOptions = { workspaces: ['/work'], home: '/home/user', platform: 'linux', sandbox: 'available', trusted: true, settings: { 'approval.writes': 'auto' }, hosts: {}, links: { '/work/link': '/etc/passwd', '/work/out': '/workspace-evil' } };
const opened = (over: Partial<DecideOptions> = {}) => createDecider({ ...base, ...over, settings: { ...base.settings, ...over.settings } }, grammarBytes, () => undefined);
const deciders = {
  closed: opened(), restricted: opened({ settings: { 'network.policy': 'restricted', 'network.allowedHosts': ['allowed.test'] } }), open: opened({ settings: { 'network.policy': 'allow' } }),
  minimal: opened({ settings: { profile: 'minimal' } }), full: opened({ settings: { profile: 'full', 'tools.deny': ['run_*', 'fs.write'] } }), unconfined: opened({ sandbox: 'missing' }),
};
afterAll(() => { for (const decider of Object.values(deciders)) decider.dispose(); });
const ask = (where: keyof typeof deciders, tool: string, args: unknown, more: object = {}): Promise<Decision> => deciders[where].decide(JSON.stringify({ tool, args, ...more }));
const shell = (where: keyof typeof deciders, command: string): Promise<Decision> => ask(where, 'run_shell', { command });

describe('network deny', () => {
  it.each(['curl https://allowed.test', 'wget -q https://allowed.test/a', 'echo x > /dev/tcp/allowed.test/80', 'bash -c "curl https://allowed.test"', 'git status; nc allowed.test 80', 'ls $(curl https://allowed.test)'])('on the route of a shell line: %s', async (command) => {
    expect(await shell('closed', command)).toMatchObject({ action: 'deny' });
    expect((await shell('closed', command)).findings.map(({ patternKey }) => patternKey)).toContain('network_denied');
  });
  it('on the route of a program start', async () => {
    expect(await ask('closed', 'run_command', { program: 'curl', args: ['https://allowed.test'] })).toMatchObject({ action: 'deny', patternKey: 'network_denied' });
  });
  it('on the route of a tool', async () => {
    expect(await ask('closed', 'web_fetch', { url: 'https://allowed.test' })).toMatchObject({ action: 'deny', patternKey: 'network_denied', stage: 'visibility' });
  });
});

describe('allowlist', () => {
  it('miss asks, hit runs, metadata and private addresses are refused under every policy', async () => {
    expect(await ask('restricted', 'web_fetch', { url: 'https://example.org' })).toMatchObject({ action: 'ask', patternKey: 'allowlist_miss' });
    expect(await ask('restricted', 'web_fetch', { url: 'https://allowed.test' })).toMatchObject({ action: 'allow' });
    for (const where of ['closed', 'restricted', 'open'] as const) {
      for (const url of ['http://169.254.169.254/', 'http://[::1]/', 'http://192.168.0.1/', 'http://localhost/']) expect((await ask(where, 'web_fetch', { url })).action).toBe('deny');
    }
  });
});

describe('the path table', () => {
  it.each([
    ['read_file', { path: '/work/../etc/passwd' }, 'ask'], ['write_file', { path: '/work/../etc/passwd', content: '' }, 'deny'],
    ['read_file', { path: 'link' }, 'ask'], ['write_file', { path: 'link', content: '' }, 'deny'],
    ['write_file', { path: '/workspace-evil/a', content: '' }, 'ask'], ['write_file', { path: '/work-evil/a', content: '' }, 'ask'], ['write_file', { path: 'out/a', content: '' }, 'ask'],
    ['read_file', { path: '~/.ssh/id_rsa' }, 'deny'], ['read_file', { path: '~/.aws/credentials' }, 'deny'], ['read_file', { path: '.env' }, 'ask'], ['read_file', { path: '/proc/self/environ' }, 'deny'],
    ['write_file', { path: '.git/config', content: '' }, 'deny'], ['write_file', { path: '.vscode/tasks.json', content: '' }, 'ask'], ['write_file', { path: '.sluice/policy.json', content: '' }, 'deny'],
    ['write_file', { path: 'src/a.ts', content: '' }, 'allow'], ['read_file', { path: 'src/a.ts' }, 'allow'],
  ] as const)('%s %j: %s', async (tool, args, action) => {
    expect((await ask('closed', tool, args)).action).toBe(action);
  });
});

describe('visibility', () => {
  it('is by profile, and what is hidden is not callable', async () => {
    expect(await ask('minimal', 'write_file', { path: 'a', content: '' })).toMatchObject({ action: 'deny', stage: 'visibility', patternKey: 'tool_hidden' });
    expect((await ask('minimal', 'read_file', { path: 'a' })).action).toBe('allow');
  });
  it('full still obeys deny, by glob and by capability', async () => {
    for (const [tool, args] of [['run_shell', { command: 'ls' }], ['run_command', { program: 'ls', args: [] }], ['write_file', { path: 'a', content: '' }]] as const) {
      expect(await ask('full', tool, args)).toMatchObject({ action: 'deny', stage: 'visibility' });
    }
    expect((await ask('full', 'read_file', { path: 'a' })).action).toBe('allow');
  });
  it('an unknown tool counts as one that writes', async () => {
    for (const tool of ['Run_Shell', 'run_shell ', 'rm', '', '__proto__', 'constructor']) expect(await ask('closed', tool, {})).toMatchObject({ action: 'deny', patternKey: 'unknown_tool', risk: 'write' });
  });
});

describe('without the sandbox', () => {
  it('every command asks, and a hard block stays one', async () => {
    expect(await shell('unconfined', 'ls')).toMatchObject({ action: 'ask', patternKey: 'unconfined_run', confined: false });
    expect((await shell('unconfined', 'rm -rf /')).action).toBe('deny');
    expect((await ask('unconfined', 'read_file', { path: 'a' })).action).toBe('allow');
  });
});

describe('when nobody is there', () => {
  it.each(['schedule', 'external'])('on the channel %s what would ask is refused', async (channel) => {
    expect(await ask('closed', 'run_shell', { command: 'rm -r dist' }, { channel })).toMatchObject({ action: 'deny', stage: 'gate' });
    expect((await ask('closed', 'run_shell', { command: 'ls' }, { channel })).action).toBe('allow');
  });
});
