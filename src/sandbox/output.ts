import { createCleaner } from './control.ts';

/** Live output: one batch each so many milliseconds, of at most so many bytes, and so many bytes a run. */
const BATCH_MS = 50;
const BATCH_BYTES = 64 * 1024;
const LIVE_BYTES = 1024 * 1024;
const LIVE_END = '\n[The rest is not shown while it runs; the result keeps the end of it.]\n';
const GAP_ROOM = 64;

export interface Collected {
  /** At most the limit in bytes, head and tail, with a line that names the gap. */
  readonly text: string;
  readonly droppedBytes: number;
}

export interface Output {
  readonly push: (stream: 'out' | 'err', chunk: Uint8Array) => void;
  /** Passes on what is left and stops the timer. Later pushes are ignored. */
  end(): Collected;
}

/**
 * Both streams of one command as bounded, clean text. Lines of the two are interleaved in the order in which
 * they were completed. Memory stays within a small multiple of `limitBytes`, whatever comes.
 */
export function createOutput(limitBytes: number, onOutput: (text: string) => void): Output {
  const streams = {
    out: { decoder: new TextDecoder(), cleaner: createCleaner(), ahead: '' },
    err: { decoder: new TextDecoder(), cleaner: createCleaner(), ahead: '' },
  };
  const kept = createRing(limitBytes);
  const live = createLive(onOutput);
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  /** A partial line that was already shown live is not shown again when it completes. */
  function add(stream: (typeof streams)['out'], text: string): void {
    if (text === '') return;
    kept.add(text);
    // A line that was redrawn after its start was shown begins anew.
    live.add(text.startsWith(stream.ahead) ? text.slice(stream.ahead.length) : `\n${text}`);
    stream.ahead = '';
  }

  function tick(): void {
    timer = undefined;
    for (const stream of [streams.out, streams.err]) {
      const partial = stream.cleaner.partial();
      if (!partial.startsWith(stream.ahead) || partial === stream.ahead) continue;
      live.add(partial.slice(stream.ahead.length));
      stream.ahead = partial;
    }
    live.flush();
  }

  return {
    push(name, chunk) {
      if (ended) return;
      const stream = streams[name];
      add(stream, stream.cleaner.push(stream.decoder.decode(chunk, { stream: true })));
      timer ??= setTimeout(tick, BATCH_MS);
    },
    end() {
      if (!ended) {
        ended = true;
        clearTimeout(timer);
        for (const stream of [streams.out, streams.err]) {
          add(stream, stream.cleaner.push(stream.decoder.decode()));
          add(stream, stream.cleaner.end());
        }
        live.flush();
      }
      return kept.take();
    },
  };
}

function createLive(onOutput: (text: string) => void): { add(text: string): void; flush(): void } {
  let waiting: string[] = [];
  let waitingBytes = 0;
  let left = LIVE_BYTES;
  return {
    add(text) {
      if (text === '' || left <= 0) return;
      waiting.push(text);
      waitingBytes += Buffer.byteLength(text);
      if (waitingBytes <= 4 * BATCH_BYTES) return;
      waiting = [tailOf(waiting.join(''), BATCH_BYTES)];
      waitingBytes = BATCH_BYTES;
    },
    flush() {
      if (waiting.length === 0) return;
      const whole = waiting.join('');
      const text = tailOf(whole, Math.min(BATCH_BYTES, left));
      waiting = [];
      waitingBytes = 0;
      left -= Buffer.byteLength(text);
      onOutput((text.length < whole.length ? '\n[...]\n' : '') + text + (left <= 0 ? LIVE_END : ''));
    },
  };
}

interface Ring {
  add(text: string): void;
  take(): Collected;
}

/** Keeps the first and the last half of `limitBytes`. */
export function createRing(limitBytes: number): Ring {
  const half = Math.max(0, Math.floor((limitBytes - GAP_ROOM) / 2));
  // The head may end a character early; what then still fits must not be cut from the tail.
  const room = half + 8;
  let head = Buffer.alloc(0);
  let headFull = false;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let total = 0;

  function addTail(bytes: Buffer): void {
    const kept = bytes.length > room ? Buffer.from(bytes.subarray(bytes.length - room)) : bytes;
    tail.push(kept);
    tailBytes += kept.length;
    // Compacts at twice the size, so that tiny pieces do not cost a copy each.
    if (tailBytes > 2 * room || tail.length > 4096) {
      const joined = Buffer.concat(tail);
      tail = [Buffer.from(joined.subarray(Math.max(0, joined.length - room)))];
      tailBytes = tail[0]?.length ?? 0;
    }
  }

  return {
    add(text) {
      const bytes = Buffer.from(text);
      total += bytes.length;
      // Until the head is full everything may still fit whole, so the tail is collected beside it.
      if (headFull) return addTail(bytes);
      const cut = boundary(bytes, half - head.length);
      head = Buffer.concat([head, bytes.subarray(0, cut)]);
      if (cut === bytes.length) return;
      headFull = true;
      addTail(bytes.subarray(cut));
    },
    take() {
      const rest = Buffer.concat(tail);
      if (head.length + rest.length === total && total <= limitBytes) return { text: Buffer.concat([head, rest]).toString(), droppedBytes: 0 };
      const end = Buffer.from(tailOf(rest, half));
      const droppedBytes = total - head.length - end.length;
      return { text: `${head.toString()}\n[... ${String(droppedBytes)} bytes left out ...]\n${end.toString()}`, droppedBytes };
    },
  };
}

/** The largest cut at or before `at` that does not split a character. */
function boundary(bytes: Buffer, at: number): number {
  let cut = Math.min(Math.max(0, at), bytes.length);
  while (cut > 0 && cut < bytes.length && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  return cut;
}

/** The last `limit` bytes, starting on a character. */
function tailOf(text: string | Buffer, limit: number): string {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  let start = Math.max(0, bytes.length - limit);
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start).toString();
}
