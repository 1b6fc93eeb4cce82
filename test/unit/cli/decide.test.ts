import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grammarBytes } from '../../../src/build/grammar-bytes.mjs';
import { createDecider, type Decision } from '../../../src/cli/decide.ts';

interface Circumstances {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly sandbox?: 'available' | 'missing';
}

async function judge(line: string, { settings = {}, links = {}, sandbox = 'available' }: Circumstances = {}): Promise<Decision> {
  const decider = createDecider({ workspaces: ['/workspace/project'], home: '/home/user', platform: 'linux', links, settings, trusted: true, sandbox, hosts: {} }, grammarBytes, (text) => { throw new Error(text); });
  try {
    return await decider.decide(line);
  } finally {
    decider.dispose();
  }
}

const call = (tool: string, args: unknown, more: object = {}): string => JSON.stringify({ tool, args, ...more });
const auto = { settings: { 'approval.writes': 'auto' } };

describe('decide', () => {
  const rows: readonly (readonly [string, string, Circumstances?])[] = [
    ['allow', call('read_file', { path: 'src/a.ts' })],
    ['ask', call('read_file', { path: '/workspace/project/../../etc/passwd' })],
    ['deny', call('read_file', { path: '~/.ssh/id_rsa' })],
    ['ask', call('write_file', { path: 'src/a.ts', content: 'x' })],
    ['allow', call('write_file', { path: 'src/a.ts', content: 'x' }), auto],
    ['ask', call('write_file', { path: '/workspace/project-evil/x', content: 'x' }), auto],
    ['ask', call('write_file', { path: 'package.json', content: 'x' }), auto],
    ['deny', call('write_file', { path: 'innocent', content: 'x' }), { ...auto, links: { '/workspace/project/innocent': '/etc/passwd' } }],
    ['deny', call('read_file', { path: 'keys/id_rsa' }), { links: { '/workspace/project/keys': '/home/user/.ssh' } }],
    ['allow', call('run_shell', { command: 'git status && ls -la | head' })],
    ['ask', call('run_shell', { command: 'git status && ls -la | head' }), { sandbox: 'missing' }],
    ['ask', call('run_shell', { command: 'git status' }), { settings: { 'approval.commands': 'ask' } }],
    ['ask', call('run_command', { program: 'npm', args: ['publish'] })],
    ['deny', call('run_command', { program: 'npm', args: ['publish'] }, { channel: 'schedule' })],
    ['deny', call('run_shell', { command: 'reboot' })],
    ['deny', call('web_fetch', { url: 'http://169.254.169.254/latest/meta-data' }), { settings: { 'network.policy': 'restricted' } }],
    ['deny', call('web_fetch', { url: 'https://allowed.test/a' })],
    ['deny', call('no_such_tool', {})],
    ['deny', call('read_file', { path: 'a', surprise: 1 })],
    ['deny', 'nonsense'], ['deny', '[]'], ['deny', '{"tool":7}'],
  ];
  it.each(rows.map(([action, line, circumstances]) => ({ action, line, circumstances })))('$action: $line', async ({ action, line, circumstances }) => {
    const decision = await judge(line, circumstances);
    expect(decision.action).toBe(action);
    expect(decision.reason).not.toBe('');
  });

  it('gives the id back as it came and every finding that was made', async () => {
    expect(await judge(call('run_shell', { command: 'rm -rf build' }, { id: 7 }))).toMatchObject({ id: 7, action: 'ask', confined: true, risk: 'exec', stage: 'guard', patternKey: 'delete', findings: [{ action: 'ask', patternKey: 'delete' }] });
  });

  it('answers any line; text that is no call is never allowed', async () => {
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), async (text) => {
      expect((await judge(text)).action).not.toBe('allow');
      expect(['ask', 'deny', 'allow']).toContain((await judge(call('run_shell', { command: text }))).action);
    }), { numRuns: 40 });
  });
});
