import { describe, expect, it } from 'vitest';
import { describeEntry } from '../../../../src/core/audit/describe.ts';
import { noteResource, type AuditEntry } from '../../../../src/core/audit/record.ts';
import { sha256 } from '../../../../src/host/system.ts';
import { command, pathResource } from '../approval/card-samples.ts';
import { decisionEntry, ENTRIES, resultEntry } from './entry-samples.ts';

const digest = (text: string): string => `sha256:${sha256(text)}`;

describe('one line a record', () => {
  it.each<[string, AuditEntry]>([
    ['Audit opened for sample (Sluice 0.1.0).', ENTRIES.opened],
    ['Task task_1 started: model rehearsal, profile coding.', ENTRIES.task],
    ['Policy changed while task task_1 runs; in force from the next call.', ENTRIES.policy],
    ['call_1 waits for you (command_review).', ENTRIES.asked],
    ['call_1 allowed by you (status bar, 1.3 s): run_command npm, . · sandboxed', ENTRIES.decision],
    ['call_1 succeeded, exit 0 after 40 ms, 12 bytes.', ENTRIES.result],
    ['call_1 was waiting when the window closed. Nothing ran.', ENTRIES.interrupted],
    ['Task task_1 ended: finished.', ENTRIES.task_end],
    ['call_1 timed out after 40 ms, 12 bytes.', resultEntry({ status: 'timed_out', exitCode: undefined })],
    ['call_1 refused at schema: write_file (invalid_arguments)', decisionEntry({
      decision: 'deny', stage: 'schema', code: 'invalid_arguments', patternKey: undefined, tool: 'write_file', resources: [], confinement: undefined,
    })],
    ['call_1 refused at guard: read_file ../x (outside_read)', decisionEntry({
      decision: 'deny', stage: 'guard', code: 'guard_denied', patternKey: 'outside_read', tool: 'read_file', confinement: 'none_needed',
      resources: [{ kind: 'path', operation: 'read', path: '../x', outside: true }],
    })],
    ['call_1 allowed by standing grant session: run_command npm · sandboxed', decisionEntry({
      decider: { by: 'standing_grant', source: 'session', waitedMs: 0, scope: 'session', edited: false },
      resources: [{ kind: 'command', form: 'argv', program: 'npm', lineDigest: 'sha256:cc', cwd: '' }],
    })],
    ['call_1 allowed by you (diff, 0.0 s, edited): ask_user', decisionEntry({
      decider: { by: 'person', source: 'diff', waitedMs: 0, scope: 'once', edited: true }, tool: 'ask_user', resources: [], confinement: 'none_needed',
    })],
  ])('%s', (text, entry) => {
    expect(describeEntry(entry)).toBe(text);
  });

  it('says something for every kind', () => {
    for (const entry of Object.values(ENTRIES)) expect(describeEntry(entry)).toMatch(/^\S.*[.\w]$/);
  });
});

describe('the note of a resource', () => {
  const canary = ['canary', 'of', 'the', 'line'].join('-');

  it('holds a digest for a command line, never its words', () => {
    const note = noteResource(command(`curl -H ${canary}`), digest);
    expect(JSON.stringify(note)).not.toContain(canary);
    expect(note).toEqual({ kind: 'command', form: 'argv', program: 'curl', lineDigest: digest(`curl -H ${canary}`), cwd: '' });
  });

  it('names no program for a shell line', () => {
    const note = noteResource(command(`echo ${canary}`, { form: 'shell', argv: [] }), digest);
    expect(note).toMatchObject({ program: 'shell', form: 'shell' });
    expect(JSON.stringify(note)).not.toContain(canary);
  });

  it('names a path inside by its folder, and one outside in full', () => {
    expect(noteResource(pathResource({ asked: canary }), digest)).toEqual({ kind: 'path', operation: 'write', path: 'src/date.js', outside: false });
    expect(noteResource(pathResource({ relative: undefined, real: '/etc/hosts', operation: 'read' }), digest))
      .toEqual({ kind: 'path', operation: 'read', path: '/etc/hosts', outside: true });
  });
});
