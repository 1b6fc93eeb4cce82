/** The table in README.md under "What runs, what asks, what is refused", each row tried through the whole chain. */
import { expect, test } from 'vitest';
import type { Settings } from '../../src/core/policy/schema.ts';
import { runCall } from '../../src/core/chain/chain.ts';
import { decisionOf, type Rated } from '../../src/core/chain/stages.ts';
import { chainParts, defaultPolicy, discard } from '../bench/parts.ts';
import { createWorld } from '../fakes/reading.ts';

interface Circumstances {
  readonly settings?: Partial<Settings>;
  readonly trusted?: boolean;
  readonly sandbox?: boolean;
}

/** `runs`, `refused <pattern or code>`, or `asks <pattern>` with `+ banner` and `+ session` as they are offered. */
async function outcome(tool: string, args: unknown, { settings = {}, trusted = true, sandbox = true }: Circumstances): Promise<string> {
  const world = createWorld({
    files: {
      'a.txt': 'a\n', '.env': 'A=1\n', '.env.example': 'A=\n', 'certs/a.pem': 'a', 'package.json': '{}\n', '.vscode/settings.json': '{}\n',
      '.github/workflows/ci.yml': 'on: push\n', 'AGENTS.md': 'a\n', '.git/config': 'a\n', '.sluice/audit/a.jsonl': 'a\n', '/home/person/notes.txt': 'a\n', '/home/person/.ssh/config': 'a\n',
      '/home/person/.aws/credentials': 'a\n', '/proc/1/environ': 'a', '/srv/other.txt': 'a\n',
    },
  });
  const parts = chainParts(world, discard);
  let asked: { readonly rated: Rated; readonly standing: boolean } | undefined;
  const settled = await runCall(
    { stage: 'proposed', call: { id: 'call', tool, argumentsText: typeof args === 'string' ? args : JSON.stringify(args), complete: true }, actor: { session: 's', task: 't', channel: 'editor' }, agentSays: undefined },
    {
      ...parts, guardContext: { ...parts.guardContext, policy: { ...defaultPolicy, trusted, settings: { ...defaultPolicy.settings, ...settings } } },
      sandbox: () => Promise.resolve({ available: sandbox, detail: 'none', fix: undefined }),
      buildRequest: (rated, standing) => {
        asked = { rated, standing };
        throw new Error('asked');
      },
    },
    new AbortController().signal,
  );
  if (asked !== undefined) {
    const { patternKey, findings } = decisionOf(asked.rated);
    return [`asks ${patternKey}`, ...(findings.some(({ banner }) => banner !== undefined) ? ['banner'] : []), ...(asked.standing ? ['session'] : [])].join(' + ');
  }
  return settled.refusal === undefined ? 'runs' : `refused ${settled.refusal.patternKey ?? settled.refusal.code}`;
}

const auto: Circumstances = { settings: { approvalWrites: 'auto' } };
const write = (path: string) => ['write_file', { path, content: 'changed\n' }] as const;
const run = ['run_command', { program: 'npm', args: ['test'] }] as const;
const line = (command: string) => ['run_shell', { command }] as const;

test.for<readonly [string, readonly [string, unknown], Circumstances?]>([
  ['runs', ['read_file', { path: 'a.txt' }]],
  ['runs', ['list_directory', { path: '.' }]],
  ['runs', ['find_files', { pattern: '*' }]],
  ['runs', ['search_text', { pattern: 'a' }]],
  ['runs', ['read_diagnostics', {}]],
  ['asks outside_read', ['read_file', { path: '/srv/other.txt' }]],
  ['runs', ['read_file', { path: '/home/person/notes.txt' }]],
  ['asks secret_file + banner', ['read_file', { path: '.env' }]],
  ['asks secret_file + banner', write('.env'), auto],
  ['runs', ['read_file', { path: '.env.example' }]],
  ['asks secret_file + banner', ['read_file', { path: 'certs/a.pem' }]],
  ['refused credential_access', ['read_file', { path: '/home/person/.ssh/config' }]],
  ['refused credential_access', ['read_file', { path: '/home/person/.aws/credentials' }]],
  ['refused credential_access', ['read_file', { path: '/proc/1/environ' }]],
  ['asks no_finding', write('b.txt')],
  ['runs', write('b.txt'), auto],
  ['asks configures_or_executes + banner', write('.vscode/settings.json'), auto],
  ['asks configures_or_executes + banner', write('package.json'), auto],
  ['asks configures_or_executes + banner', write('.github/workflows/ci.yml'), auto],
  ['asks configures_or_executes + banner', write('AGENTS.md'), auto],
  ['asks outside_write', write('/srv/other.txt'), auto],
  ['refused account_files', write('/etc/passwd'), auto],
  ['refused own_policy', write('.sluice/audit/a.jsonl')],
  ['refused configures_or_executes', write('.git/config')],
  ['runs', run],
  ['asks command_review + session', run, { settings: { approvalCommands: 'ask' } }],
  ['asks unconfined_run + banner', run, { sandbox: false }],
  ['runs', line('grep -rn main src | sort | head -20')],
  ['asks delete + session', line('rm -r build')],
  ['asks package_install + session', ['run_command', { program: 'npm', args: ['install', 'left-pad'] }]],
  ['asks git_history + session', line('git push --force')],
  ['asks git_push + session', line('git push')],
  ['refused own_policy', line('rm .sluice/audit/a.jsonl')],
  ['refused root_delete', line('cd / && rm -rf *')],
  ['refused power', line('reboot')],
  ['refused invalid_arguments', ['read_file', '{"path":"a.t']],
  ['refused invalid_arguments', ['read_file', { path: 'a.txt', recursive: true }]],
  ['refused unknown_tool', ['Read_File', { path: 'a.txt' }]],
  ['refused tool_hidden', run, { settings: { profile: 'minimal' } }],
  ['refused tool_hidden', write('b.txt'), { settings: { profile: 'messaging' } }],
  ['refused tool_hidden', run, { trusted: false }],
  ['refused tool_hidden', write('b.txt'), { trusted: false }],
  ['runs', ['read_file', { path: 'a.txt' }], { trusted: false }],
])('%s: %j %j', async ([expected, [tool, args], circumstances]) => {
  expect(await outcome(tool, args, circumstances ?? {})).toBe(expected);
});
