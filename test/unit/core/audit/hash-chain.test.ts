import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../../src/core/digest.ts';
import { CHAIN_START, HashChain, LINE_LIMIT, verifyLines, type AuditLine } from '../../../../src/core/audit/hash-chain.ts';
import type { AuditEntry } from '../../../../src/core/audit/record.ts';
import { sha256 } from '../../../../src/host/system.ts';
import { chainOf, decisionEntry, ENTRIES, fileOf, resultEntry } from './entry-samples.ts';

const all = Object.values(ENTRIES);
const verify = (text: string): ReturnType<typeof verifyLines> => verifyLines(text, sha256);
const lines = (text: string): string[] => text.split('\n').slice(0, -1);
const joined = (parts: readonly string[]): string => parts.map((line) => `${line}\n`).join('');

/** A record with a hash of its own that fits: what somebody could write who knows how the chain is made. */
function forged(prev: string, seq: number, entry: unknown): string {
  const time = '2026-03-09T10:00:00.000Z';
  return JSON.stringify({ seq, time, prev, entry, hash: sha256(prev + canonical({ seq, time, entry })) });
}

describe('a whole file', () => {
  it('holds every kind, and its head is the last hash', () => {
    const chained = chainOf(all);
    expect(verify(fileOf(all))).toEqual({ records: all.length, fault: undefined, open: [], tornTail: false, head: chained.at(-1)?.hash });
    expect(chained.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(chained.map(({ prev }) => prev)).toEqual([CHAIN_START, ...chained.slice(0, -1).map(({ hash }) => hash)]);
  });

  it('an empty file holds nothing and nothing is wrong with it', () => {
    expect(verify('')).toEqual({ records: 0, fault: undefined, open: [], tornTail: false, head: CHAIN_START });
  });

  it('keeps a text whose last character was cut in half', () => {
    const half = '🔑'.slice(0, 1);
    const text = fileOf([decisionEntry({ tool: `run${half}` }), resultEntry()]);
    expect(verify(text).fault).toBeUndefined();
    expect(verify(text.replace('run\ufffd', 'run\\ud83e')).fault?.line).toBe(1);
  });

  it('random entries verify', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      const text = fileOf(texts.map((tool) => decisionEntry({ tool, decision: 'deny' })));
      return verify(text).fault === undefined && verify(text).records === texts.length;
    }));
  });

  it('refuses a record that verify would call damaged, and goes on without a gap', () => {
    const chain = new HashChain(sha256);
    const first = chain.link(ENTRIES.opened, 't');
    expect(() => chain.link(decisionEntry({ tool: 'x'.repeat(LINE_LIMIT) }), 't')).toThrow(`at most ${LINE_LIMIT}`);
    const second = chain.link(ENTRIES.task, 't');
    expect(verify(joined([first, second].map((line) => JSON.stringify(line)))).fault).toBeUndefined();
  });
});

describe('numbers', () => {
  it.each([0, 2, 1.5, -1])('a first record with the number %d is found, though its hash fits', (seq) => {
    expect(verify(`${forged(CHAIN_START, seq, ENTRIES.opened)}\n`).fault).toEqual({ line: 1, what: `record ${seq} stands where 1 belongs` });
  });
});

describe('damage', () => {
  const whole = fileOf([ENTRIES.opened, ENTRIES.decision, ENTRIES.result]);

  it('finds every flipped bit of a small file', () => {
    const bytes = Buffer.from(whole, 'utf8');
    const missed: string[] = [];
    for (let at = 0; at < bytes.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const damaged = Buffer.from(bytes);
        damaged[at]! ^= 1 << bit;
        const report = verify(damaged.toString('utf8'));
        if (report.fault === undefined && !report.tornTail) missed.push(`byte ${at} bit ${bit}`);
      }
    }
    expect(missed).toEqual([]);
    expect(bytes.length).toBeGreaterThan(900);
  });

  it('finds every removed, doubled and inserted byte', () => {
    const missed: number[] = [];
    for (let at = 0; at < whole.length; at += 1) {
      const variants = [whole.slice(0, at) + whole.slice(at + 1), whole.slice(0, at + 1) + whole.slice(at), `${whole.slice(0, at)} ${whole.slice(at)}`];
      if (variants.some((text) => text !== whole && verify(text).fault === undefined && !verify(text).tornTail)) missed.push(at);
    }
    expect(missed).toEqual([]);
  });

  it.each([0, 1, 2].map((at) => [at]))('finds that line %i was removed, unless it is the last', (at) => {
    const report = verify(joined(lines(whole).toSpliced(at, 1)));
    if (at < 2) expect(report.fault?.line).toBe(at + 1);
    else expect(report.head).not.toBe(verify(whole).head);
  });

  it('finds swapped lines, each pair of them', () => {
    const text = fileOf(all);
    for (let a = 0; a < all.length; a += 1) {
      for (let b = a + 1; b < all.length; b += 1) {
        const mixed = lines(text);
        [mixed[a], mixed[b]] = [mixed[b]!, mixed[a]!];
        expect(verify(joined(mixed)).fault?.line).toBe(a + 1);
      }
    }
  });

  it('reports a tail cut at any byte as torn, and what stands before it holds', () => {
    const ends = new Set(lines(whole).map((_, index) => joined(lines(whole).slice(0, index + 1)).length));
    for (let length = 1; length < whole.length; length += 1) {
      const report = verify(whole.slice(0, length));
      expect(report.fault).toBeUndefined();
      expect(report.tornTail).toBe(!ends.has(length));
      expect(report.records).toBe([...ends].filter((end) => end <= length).length);
    }
  });

  it('finds a line from another chain, and one that was changed with a hash that fits', () => {
    const other = lines(fileOf([ENTRIES.opened, decisionEntry({ tool: 'write_file' }), ENTRIES.result]));
    expect(verify(joined(lines(whole).with(2, other[2]!))).fault?.line).toBe(3);
    const first = JSON.parse(lines(whole)[0]!) as AuditLine;
    const changed = forged(first.hash, 2, { ...ENTRIES.decision, decision: 'deny', code: null });
    expect(verify(joined(lines(whole).with(1, changed))).fault).toEqual({ line: 3, what: 'does not follow from the line before' });
  });

  it.each<[string, (line: string) => string]>([
    ['a key more', (line) => line.replace('{"seq"', '{"note":"fine","seq"')],
    ['a key twice, the second one right', (line) => line.replace('"entry":', '"entry":{"kind":"task_end"},"entry":')],
    ['blanks', (line) => line.replace('":', '": ')],
    ['a carriage return at the end', (line) => `${line}\r`],
    ['another spelling of a character', (line) => line.replace('opened', 'opene\\u0064')],
    ['another spelling of a number', (line) => line.replace('"seq":1,', '"seq":1e0,')],
    ['an empty line before it', (line) => `\n${line}`],
  ])('finds %s', (_, change) => {
    const text = joined(lines(whole).with(0, change(lines(whole)[0]!)));
    expect(text).not.toBe(whole);
    expect(verify(text).fault?.line).toBe(1);
  });

  it('names a line that is too long without reading it', () => {
    expect(verify(`${' '.repeat(LINE_LIMIT + 1)}\n`).fault).toEqual({ line: 1, what: `longer than ${LINE_LIMIT} characters` });
  });
});

describe('open records', () => {
  const open = (entries: readonly AuditEntry[]): readonly string[] => verify(fileOf(entries)).open;

  it('is a call that was allowed and has no result', () => {
    expect(open([decisionEntry(), decisionEntry({ callId: 'call_2' }), resultEntry()])).toEqual(['call_2']);
  });

  it('is not a call that was refused', () => {
    expect(open([decisionEntry({ decision: 'deny', code: 'guard_denied' })])).toEqual([]);
  });

  it('is told apart from the same name in another task', () => {
    const other = { session: 's1', task: 'task_2', channel: 'editor' } as const;
    expect(open([decisionEntry(), decisionEntry({ actor: other }), resultEntry({ task: 'task_2' })])).toEqual(['call_1']);
    expect(open([decisionEntry(), decisionEntry({ actor: other }), resultEntry({ task: 'task_2' }), resultEntry()])).toEqual([]);
  });

  it('is reported up to the first fault', () => {
    const text = `${fileOf([decisionEntry()])}not a record\n`;
    expect(verify(text)).toMatchObject({ open: ['call_1'], fault: { line: 2, what: 'not valid JSON' } });
  });
});

describe('anything else', () => {
  it('never throws on random text', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.json().map((text) => `${text}\n`)), (text) => {
      const report = verify(text);
      return report.records >= 0 && (report.fault === undefined || report.fault.line >= 1);
    }), { numRuns: 500 });
  });

  it('never throws on random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => verify(Buffer.from(bytes).toString('utf8')).records >= 0), { numRuns: 300 });
  });

  it('never throws on records that were forged with any content', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom('decision', 'result', 'other'), fc.jsonValue(), (entry, kind, callId) => {
      const report = verify(`${forged(CHAIN_START, 1, { ...entry, kind, decision: 'allow', callId })}\n`);
      return report.open.every((name) => typeof name === 'string');
    }), { numRuns: 300 });
  });

  it('never throws on deep nesting', () => {
    const deep = '['.repeat(60_000) + ']'.repeat(60_000);
    expect(verify(`${deep}\n`).fault?.line).toBe(1);
    expect(verify(`{"seq":1,"time":"t","prev":"${CHAIN_START}","hash":"h","entry":{"kind":"x","deep":${deep}}}\n`).fault?.line).toBe(1);
  });
});
