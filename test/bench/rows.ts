/** What a part of the bench hands to src/build/bench.mjs: one line of JSON on stdout, the last one it writes. */

export interface Measure {
  readonly value: number;
  readonly unit: 'µs' | 'ms' | 'tokens' | 'KB' | 'per s';
}

export interface Row {
  readonly what: string;
  readonly measured: Measure;
  /** Measured in the same run, so that a slow machine slows both. */
  readonly baseline: Measure & { readonly what: string };
}

/** What could not be measured here, and why. */
export interface Missing {
  readonly what: string;
  readonly why: string;
}

export function report(rows: readonly Row[], missing: readonly Missing[] = []): void {
  process.stdout.write(`${JSON.stringify({ rows, missing })}\n`);
}

/** The value below which the share `p` (0 to 1) of the samples lies. Throws without samples. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const found = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * p) - 1)];
  if (found === undefined) throw new RangeError('no samples');
  return found;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Milliseconds of each of `count` runs, one after the other, after `warmUp` that are not counted. */
export async function sample(count: number, warmUp: number, run: (n: number) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  for (let n = 0; n < warmUp + count; n += 1) {
    const from = performance.now();
    await run(n);
    if (n >= warmUp) samples.push(performance.now() - from);
  }
  return samples;
}

/** p50 and p99 as two rows, in the unit given; samples are milliseconds. */
export function spread(what: string, samples: readonly number[], beside: string, baseline: readonly number[], unit: 'µs' | 'ms'): Row[] {
  const scale = unit === 'µs' ? 1_000 : 1;
  return ([['p50', 0.5], ['p99', 0.99]] as const).map(([name, p]) => ({
    what: `${what}, ${name}`, measured: { value: percentile(samples, p) * scale, unit },
    baseline: { what: beside, value: percentile(baseline, p) * scale, unit },
  }));
}
