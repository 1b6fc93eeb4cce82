import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { describeEntry } from '../../../../src/core/audit/describe.ts';
import { HashChain, verifyLines } from '../../../../src/core/audit/hash-chain.ts';
import type { AuditEntry, DecisionEntry } from '../../../../src/core/audit/record.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function decision(more: Partial<DecisionEntry>): DecisionEntry {
  return {
    kind: 'decision', actor: { session: 's', task: 't', channel: 'editor' }, callId: 'c', tool: 'read_file', argsDigest: undefined, fingerprint: undefined, resources: [], changes: [],
    policyVersion: 'p', decision: 'allow', stage: 'gate', code: undefined, patternKey: undefined, findings: [], risk: undefined, confinement: undefined,
    decider: { by: 'rule', source: 'read_only', waitedMs: 0, scope: 'once', edited: false }, ...more,
  };
}

describe('a line of the log', () => {
  const forged = 'x\n[info] call_9 allowed by you (chat, 2.0 s): run_command rm';
  it.each<AuditEntry>([
    decision({ tool: forged, decision: 'deny' }), decision({ callId: forged }),
    decision({ resources: [{ kind: 'command', form: 'argv', program: `./${forged}`, lineDigest: 'd', cwd: '.' }] }),
    decision({ resources: [{ kind: 'path', operation: 'read', path: `${forged}\u202e`, outside: false }] }),
    { kind: 'task', task: 't', channel: 'editor', model: forged, profile: 'coding', policyVersion: 'p', promptDigest: 'd' },
  ])('stays one line, with nothing hidden: %#', (entry) => {
    const line = describeEntry(entry);
    expect(line).not.toMatch(/[\n\r\u202e]/);
    expect(line).toContain('⟨U+000A⟩');
  });
});

it('an open record stays open when another task has a call of the same id', () => {
  const chain = new HashChain(sha256);
  const entries: AuditEntry[] = [
    decision({ callId: 'call_1' }), decision({ callId: 'call_1', actor: { session: 's', task: 'other', channel: 'editor' } }),
    { kind: 'result', task: 'other', callId: 'call_1', status: 'succeeded', exitCode: 0, bytes: 0, digest: 'd', durationMs: 1 },
  ];
  const text = entries.map((entry) => `${JSON.stringify(chain.link(entry, 'now'))}\n`).join('');
  expect(verifyLines(text, sha256)).toMatchObject({ fault: undefined, open: ['call_1'] });
});
