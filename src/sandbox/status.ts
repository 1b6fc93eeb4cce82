import { access, constants } from 'node:fs/promises';
import type { SandboxStatus } from '../core/ports.ts';
import { installAdvice, namespaceAdvice } from './advice.ts';
import { selfTest } from './self-test.ts';
import type { SelfTestOptions } from './self-test.ts';

export interface StatusOptions extends SelfTestOptions {
  readonly log: (line: string) => void;
}

/** A failed test is repeated when asked again, but not before so many milliseconds. */
const RETEST_MS = 5000;

const AVAILABLE: SandboxStatus = {
  available: true,
  detail: 'Commands are confined: they write only in the workspace and a private temporary folder, and have no network.',
  fix: undefined,
};

/** Success is remembered for good; concurrent callers share one test. The function never rejects. */
export function createStatus(options: StatusOptions): () => Promise<SandboxStatus> {
  let last: { readonly status: Promise<SandboxStatus>; failedAt: number | undefined } | undefined;
  return () => {
    if (last === undefined || (last.failedAt !== undefined && performance.now() - last.failedAt > RETEST_MS)) {
      const next = { status: examine(options), failedAt: undefined as number | undefined };
      last = next;
      void next.status.then((status) => {
        if (status.available) return;
        next.failedAt = performance.now();
        options.log(`Sandbox: ${status.detail}`);
      });
    }
    return last.status;
  };
}

async function examine(options: StatusOptions): Promise<SandboxStatus> {
  if (options.platform === 'win32') {
    return missing('Commands cannot be confined on Windows: Sluice has no sandbox there, so every command asks and runs unconfined.', undefined);
  }
  try {
    const lacking = await options.confiner.check();
    if (lacking.length > 0) return await lackingParts(lacking, options.platform);
    // The library runs every command through it, and the test needs its /dev/tcp.
    if (!(await access('/bin/bash', constants.X_OK).then(() => true, () => false))) return missing('Commands cannot be confined: /bin/bash is missing.', undefined);
    const { failures, said } = await selfTest(options);
    if (failures.length === 0) return AVAILABLE;
    const refused = failures.includes('did not start') ? await namespaceAdvice(said) : undefined;
    if (refused !== undefined) return missing(refused.detail, refused.fix);
    return missing(`Commands cannot be confined: when tested, the sandbox ${failures.join(' and ')}.`, undefined);
  } catch (error) {
    return missing(`Commands cannot be confined: ${error instanceof Error ? error.message : String(error)}.`, undefined);
  }
}

async function lackingParts(lacking: readonly string[], platform: NodeJS.Platform): Promise<SandboxStatus> {
  const refused = lacking.every((text) => /uid 0|namespace/i.test(text)) ? await namespaceAdvice(lacking.join('\n')) : undefined;
  if (refused !== undefined) return missing(refused.detail, refused.fix);
  const installable = lacking.some((text) => /not installed|not found|bubblewrap|socat|ripgrep/i.test(text));
  return missing(`Commands cannot be confined: ${lacking.join('; ')}.`, installable ? await installAdvice(platform) : undefined);
}

function missing(detail: string, fix: string | undefined): SandboxStatus {
  return { available: false, detail, fix };
}
