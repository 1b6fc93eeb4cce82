import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AuditFile } from '../../../src/host/audit-file.ts';
import { describeReports, recordsOf, verifyAudit } from '../../../src/host/audit-reading.ts';

const made: string[] = [];
afterAll(() => { for (const folder of made) rmSync(folder, { recursive: true, force: true }); });
function throwAway(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-audit-test-')));
  made.push(folder);
  return folder;
}

function auditOf(folder: string, failed: string[] = [], session = 'win1'): AuditFile {
  return new AuditFile({ folder: () => folder, place: () => 'sample', session, version: '1', now: () => new Date(0), log: () => undefined, failed: (what) => failed.push(what) });
}
const end = (task: string, callId: string) => ({ kind: 'interrupted', task, callId, requestId: 'r' }) as const;

describe('where the audit lies', () => {
  it('a workspace that was opened through a link has one', async () => {
    const real = throwAway();
    const link = join(throwAway(), 'link');
    symlinkSync(real, link);
    const audit = auditOf(link);
    await audit.append({ kind: 'task_end', task: 't', how: 'finished' });
    await audit.close();
    expect(readdirSync(join(real, '.sluice/audit'))).toHaveLength(1);
    expect(describeReports(await verifyAudit(link), new Set())).toMatchObject({ ok: true, lines: [expect.stringContaining('2 records')] });
  });

  it.each(['.sluice', '.sluice/audit'])('a %s that came as a link is not written through, and nothing is recorded elsewhere', async (name) => {
    const folder = throwAway();
    const elsewhere = throwAway();
    if (name !== '.sluice') mkdirSync(join(folder, '.sluice'));
    symlinkSync(elsewhere, join(folder, name));
    const failed: string[] = [];
    await expect(auditOf(folder, failed).append({ kind: 'task_end', task: 't', how: 'finished' })).rejects.toThrow(/link/);
    expect(failed).toHaveLength(1);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(await verifyAudit(folder)).toEqual([]);
  });
});

describe('reading what a repository may have brought', () => {
  it('a pipe and a link to a device are faults, not a standstill', async () => {
    const folder = throwAway();
    const audit = join(folder, '.sluice/audit');
    mkdirSync(audit, { recursive: true });
    execFileSync('mkfifo', [join(audit, 'a.jsonl')]);
    symlinkSync('/dev/zero', join(audit, 'b.jsonl'));
    const reports = await Promise.race([verifyAudit(folder), new Promise<undefined>((resolve) => setTimeout(resolve, 3_000))]);
    expect(reports?.map(({ fault }) => fault?.what)).toEqual(['cannot be read', 'cannot be read']);
    expect(await recordsOf(folder, 'call')).toContain('No record');
  }, 10_000);

  it('flipped, cut, reordered and exchanged records are found in the file they are in', async () => {
    const folder = throwAway();
    const audit = auditOf(folder);
    for (const callId of ['one', 'two', 'three']) await audit.append(end('t', callId));
    await audit.close();
    const path = join(folder, '.sluice/audit', readdirSync(join(folder, '.sluice/audit'))[0] ?? '');
    const text = readFileSync(path, 'utf8');
    const lines = text.trimEnd().split('\n');
    const spoiled = [text.replace('"two"', '"tow"'), [lines[0], lines[2], lines[1], lines[3]].join('\n'), lines.slice(1).join('\n'), [...lines, lines[1]].join('\n')];
    for (const bad of spoiled) {
      writeFileSync(path, `${bad}\n`);
      expect((await verifyAudit(folder))[0]?.fault).toBeDefined();
    }
  });
});

it('the record of a call is found by its whole id', async () => {
  const folder = throwAway();
  const audit = auditOf(folder);
  for (const callId of ['call_1', 'call_1/x', 'a"b\nc']) await audit.append(end('t', callId));
  await audit.close();
  for (const callId of ['call_1', 'call_1/x', 'a"b\nc']) expect(await recordsOf(folder, callId)).toContain(`"callId": ${JSON.stringify(callId)}`);
  expect(await recordsOf(folder, 'call_1')).not.toContain('call_1/x');
});
