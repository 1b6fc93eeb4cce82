import { canonical, type Sha256 } from '../digest.ts';
import type { AuditEntry } from './record.ts';

/** One line of the file. `hash` is SHA-256 over `prev` and the canonical form of the rest. */
export interface AuditLine {
  readonly seq: number;
  /** ISO 8601, information only: order is `seq`. */
  readonly time: string;
  readonly prev: string;
  readonly entry: AuditEntry;
  readonly hash: string;
}

export const CHAIN_START = '0'.repeat(64);
/** Most characters of one line; a longer one counts as damaged. */
export const LINE_LIMIT = 262_144;

/** Links entries in the order they are given. One chain a file; the caller writes `JSON.stringify` of each line in the same order. */
export class HashChain {
  #seq = 0;
  #prev = CHAIN_START;
  readonly #sha256: Sha256;
  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  /** Throws, and leaves the chain as it was, when the line would be longer than `LINE_LIMIT`. */
  link(entry: AuditEntry, time: string): AuditLine {
    const seq = this.#seq + 1;
    const kept = plain(entry);
    const hash = this.#sha256(this.#prev + canonical({ seq, time, entry: kept }));
    const line: AuditLine = { seq, time, prev: this.#prev, entry: kept, hash };
    if (JSON.stringify(line).length > LINE_LIMIT) throw new RangeError(`an audit record may have at most ${LINE_LIMIT} characters`);
    this.#seq = seq;
    this.#prev = hash;
    return line;
  }
}

export interface VerifyReport {
  readonly records: number;
  /** The first thing wrong, with the line it stands in (1-based), or undefined. */
  readonly fault: { readonly line: number; readonly what: string } | undefined;
  /** Calls that were allowed and have no result: the host ended while they ran. */
  readonly open: readonly string[];
  /** The last line was cut off in the middle of writing; everything before it holds. */
  readonly tornTail: boolean;
  readonly head: string;
}

/** Checks a whole file: every line parses, numbers follow, each hash fits. Never throws on any input. */
export function verifyLines(text: string, sha256: Sha256): VerifyReport {
  const lines = text.split('\n');
  const tail = lines.pop() ?? '';
  const open = new Map<string, string>();
  let prev = CHAIN_START;
  for (const [index, source] of lines.entries()) {
    const line = readLine(source);
    const what = typeof line === 'string' ? line : faultOf(line, source, index + 1, prev, sha256);
    if (what !== undefined || typeof line === 'string') {
      return { records: index, fault: { line: index + 1, what: what ?? 'unreadable' }, open: [...open.values()], tornTail: false, head: prev };
    }
    prev = line.hash;
    trackOpen(line.entry, open);
  }
  return { records: lines.length, fault: undefined, open: [...open.values()], tornTail: tail !== '', head: prev };
}

/** Call ids are unique in a task only: two tasks may both have a `call_1`. */
function trackOpen(entry: AuditEntry, open: Map<string, string>): void {
  if (entry.kind === 'decision' && entry.decision === 'allow') {
    const name = typeof entry.callId === 'string' ? entry.callId : 'a call without a name';
    open.set(JSON.stringify([entry.actor?.task, entry.callId]), name);
  }
  if (entry.kind === 'result') open.delete(JSON.stringify([entry.task, entry.callId]));
}

function readLine(source: string): AuditLine | string {
  if (source.length > LINE_LIMIT) return `longer than ${LINE_LIMIT} characters`;
  try {
    const line: unknown = JSON.parse(source);
    if (typeof line !== 'object' || line === null) return 'not a record';
    const { seq, time, prev, entry, hash } = line as Partial<AuditLine>;
    if (typeof seq !== 'number' || typeof time !== 'string' || typeof prev !== 'string' || typeof hash !== 'string') return 'not a record';
    if (typeof entry !== 'object' || entry === null || typeof entry.kind !== 'string') return 'not a record';
    return { seq, time, prev, entry, hash };
  } catch {
    return 'not valid JSON';
  }
}

function faultOf(line: AuditLine, source: string, expected: number, prev: string, sha256: Sha256): string | undefined {
  if (line.seq !== expected) return `record ${line.seq} stands where ${expected} belongs`;
  if (line.prev !== prev) return 'does not follow from the line before';
  try {
    const entry = plain(line.entry);
    const hash = sha256(prev + canonical({ seq: line.seq, time: line.time, entry }));
    if (hash !== line.hash) return 'its content does not fit its hash';
    // Added keys, keys given twice, blanks and other spellings of the same value are not in the hash.
    return JSON.stringify({ ...line, entry }) === source ? undefined : 'is not written as a record is';
  } catch {
    return 'its content has no canonical form';
  }
}

/** As it will be read back: without undefined values, and with U+FFFD for half a surrogate pair, which the hash cannot tell apart. */
function plain(entry: AuditEntry): AuditEntry {
  return JSON.parse(JSON.stringify(entry), (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)) as AuditEntry;
}
