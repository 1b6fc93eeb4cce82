import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyLines, type AuditLine, type VerifyReport } from '../core/audit/hash-chain.ts';
import { sha256 } from './system.ts';

const NAME = /^[\w.-]+\.jsonl$/;

/** Largest audit file that is read, in bytes. A window's own stays far below it. */
const READ_LIMIT = 256 * 1024 * 1024;

export interface FileReport extends VerifyReport {
  readonly file: string;
}

function auditFolder(folder: string): string {
  return join(folder, '.sluice', 'audit');
}

async function auditFiles(folder: string): Promise<readonly string[]> {
  const own = await Promise.all([join(folder, '.sluice'), auditFolder(folder)].map((path) => lstat(path).catch(() => undefined)));
  if (!own.every((found) => found?.isDirectory())) return [];
  const names = await readdir(auditFolder(folder)).catch(() => []);
  return names.filter((name) => NAME.test(name)).toSorted();
}

/**
 * A regular file of bounded size, or undefined. The folder may come with a cloned repository: a link to a device or a
 * pipe in it must not hold up the editor.
 */
async function readPlain(path: string): Promise<string | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await handle.stat();
      return stat.isFile() && stat.size <= READ_LIMIT ? await handle.readFile('utf8') : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

/** Verifies every file of a folder's audit; a file that cannot be read is a fault of its own. */
export async function verifyAudit(folder: string): Promise<readonly FileReport[]> {
  const reports: FileReport[] = [];
  for (const file of await auditFiles(folder)) {
    const text = await readPlain(join(auditFolder(folder), file));
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
  const quoted = JSON.stringify(callId);
  for (const file of (await auditFiles(folder)).toReversed().slice(0, 50)) {
    const text = await readPlain(join(auditFolder(folder), file)) ?? '';
    for (const line of text.split('\n')) {
      if (!line.includes(quoted)) continue;
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
