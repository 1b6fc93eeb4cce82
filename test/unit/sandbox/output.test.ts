import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCleaner } from '../../../src/sandbox/control.ts';
import { createOutput, createRing } from '../../../src/sandbox/output.ts';
import { reportMissing, workshop } from './workshop.ts';

function clean(...chunks: string[]): string {
  const cleaner = createCleaner();
  return chunks.map((chunk) => cleaner.push(chunk)).join('') + cleaner.end();
}

const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

describe('CM-07: control sequences', () => {
  it.each([
    ['plain\ttext\n', 'plain\ttext\n'], ['\u001b[1;31mred\u001b[0m\n', 'red\n'], ['\u001b[38:2::1:2:3mx', 'x'], ['\u009b31mred', 'red'],
    ['\u001b]0;title\u0007x', 'x'], ['\u001b]8;;http://a\u001b\\link\u001b]8;;\u001b\\', 'link'], ['\u009d0;t\u009cx', 'x'], ['\u001bPq...\u001b\\x', 'x'],
    ['\u001b(Bx\u001b=y\u001b>', 'xy'], ['\u001b[?25l\u001b[2Jx', 'x'], ['a\u0000b\u0007c\u0008d\u007fe', 'abcde'], ['\u001b]never ended\nnext', '\nnext'],
    ['a\r\nb\r\n', 'a\nb\n'], ['10%\r50%\r100%\n', '100%\n'], ['long text\rab\n', 'abng text\n'], ['long text\r\u001b[Kab\n', 'ab\n'], ['abc\u001b[2K\rd\n', 'd\n'],
    ['100%\r', '100%'], ['\u001b', ''], ['\u001b[31', ''], ['a\u001b[3\u001b[1mb', 'ab'], ['x\u001b[31\u0018y', 'xy'],
  ])('%j becomes %j', (raw, text) => {
    expect(clean(raw)).toBe(text);
    expect(clean(...raw)).toBe(text);
  });

  it('is the same however the text is cut, and never leaves a control character', () => {
    const unit = fc.oneof(fc.constantFrom('\u001b', '[', ']', 'K', '2', ';', '\r', '\n', '\t', '\u0007', '\\', '\u009b', '\u009c', 'm', 'P'), fc.string({ unit: 'binary', maxLength: 3 }));
    fc.assert(fc.property(fc.array(unit, { maxLength: 60 }), (parts) => {
      const whole = clean(parts.join('').toWellFormed());
      expect(clean(...parts.map((part) => part.toWellFormed()))).toBe(clean(parts.map((part) => part.toWellFormed()).join('')));
      expect(FORBIDDEN.test(whole)).toBe(false);
    }), { numRuns: 2000 });
  });

  it('costs no more for a flood of redraws over a long line', () => {
    const cleaner = createCleaner();
    const started = performance.now();
    cleaner.push(`${'y'.repeat(8000)}\r`);
    for (let round = 0; round < 20; round += 1) cleaner.push('x\r'.repeat(32_768));
    expect(performance.now() - started).toBeLessThan(5000);
    expect(cleaner.end()).toBe(`x${'y'.repeat(7999)}`);
  });

  it('holds back no more than one bounded line', () => {
    const cleaner = createCleaner();
    expect(cleaner.push('x'.repeat(100_000)).length).toBe(100_000);
    cleaner.push(`\r\u001b[${'0'.repeat(1_000_000)}`);
    expect(cleaner.end().length).toBeLessThan(20_000);
  });
});

describe('bounded output', () => {
  it('keeps head and tail in bytes, on character boundaries, and counts the rest', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 80 }), fc.integer({ min: 100, max: 900 }), (parts, limit) => {
      const ring = createRing(limit);
      for (const part of parts) ring.add(part.toWellFormed());
      const all = parts.join('').toWellFormed();
      const { text, droppedBytes } = ring.take();
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
      if (!all.includes('\ufffd')) expect(text).not.toContain('\ufffd');
      if (Buffer.byteLength(all) <= limit - 64) expect(text).toBe(all);
      if (droppedBytes === 0) {
        expect(text).toBe(all);
        return;
      }
      const [head = '', tail = ''] = text.split(/\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/);
      expect(all.startsWith(head) && all.endsWith(tail)).toBe(true);
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + droppedBytes).toBe(Buffer.byteLength(all));
    }));
  });

  it('decodes characters that are cut between chunks, and each stream for itself', () => {
    const output = createOutput(1000, () => undefined);
    const bytes = Buffer.from('é😀\n');
    output.push('err', Buffer.from('err\n').subarray(0, 2));
    for (const byte of bytes) output.push('out', Uint8Array.of(byte));
    output.push('err', Buffer.from('r\n'));
    expect(output.end()).toEqual({ text: 'é😀\nerr\n', droppedBytes: 0 });
  });

  it('shows it live in bounded batches, each line once', async () => {
    const shown: string[] = [];
    const output = createOutput(1000, (text) => shown.push(text));
    output.push('out', Buffer.from('one\nquestion? '));
    await expect.poll(() => shown.join(''), { timeout: 5000 }).toBe('one\nquestion? ');
    output.push('out', Buffer.from('yes\n10%\r20%\r30%'));
    output.end();
    expect(shown.join('')).toBe('one\nquestion? yes\n30%');
  });

  it('shows at most about a megabyte live, in batches of at most 64 kB', async () => {
    const shown: string[] = [];
    const output = createOutput(1000, (text) => shown.push(text));
    for (let round = 0; round < 30; round += 1) {
      output.push('out', Buffer.from('0123456789\n'.repeat(20_000)));
      await new Promise((resolve) => setTimeout(resolve, 55));
    }
    output.end();
    expect(Math.max(...shown.map((text) => text.length))).toBeLessThan(65 * 1024 + 100);
    expect(shown.join('').length).toBeLessThan(1024 * 1024 + 5000);
    expect(shown.at(-1)).toContain('not shown while it runs');
  });
});

const missing = reportMissing();
describe.skipIf(missing)(`CM-06: endless output${missing === undefined ? '' : ` (${missing})`}`, () => {
  const bench = workshop();
  const LIMIT = 64 * 1024;
  it.each([
    ['yes | head -c 600000000', 600_000_000], ['head -c 50000000 /dev/urandom', 1], ['head -c 80000000 /dev/zero | tr "\\0" x', 80_000_000],
    ['yes error | head -c 100000000 >&2', 100_000_000], ['(yes a | head -c 30000000) & (yes b | head -c 30000000 >&2); wait', 60_000_000],
  ])('%s stays within its bounds', async (line, bytes) => {
    await bench.runner.status();
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let most = before;
    let drift = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      drift = Math.max(drift, now - last - 20);
      last = now;
      most = Math.max(most, process.memoryUsage().rss);
    }, 20);
    let live = 0;
    const result = await bench.shell(line, { timeoutMs: 60_000, outputLimitBytes: LIMIT, onOutput: (text) => { live += text.length; } });
    clearInterval(timer);
    expect(result.end).toBe('exited');
    expect(Buffer.byteLength(result.output)).toBeLessThanOrEqual(LIMIT);
    expect(result.droppedBytes).toBeGreaterThanOrEqual(Math.floor(bytes * 0.9) - LIMIT);
    expect(result.output).toContain('bytes left out');
    expect(FORBIDDEN.test(result.output)).toBe(false);
    expect(live).toBeLessThan(1.1 * 1024 * 1024);
    console.log(`${line}: rss +${String(Math.round((most - before) / 1e6))} MB, drift ${String(Math.round(drift))} ms, ${String(result.durationMs)} ms`);
    // Garbage of the decoder counts as rss until it is collected; growth with the output would be hundreds of MB.
    expect(most - before).toBeLessThan(150 * 1024 * 1024);
  }, 90_000);
});
