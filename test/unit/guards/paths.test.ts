import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PathOperation } from '../../../src/core/call.ts';
import { evaluateToolCall } from '../../../src/core/chain/04-guard.ts';
import type { Action, GuardDecision } from '../../../src/core/verdict.ts';
import { GUARDS } from '../../../src/guards/index.ts';
import { createLocator, type Locator } from '../../../src/host/paths.ts';
import { readFile } from '../../../src/tools/read-file/read-file.ts';
import { writeFile } from '../../../src/tools/write-file/write-file.ts';
import { pathResource } from '../core/approval/card-samples.ts';
import { context, resolvedOver } from './judged.ts';

/** `<root>/home/work` is the workspace, `<root>/home` the home directory; paths are found on the real disk. */
let root: string;
let locator: Locator;

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-guards-')));
  const files = [
    'home/work/src/a.ts', 'home/work/.env', 'home/work/.git/hooks/pre-commit', 'home/work/.sluice/audit/a.jsonl', 'home/work/package.json', 'home/work/certs/server.pem',
    'home/work-old/a.ts', 'home/.ssh/id_rsa', 'home/.aws/credentials', 'home/notes.txt', 'outside/a.txt',
  ];
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), 'x');
  }
  const links: readonly (readonly [string, string])[] = [
    ['home/work/out', join(root, 'outside')], ['home/work/plain', '.git'], ['home/work/keys', join(root, 'home', '.ssh')], ['home/work/in', 'src'],
    ['home/work/dangling', join(root, 'outside', 'not-yet.txt')], ['home/work/loop', 'loop'], ['home/work/config', join('.env')],
  ];
  for (const [link, target] of links) symlinkSync(target, join(root, link));
  locator = createLocator({ folders: () => [join(root, 'home', 'work')], home: join(root, 'home'), platform: 'linux' });
});
afterAll(() => { rmSync(root, { recursive: true, force: true }); });

async function judge(asked: string, operation: PathOperation): Promise<GuardDecision> {
  const path = await locator.locate(asked.replace('<root>', root), operation);
  const tool = operation === 'read' || operation === 'list' ? readFile : writeFile;
  return evaluateToolCall(resolvedOver([path], tool), GUARDS, context({ home: join(root, 'home') }));
}

interface Row {
  readonly asked: string;
  readonly read: readonly [Action, string?];
  readonly write: readonly [Action, string?];
}
const row = (asked: string, read: Row['read'], write: Row['write']): Row => ({ asked, read, write });
const ALLOW: readonly [Action] = ['allow'];
const DOWN = '../'.repeat(12);

const ROWS: readonly Row[] = [
  row('src/a.ts', ALLOW, ALLOW), row('src/new/b.ts', ALLOW, ALLOW), row('./src/../src/a.ts', ALLOW, ALLOW), row('in/a.ts', ALLOW, ALLOW),
  row('<root>/home/work/src/a.ts', ALLOW, ALLOW), row('src/.envelope', ALLOW, ALLOW), row('src/environment.ts', ALLOW, ALLOW), row('docs/git/hooks.md', ALLOW, ALLOW),
  // Outside
  row(`<root>/home/work/${DOWN}etc/passwd`, ['ask', 'outside_read'], ['deny', 'account_files']), row(`${DOWN}etc/passwd`, ['ask', 'outside_read'], ['deny', 'account_files']),
  row('../work-old/a.ts', ALLOW, ['ask', 'outside_write']), row('<root>/home/work-old/a.ts', ALLOW, ['ask', 'outside_write']),
  row('out/a.txt', ALLOW, ['ask', 'outside_write']), row('out/new.txt', ALLOW, ['ask', 'outside_write']),
  row('dangling', ALLOW, ['ask', 'outside_write']),
  row('~/notes.txt', ALLOW, ['ask', 'outside_write']),
  // Secrets
  row('.env', ['ask', 'secret_file'], ['ask', 'secret_file']), row('.ENV', ['ask', 'secret_file'], ['ask', 'secret_file']),
  row('packages/a/.env.production', ['ask', 'secret_file'], ['ask', 'secret_file']), row('\uff0eenv', ['ask', 'secret_file'], ['ask', 'secret_file']),
  row('config', ['ask', 'secret_file'], ['ask', 'secret_file']), row('.env.example', ALLOW, ALLOW),
  row('certs/server.pem', ['ask', 'secret_file'], ['ask', 'secret_file']), row('deploy/id_ed25519', ['ask', 'secret_file'], ['ask', 'secret_file']), row('ID_RSA', ['ask', 'secret_file'], ['ask', 'secret_file']),
  row('deploy/id_ed25519.pub', ALLOW, ALLOW),
  row('~/.ssh/id_rsa', ['deny', 'credential_access'], ['deny', 'credential_access']), row('../.ssh/config', ['deny', 'credential_access'], ['deny', 'credential_access']),
  row('keys/id_rsa', ['deny', 'credential_access'], ['deny', 'credential_access']), row('~/.aws/credentials', ['deny', 'credential_access'], ['deny', 'credential_access']),
  row('~/.SSH/id_rsa', ['deny', 'credential_access'], ['deny', 'credential_access']), row('~/.config/gh/hosts.yml', ['deny', 'credential_access'], ['deny', 'credential_access']),
  row('/proc/self/environ', ['deny', 'credential_access'], ['deny', 'credential_access']), row('/etc/shadow', ['deny', 'credential_access'], ['deny', 'credential_access']),
  // Devices and what is no file
  row('/dev/zero', ['deny', 'special_file'], ['deny', 'special_file']), row('loop', ['deny', 'special_file'], ['deny', 'special_file']), row('src/a.ts/b', ['deny', 'special_file'], ['deny', 'special_file']),
  // Ours and git's
  row('.sluice/audit/a.jsonl', ALLOW, ['deny', 'own_policy']), row('.Sluice/policy.json', ALLOW, ['deny', 'own_policy']), row('sub/.sluice/policy.json', ALLOW, ['deny', 'own_policy']),
  row('.git/hooks/pre-commit', ALLOW, ['deny', 'configures_or_executes']), row('.git/config', ALLOW, ['deny', 'configures_or_executes']), row('.GIT/config', ALLOW, ['deny', 'configures_or_executes']),
  row('plain/hooks/post-checkout', ALLOW, ['deny', 'configures_or_executes']), row('sub/.git', ALLOW, ['deny', 'configures_or_executes']),
  // What configures or runs
  ...[
    'package.json', 'packages/a/package.json', 'PACKAGE.JSON', '.vscode/settings.json', '.vscode/tasks.json', '.github/workflows/ci.yml', '.husky/pre-commit', 'Makefile', 'vite.config.ts',
    'AGENTS.md', '.cursor/rules/a.mdc', 'node_modules/.bin/tsc', 'a.code-workspace', '.devcontainer/devcontainer.json', '.gitattributes', '.eslintrc.json', 'conftest.py',
  ].map((asked) => row(asked, ALLOW, ['ask', 'configures_or_executes'])),
];

describe('paths', () => {
  it.each(ROWS)('reading $asked: $read.0', async ({ asked, read: [action, key] }) => {
    await expectDecision(await judge(asked, 'read'), action, key);
  });

  it.each(ROWS)('writing $asked: $write.0', async ({ asked, write: [action, key] }) => {
    await expectDecision(await judge(asked, 'write'), action, key);
  });

  it.each(ROWS)('deleting $asked is judged as writing', async ({ asked, write: [action, key] }) => {
    await expectDecision(await judge(asked, 'delete'), action, key);
  });

  it('every path stands once', () => {
    expect(new Set(ROWS.map(({ asked }) => asked)).size).toBe(ROWS.length);
  });

  it('what configures or runs has a line that stands out, on every surface', async () => {
    const decision = await judge('package.json', 'write');
    expect(decision.findings.find(({ patternKey }) => patternKey === 'configures_or_executes')).toMatchObject({ banner: 'This file runs code or changes settings.', sensitive: true });
  });

  it('one bad path among good ones decides', () => {
    const good = pathResource({ operation: 'write' });
    const bad = pathResource({ operation: 'write', relative: '.git/config' });
    for (const resources of [[good, bad], [bad, good], [good, bad, good]]) {
      expect(evaluateToolCall(resolvedOver(resources, writeFile), GUARDS, context()).action).toBe('deny');
    }
  });

  it('an untrusted workspace reads, and writes nothing', () => {
    const untrusted = context({ trusted: false });
    expect(evaluateToolCall(resolvedOver([pathResource({ operation: 'read' })], readFile), GUARDS, untrusted).action).toBe('allow');
    expect(evaluateToolCall(resolvedOver([pathResource({ operation: 'write' })], writeFile), GUARDS, untrusted).action).toBe('deny');
  });
});

async function expectDecision(decision: GuardDecision, action: Action, key: string | undefined): Promise<void> {
  expect(decision.action).toBe(action);
  if (key !== undefined) expect(decision.findings.filter((finding) => finding.action === action).map(({ patternKey }) => patternKey)).toContain(key);
}
