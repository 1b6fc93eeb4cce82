import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyLines, type AuditLine, type VerifyReport } from '../core/audit/hash-chain.ts';
import { sha256 } from './system.ts';

const NAME = /^[\w.-]+\.jsonl$/;

export interface FileReport extends VerifyReport {
  readonly file: string;
}

function auditFolder(folder: string): string {
  return join(folder, '.sluice', 'audit');
}

async function auditFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(auditFolder(folder)).catch(() => []);
  return names.filter((name) => NAME.test(name)).toSorted();
}

/** Verifies every file of a folder's audit; a file that cannot be read is a fault of its own. */
export async function verifyAudit(folder: string): Promise<readonly FileReport[]> {
  const reports: FileReport[] = [];
  for (const file of await auditFiles(folder)) {
    const text = await readFile(join(auditFolder(folder), file), 'utf8').catch(() => undefined);
    const report = text === undefined
      ? { records: 0, fault: { line: 0, what: 'cannot be read' }, open: [], tornTail: false, head: '' }
      : verifyLines(text, sha256);
    reports.push({ file, ...report });
  }
  return reports;
}

/** What `Sluice: Verify Audit` says. `live` calls run right now, so their open record is no finding. */
export function describeReports(reports: readonly FileReport[], live: ReadonlySet<string>): { readonly ok: boolean; readonly lines: readonly string[] } {
  if (reports.length === 0) return { ok: true, lines: ['There is no audit in this folder yet.'] };
  const lines: string[] = [];
  let ok = true;
  for (const { file, records, fault, open, tornTail } of reports) {
    const lost = open.filter((callId) => !live.has(callId));
    if (fault !== undefined) {
      ok = false;
      lines.push(`${file}: line ${fault.line} ${fault.what}. What stands before it holds.`);
      continue;
    }
    lines.push(`${file}: ${records} records, unbroken.`);
    if (tornTail) lines.push('  The last line was cut off while it was written; every record before it holds.');
    for (const callId of lost) lines.push(`  ${callId} was allowed and has no result: the editor ended while it ran.`);
  }
  return { ok, lines };
}

/** The records of one call, newest file first, as readable JSON. */
export async function recordsOf(folder: string, callId: string): Promise<string> {
  const found: AuditLine[] = [];
  for (const file of (await auditFiles(folder)).toReversed().slice(0, 50)) {
    const text = await readFile(join(auditFolder(folder), file), 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      if (!line.includes(callId)) continue;
      try {
        const record = JSON.parse(line) as AuditLine;
        if ((record.entry as { callId?: string }).callId === callId) found.push(record);
      } catch {
        // A damaged line is what Verify Audit reports; here only whole records are shown.
      }
    }
  }
  return found.length === 0 ? `No record of ${callId} was found.\n` : `${found.map((line) => JSON.stringify(line, null, 2)).join('\n')}\n`;
}
