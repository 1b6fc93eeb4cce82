/** One place, many names: file systems that fold case, drop blanks and dots or ignore characters must not open a way around a rule. */
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import type { PathOperation } from '../../../src/core/call.ts';
import { evaluateToolCall } from '../../../src/core/chain/04-guard.ts';
import { GUARDS } from '../../../src/guards/index.ts';
import { foldedSegments } from '../../../src/guards/path/resources.ts';
import { readFile } from '../../../src/tools/read-file/read-file.ts';
import { writeFile } from '../../../src/tools/write-file/write-file.ts';
import { pathResource } from '../core/approval/card-samples.ts';
import { context, resolvedOver } from './judged.ts';

function judge(operation: PathOperation, relative: string | undefined, real?: string): string {
  const path = pathResource({ operation, relative, folder: relative === undefined ? undefined : '/home/dev/sample', real: real ?? `/home/dev/sample/${relative ?? ''}` });
  const { action, findings } = evaluateToolCall(resolvedOver([path], operation === 'read' ? readFile : writeFile), GUARDS, context());
  return [action, ...findings.filter((finding) => finding.action === action).map(({ patternKey }) => patternKey)].join(' ');
}

const ZERO_WIDTH = '\u200c';

test.each([
  '.git/hooks/pre-commit', '.GIT/hooks/x', '.git./hooks/x', '.git /hooks/x', '.git. ./hooks/x', `.g${ZERO_WIDTH}it/hooks/x`, '.git\ufeff/config', '.git::$INDEX_ALLOCATION/hooks/x', '\uff0egit/config', 'a\\.git\\config', '.git',
])('writing %j is writing into git\'s folder', (relative) => {
  expect(judge('write', relative)).toMatch(/^deny .*configures_or_executes|^deny git_dir_delete/);
  expect(judge('delete', relative)).toMatch(/^deny /);
});

test.each(['.sluice/audit/x', '.SLUICE/x', '.sluice./x', `.slu${ZERO_WIDTH}ice/x`, '.sluice:x/y', 'a/.sluice', '.s\u00adluice/x'])('writing %j is writing Sluice\'s own files', (relative) => {
  expect(judge('write', relative)).toBe('deny own_policy');
});

test.each(['.env', '.ENV', '.Env.local', '.env.', '.env ', '.env::$DATA', '.env~', '.env-local', '.env_production', '.env.example.local', '.envrc', `.e${ZERO_WIDTH}nv`, 'a/b/.env'])('%j is an environment file', (relative) => {
  expect(judge('read', relative)).toMatch(/^ask secret_file/);
  expect(judge('write', relative)).toContain('ask');
});

test.each(['.env.example', '.env.sample', '.env.local.template', '.environment', '.envelope', 'env', 'src/env.ts', '.envs'])('%j is none', (relative) => {
  expect(judge('read', relative)).toBe('allow');
});

test.each([
  'package.json', 'Package.JSON', 'package.json.', 'package.json::$DATA', 'a/package.json ', '.vscode/settings.json', '.VSCODE/settings.json', '.vscode./settings.json', `.vs${ZERO_WIDTH}code/tasks.json`, 'makefile', 'GNUmakefile', 'agents.md',
])('writing %j asks with a banner', (relative) => {
  expect(judge('write', relative)).toMatch(/^ask configures_or_executes/);
  expect(judge('read', relative)).toMatch(/^(allow|ask path_spelling)$/);
});

test.each(['packages.json', 'package.json.ts', 'vscode/settings.json', 'my.vscode/x', 'src/a:b', 'src/makefile.ts', 'docs/agents.mdx', 'a.b/c d/e'])('writing %j is ordinary', (relative) => {
  expect(judge('write', relative)).toBe('allow');
});

test.each([
  '/home/dev/.ssh/id_ed25519', '/home/dev/.SSH/config', '/home/dev/.ssh./config', '/home/dev/.aws/credentials', '/HOME/dev/.netrc', '/etc/shadow', '/private/etc/sudoers', '/private/etc/master.passwd', '/proc/self/environ', '/proc/1/root/etc/passwd', '/dev/sda', '/root/.ssh/known_hosts',
])('%s is closed, for reading too', (real) => {
  expect(judge('read', undefined, real)).toMatch(/^deny /);
  expect(judge('write', undefined, real)).toMatch(/^deny /);
});

test.each(['/process/1', '/devices/x', '/home/other/notes', '/home/dev/.sshrc/x', '/srv/a'])('%s is outside: both ask', (real) => {
  expect(judge('read', undefined, real)).toBe('ask outside_read');
  expect(judge('write', undefined, real)).toBe('ask outside_write');
});

test.each(['/private/tmp/a', '/home/dev/sample-old/a.ts', '/home/dev/samples'])('%s is an ordinary place: reading is fine, writing asks', (real) => {
  expect(judge('read', undefined, real)).toBe('allow');
  expect(judge('write', undefined, real)).toBe('ask outside_write');
});

it('a name stays what it is when nothing is to be folded', () => {
  fc.assert(fc.property(fc.array(fc.stringMatching(/^[a-z0-9_.-]*[a-z0-9_-]$/), { minLength: 1, maxLength: 6 }), (segments) => {
    expect(foldedSegments(`/${segments.join('/')}`)).toEqual(segments);
  }));
  expect(foldedSegments('C:\\Users\\dev')).toEqual(['c:', 'users', 'dev']);
});

it('any path at all is judged, and folding twice changes nothing', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom<PathOperation>('read', 'list', 'write', 'delete'), (name, operation) => {
    expect(judge(operation, name)).toMatch(/^(allow|ask|deny)/);
    const once = foldedSegments(name);
    expect(foldedSegments(once.join('/'))).toEqual(once);
  }), { numRuns: 2_000 });
});
