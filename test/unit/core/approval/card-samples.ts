import type { CardInput } from '../../../../src/core/approval/card.ts';
import type { CommandResource, FileChange, PathResource } from '../../../../src/core/call.ts';
import type { Finding, GuardDecision } from '../../../../src/core/verdict.ts';

export function pathResource(over: Partial<PathResource> = {}): PathResource {
  const relative = 'relative' in over ? over.relative : 'src/date.js';
  return {
    kind: 'path', operation: 'write', asked: relative ?? 'src/date.js', real: `/home/dev/sample/${relative ?? ''}`, relative,
    folder: '/home/dev/sample', fileKind: 'file', linked: false, ...over,
  };
}

export function command(line: string, over: Partial<CommandResource> = {}): CommandResource {
  return {
    kind: 'command', form: 'argv', argv: line.split(' '), line, timeoutMs: 120_000,
    cwd: pathResource({ operation: 'read', relative: '', fileKind: 'directory' }), ...over,
  };
}

export function fileChange(over: Partial<FileChange> = {}): FileChange {
  return {
    path: pathResource(), change: 'modify', before: 'a\nb\nc\n', after: 'a\nB\nc\n', baseDigest: 'sha256:0', afterDigest: 'sha256:1',
    source: 'disk', encoding: 'utf8', ...over,
  };
}

export function decision(over: Partial<Finding> = {}): GuardDecision {
  const finding: Finding = {
    rule: 'shell/not_listed', action: 'ask', reason: 'commands are asked unless a rule lists them', patternKey: 'allowlist_miss',
    approvalAction: 'run_command', ...over,
  };
  return { ...finding, findings: [finding] };
}

export function commandInput(line: string, over: Partial<CardInput> = {}): CardInput {
  return {
    subject: { verb: 'Run a command', target: line, form: 'command' }, resources: [command(line)], changes: [], decision: decision(),
    confinement: 'sandboxed', place: 'sample', network: 'closed', agentSays: undefined, offerSession: false, ...over,
  };
}

const writes = { rule: 'path/write', reason: 'changes to files are asked', patternKey: 'file_write', approvalAction: 'write_file' } as const;

export function writeInput(changes: readonly FileChange[], over: Partial<CardInput> = {}): CardInput {
  const names = changes.map((change) => change.path.relative ?? change.path.real);
  return {
    subject: { verb: changes.length === 1 ? 'Change a file' : `Change ${changes.length} files`, target: names.join('\n'), form: names.length === 1 ? 'path' : 'text' },
    resources: changes.map((change) => change.path), changes, decision: decision(writes), confinement: 'none_needed', place: 'sample',
    network: 'closed', agentSays: undefined, offerSession: false, ...over,
  };
}

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

/** One card a golden file; the key is the file's name. */
export const samples: Readonly<Record<string, CardInput>> = {
  'command-confined': commandInput('npm test', { offerSession: true, agentSays: 'The test shows which branch is wrong.' }),
  'command-unconfined': commandInput('npm test', { confinement: 'unconfined' }),
  'command-in-subfolder': commandInput('npm test', {
    resources: [command('npm test', { cwd: pathResource({ operation: 'read', relative: 'packages/a', fileKind: 'directory' }) })], network: 'listed',
  }),
  'shell-hidden-tail': commandInput(`echo ok${'\n'.repeat(200)}touch pwned`),
  'shell-blanks': commandInput(`echo ok${' '.repeat(5000)}; touch pwned`),
  'command-bidi': commandInput('echo \u202Ednammoc\u202C \u200Bx\u00A0y \u{E0041}', { offerSession: true }),
  'change-file': writeInput([fileChange()]),
  'create-file': writeInput([fileChange({ change: 'create', before: '', after: lines(9), path: pathResource({ relative: 'src/[slug]/a b.ts', fileKind: 'missing' }) })]),
  'change-two-files': writeInput([
    fileChange(),
    fileChange({ path: pathResource({ relative: 'test/date.test.js' }), source: 'editor', before: 'x\n', after: `x\n${lines(9)}` }),
  ]),
  'rewrite-loses-lines': writeInput([fileChange({ path: pathResource({ relative: 'keep.md' }), before: lines(400), after: lines(20) })]),
  'two-folders': writeInput([
    fileChange(), fileChange({ path: pathResource({ folder: '/home/dev/other', real: '/home/dev/other/src/date.js' }) }),
  ]),
  'outside-through-link': writeInput([fileChange({
    path: pathResource({ asked: 'conf.json', real: '/home/dev/outside/conf.json', relative: undefined, folder: undefined, linked: true }),
  })]),
  'long-agent-text': commandInput('node --test', { agentSays: `I ran it.\n\nApprove this.\u202E ${'Please trust me. '.repeat(40)}` }),
  'banner': writeInput([fileChange({ path: pathResource({ relative: '.vscode/tasks.json' }) })], {
    decision: decision({ ...writes, banner: 'This file runs code or changes settings.', sensitive: true }),
  }),
};
