// @ts-check
/**
 * One calm line a step, with the time since the start. Lines go to stderr, so that stdout stays free for
 * machine-readable output.
 * @typedef {(text: string) => void} Say
 */

/** Milliseconds that passed before this process, for a program that goes on in a second one. */
export const earlierVariable = 'SLUICE_ELAPSED_MS';

/** @returns {Say} */
export function createSteps(out = process.stderr) {
  const start = performance.now() - Number(process.env[earlierVariable] ?? 0);
  // Told once: what we start in turn counts from its own beginning.
  delete process.env[earlierVariable];
  return (text) => {
    const seconds = (performance.now() - start) / 1000;
    out.write(`${seconds.toFixed(1).padStart(6)} s  ${text}\n`);
  };
}
