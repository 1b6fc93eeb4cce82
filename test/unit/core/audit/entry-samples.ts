import { HashChain, type AuditLine } from '../../../../src/core/audit/hash-chain.ts';
import type { AuditEntry, DecisionEntry, ResultEntry } from '../../../../src/core/audit/record.ts';
import { sha256 } from '../../../../src/host/system.ts';

export function decisionEntry(over: Partial<DecisionEntry> = {}): DecisionEntry {
  return {
    kind: 'decision', actor: { session: 's1', task: 'task_1', channel: 'editor' }, callId: 'call_1', tool: 'run_command', argsDigest: 'sha256:aa', fingerprint: 'sha256:bb',
    resources: [{ kind: 'command', form: 'argv', program: 'npm', lineDigest: 'sha256:cc', cwd: '' }, { kind: 'path', operation: 'list', path: '', outside: false }],
    changes: [], policyVersion: 'sha256:dd', decision: 'allow', stage: 'gate', code: undefined, patternKey: 'command_review',
    findings: [{ rule: 'shell/every-command', action: 'ask', patternKey: 'command_review' }], risk: 'exec', confinement: 'sandboxed',
    decider: { by: 'person', source: 'status_bar', waitedMs: 1_250, scope: 'once', edited: false }, ...over,
  };
}

export function resultEntry(over: Partial<ResultEntry> = {}): ResultEntry {
  return { kind: 'result', task: 'task_1', callId: 'call_1', status: 'succeeded', exitCode: 0, bytes: 12, digest: 'sha256:ee', durationMs: 40, ...over };
}

/** One entry of every kind. */
export const ENTRIES: { readonly [Kind in AuditEntry['kind']]: Extract<AuditEntry, { kind: Kind }> } = {
  opened: { kind: 'opened', version: '0.1.0', session: 's1', folder: 'sample' },
  task: { kind: 'task', task: 'task_1', channel: 'editor', model: 'rehearsal', profile: 'coding', policyVersion: 'sha256:dd', promptDigest: 'sha256:ff' },
  policy: { kind: 'policy', task: 'task_1', policyVersion: 'sha256:d2' },
  asked: { kind: 'asked', task: 'task_1', callId: 'call_1', requestId: 'ask_1', fingerprint: 'sha256:bb', patternKey: 'command_review' },
  decision: decisionEntry(),
  result: resultEntry(),
  interrupted: { kind: 'interrupted', task: 'task_1', callId: 'call_1', requestId: 'ask_1' },
  task_end: { kind: 'task_end', task: 'task_1', how: 'finished' },
};

export function chainOf(entries: readonly AuditEntry[]): readonly AuditLine[] {
  const chain = new HashChain(sha256);
  return entries.map((entry, index) => chain.link(entry, `2026-03-09T10:00:0${index % 10}.000Z`));
}

/** The text of a file as the audit writes it. */
export function fileOf(entries: readonly AuditEntry[]): string {
  return chainOf(entries).map((line) => `${JSON.stringify(line)}\n`).join('');
}
