import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditLine } from '../../../src/core/audit/hash-chain.ts';
import type { AuditEntry } from '../../../src/core/audit/record.ts';
import { AuditFile, type AuditFileOptions } from '../../../src/host/audit-file.ts';
import { describeReports, recordsOf, verifyAudit } from '../../../src/host/audit-reading.ts';
import type * as append from '../../../src/sandbox/append.ts';
import { decisionEntry, resultEntry } from '../core/audit/entry-samples.ts';

/** Errors that the next appends meet instead of the disk, in order; the real append otherwise. */
const disk = vi.hoisted(() => ({ faults: [] as (Error | undefined)[], open: 0 }));
vi.mock('../../../src/sandbox/append.ts', async (original) => {
  const real = await original<typeof append>();
  return {
    ...real,
    openAppendLog: async (...args: Parameters<typeof real.openAppendLog>): Promise<append.AppendLog> => {
      const log = await real.openAppendLog(...args);
      disk.open += 1;
      return {
        path: log.path,
        append: (line) => {
          const fault = disk.faults.shift();
          return fault === undefined ? log.append(line) : Promise.reject(fault);
        },
        close: async () => {
          disk.open -= 1;
          await log.close();
        },
      };
    },
  };
});

let folder: string;
let logged: string[];
let failures: string[];
const open: AuditFile[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-audit-')));
  logged = [];
  failures = [];
  disk.faults = [];
  disk.open = 0;
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((file) => file.close()));
  rmSync(folder, { recursive: true, force: true });
});

function auditFile(over: Partial<AuditFileOptions> = {}): AuditFile {
  const file = new AuditFile({
    folder: () => folder, place: () => 'sample', session: 'one', version: '0.1.0', now: () => new Date('2026-03-09T10:00:00Z'),
    log: (line) => { logged.push(line); }, failed: (what) => { failures.push(what); }, ...over,
  });
  open.push(file);
  return file;
}

const auditFolder = (): string => join(folder, '.sluice', 'audit');
const fileNames = (): string[] => readdirSync(auditFolder()).toSorted();
const linesOf = (name: string): AuditLine[] => readFileSync(join(auditFolder(), name), 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line) as AuditLine);
const call = (n: number): AuditEntry => decisionEntry({ callId: `call_${n}`, decision: 'deny', code: 'guard_denied' });
const faults = async (): Promise<unknown[]> => (await verifyAudit(folder)).map(({ fault, tornTail }) => fault ?? tornTail);

describe('one file', () => {
  it('is made at the first record, private, and begins with who wrote it', async () => {
    const file = auditFile();
    expect(existsSync(join(folder, '.sluice'))).toBe(false);
    await file.append(call(1));
    expect(fileNames()).toEqual(['2026-03-09-one-1.jsonl']);
    expect(linesOf('2026-03-09-one-1.jsonl').map(({ entry }) => entry.kind)).toEqual(['opened', 'decision']);
    expect(statSync(join(auditFolder(), fileNames()[0]!)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, '.sluice', '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('holds concurrent records in the order they were given, in one chain', async () => {
    const file = auditFile();
    const order: number[] = [];
    await Promise.all(Array.from({ length: 60 }, (_, n) => file.append(call(n)).then(() => order.push(n))));
    const [name] = fileNames();
    const ids = linesOf(name!).flatMap(({ entry }) => (entry.kind === 'decision' ? [entry.callId] : []));
    expect(ids).toEqual(Array.from({ length: 60 }, (_, n) => `call_${n}`));
    expect(order).toEqual(Array.from({ length: 60 }, (_, n) => n));
    expect(await verifyAudit(folder)).toMatchObject([{ records: 61, fault: undefined, open: [], tornTail: false }]);
    expect(logged).toHaveLength(61);
  });

  it('two windows at once have a file each, and both verify', async () => {
    const [one, two] = [auditFile(), auditFile({ session: 'two' })];
    await Promise.all(Array.from({ length: 20 }, (_, n) => [one.append(call(n)), two.append(call(n))]).flat());
    expect(fileNames()).toEqual(['2026-03-09-one-1.jsonl', '2026-03-09-two-1.jsonl']);
    expect((await verifyAudit(folder)).map(({ records, fault }) => [records, fault])).toEqual([[21, undefined], [21, undefined]]);
  });

  it('never goes on in a file that was there before', async () => {
    await auditFile().append(call(1));
    const again = auditFile();
    await expect(again.append(call(2))).rejects.toThrow('there already');
    await again.append(call(3));
    expect(fileNames()).toEqual(['2026-03-09-one-1.jsonl', '2026-03-09-one-2.jsonl']);
    expect(await faults()).toEqual([false, false]);
  });
});

describe('when it cannot be written', () => {
  it.each([0, 1, 2, 3])('error %i of the disk refuses that record only, and the next opens a file that verifies', async (at) => {
    const file = auditFile();
    disk.faults = [...Array.from({ length: at }, () => undefined), new Error('the disk is full')];
    const kept: number[] = [];
    for (let n = 0; n < 5; n += 1) await file.append(call(n)).then(() => kept.push(n), () => undefined);
    expect(kept).toHaveLength(4);
    expect(failures).toEqual(['the disk is full']);
    expect(fileNames()).toHaveLength(2);
    expect(await faults()).toEqual([false, false]);
    expect(disk.open).toBe(1);
    const written = fileNames().flatMap((name) => linesOf(name)).flatMap(({ entry }) => (entry.kind === 'decision' ? [entry.callId] : []));
    expect(written).toEqual(kept.map((n) => `call_${n}`));
  });

  it('no file stays open when none can be begun', async () => {
    const file = auditFile();
    disk.faults = Array.from({ length: 4 }, () => new Error('input/output error'));
    for (let n = 0; n < 4; n += 1) await expect(file.append(call(n))).rejects.toThrow('input/output error');
    expect(disk.open).toBe(0);
    expect(logged).toEqual([]);
  });

  it('concurrent records behind a failing one are not lost', async () => {
    const file = auditFile();
    disk.faults = [undefined, undefined, new Error('the disk is full')];
    const ends = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => file.append(call(n))));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(await faults()).toEqual([false, false]);
  });

  it.each<[string, (path: string) => void]>([
    ['removed', (path) => { rmSync(path); }],
    ['replaced by another file', (path) => { rmSync(path); writeFileSync(path, ''); }],
    ['replaced by a link to itself elsewhere', (path) => { renameSync(path, join(folder, 'moved')); symlinkSync(join(folder, 'moved'), path); }],
    ['lengthened by another program', (path) => { appendFileSync(path, '{}\n'); }],
  ])('a file that was %s refuses the record, and the next opens a new one', async (_, change) => {
    const file = auditFile();
    await file.append(call(1));
    change(join(auditFolder(), fileNames()[0]!));
    await expect(file.append(call(2))).rejects.toThrow(/audit cannot be written/);
    await file.append(call(3));
    expect(linesOf('2026-03-09-one-2.jsonl').map(({ entry }) => entry.kind)).toEqual(['opened', 'decision']);
    expect((await verifyAudit(folder)).find(({ file: name }) => name.endsWith('-2.jsonl'))).toMatchObject({ records: 2, fault: undefined });
    expect(failures).toHaveLength(1);
  });

  it.each(['.sluice', join('.sluice', 'audit')])('%s replaced by a link writes nothing behind the link', async (level) => {
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-elsewhere-')));
    try {
      mkdirSync(join(folder, level, '..'), { recursive: true });
      symlinkSync(elsewhere, join(folder, level));
      const file = auditFile();
      await expect(file.append(call(1))).rejects.toThrow(/link/);
      expect(readdirSync(elsewhere)).toEqual([]);
      rmSync(join(folder, level));
      await file.append(call(2));
      expect(await faults()).toEqual([false]);
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  });

  it('a record that is too long is refused, and those after it are kept', async () => {
    const file = auditFile();
    await file.append(call(1));
    await expect(file.append(decisionEntry({ tool: 'x'.repeat(300_000) }))).rejects.toThrow('at most');
    await file.append(call(3));
    expect(await faults()).toEqual([false, false]);
  });
});

describe('Verify Audit', () => {
  it('says what is wrong, in which line, and what still holds', async () => {
    await auditFile().append(call(1));
    const path = join(auditFolder(), fileNames()[0]!);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"deny"', '"deny "'));
    expect(describeReports(await verifyAudit(folder), new Set())).toEqual({
      ok: false, lines: ['2026-03-09-one-1.jsonl: line 2 its content does not fit its hash. What stands before it holds.'],
    });
  });

  it('reports a call without a result, except one that runs now', async () => {
    const file = auditFile();
    await file.append(decisionEntry({ callId: 'call_1' }));
    await file.append(decisionEntry({ callId: 'call_2' }));
    await file.append(resultEntry({ callId: 'call_2' }));
    const reports = await verifyAudit(folder);
    expect(describeReports(reports, new Set()).lines).toEqual([
      '2026-03-09-one-1.jsonl: 4 records, unbroken.', '  call_1 was allowed and has no result: the editor ended while it ran.',
    ]);
    expect(describeReports(reports, new Set(['call_1'])).lines).toHaveLength(1);
  });

  it('reports a line that was cut off, and a folder without an audit', async () => {
    expect(describeReports(await verifyAudit(folder), new Set())).toEqual({ ok: true, lines: ['There is no audit in this folder yet.'] });
    await auditFile().append(call(1));
    appendFileSync(join(auditFolder(), fileNames()[0]!), '{"seq":3,');
    expect(describeReports(await verifyAudit(folder), new Set()).lines[1]).toMatch(/cut off while it was written/);
  });

  it('a file that cannot be read is a fault of its own, and other names are not looked at', async () => {
    mkdirSync(join(auditFolder(), 'folder.jsonl'), { recursive: true });
    writeFileSync(join(auditFolder(), 'notes.txt'), 'x');
    expect(await verifyAudit(folder)).toMatchObject([{ file: 'folder.jsonl', fault: { line: 0, what: 'cannot be read' } }]);
  });

  it('finds the records of one call, and skips damaged lines', async () => {
    const file = auditFile();
    await file.append(decisionEntry({ callId: 'call_1' }));
    await file.append(decisionEntry({ callId: 'call_11' }));
    await file.append(resultEntry({ callId: 'call_1' }));
    appendFileSync(join(auditFolder(), fileNames()[0]!), '{"entry":{"callId":"call_1"');
    const text = await recordsOf(folder, 'call_1');
    expect(text.match(/"callId": "call_1"/g)).toHaveLength(2);
    expect(text).not.toContain('call_11');
    expect(await recordsOf(folder, 'call_9')).toBe('No record of call_9 was found.\n');
  });
});
