// @ts-check
/**
 * One calm line a step, with the time since the start. Lines go to stderr, so that stdout stays free for
 * machine-readable output.
 * @typedef {(text: string) => void} Say
 */

/** @returns {Say} */
export function createSteps(out = process.stderr) {
  const start = performance.now();
  return (text) => {
    const seconds = (performance.now() - start) / 1000;
    out.write(`${seconds.toFixed(1).padStart(6)} s  ${text}\n`);
  };
}
