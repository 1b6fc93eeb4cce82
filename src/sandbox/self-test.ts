import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Confiner } from './confiner.ts';
import { commandEnvironment } from './environment.ts';
import { runProcess } from './run-process.ts';

const TEST_TIMEOUT_MS = 10_000;
const MARKER = 'SLUICE_SELF_TEST_MARKER';

/** Tries what must fail and what must work, and says what happened. Arguments: outside, inside, port. */
const PROBE = `
if (echo x >"$1") 2>/dev/null; then echo wrote-outside; fi
if (echo x >"$2") 2>/dev/null; then echo wrote-inside; fi
if (exec 3<>"/dev/tcp/127.0.0.1/$3") 2>/dev/null; then echo connected; fi
if [ -n "\${${MARKER}+set}" ]; then echo marker-visible; fi
if [ -w /proc/sys/kernel/core_pattern ] || [ -w /proc/sysrq-trigger ]; then echo kernel-open; fi
if [ -r /proc/self/status ]; then while read -r key value; do if [ "$key" = Seccomp: ]; then echo "filter-$value"; fi; done </proc/self/status; fi
echo finished
`;

export interface SelfTest {
  /** Empty when the sandbox holds; else what went wrong, as clauses that follow "the sandbox". */
  readonly failures: readonly string[];
  /** What the sandbox itself said, for an explanation. */
  readonly said: string;
}

export interface SelfTestOptions {
  readonly confiner: Confiner;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute, real. Throw-away folders are made here and removed. */
  readonly tempRoot: string;
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal;
}

/** Rejects only when the test itself could not be set up (no listener, no folder). */
export async function selfTest(options: SelfTestOptions): Promise<SelfTest> {
  const base = await mkdtemp(join(options.tempRoot, 'sluice-check-'));
  const listener = await listen();
  try {
    const [inside, outside, temp] = [join(base, 'inside'), join(base, 'outside'), join(base, 'temp')];
    await Promise.all([inside, outside, temp].map((folder) => mkdir(folder)));
    // A listener that nobody can reach would prove nothing.
    if (!(await reachable(listener.port))) return { failures: ['could not be tested: a local connection failed outside it as well'], said: '' };
    const seen = listener.connections();
    const words = ['/bin/bash', '--noprofile', '--norc', '-c', PROBE, 'probe', join(outside, 'file'), join(inside, 'file'), String(listener.port)];
    const wrapped = await options.confiner.wrap(words, [inside], temp, options.signal);
    const { env } = commandEnvironment({ ...options.env, [MARKER]: randomBytes(8).toString('hex') }, temp, [inside]);
    const result = await runProcess(
      { file: '/bin/sh', args: ['-c', `exec ${wrapped.line}`], argv0: undefined, cwd: inside, env, temp, confined: true },
      { timeoutMs: TEST_TIMEOUT_MS, graceMs: 200, outputLimitBytes: 8192, onOutput: () => undefined, signal: options.signal, platform: options.platform },
    ).finally(wrapped.release);
    const lines = new Set(result.output.split('\n'));
    const checks: readonly (readonly [failed: boolean, text: string])[] = [
      [!lines.has('finished'), 'did not start'],
      [lines.has('wrote-outside') || existsSync(join(outside, 'file')), 'let a file be written outside its folders'],
      [lines.has('finished') && !existsSync(join(inside, 'file')), 'did not let a file be written in its own folder'],
      [lines.has('connected') || listener.connections() > seen, 'let a connection through'],
      [lines.has('kernel-open'), 'left settings of the kernel open for writing'],
      [lines.has('marker-visible'), 'showed a variable of the editor'],
      [options.platform === 'linux' && lines.has('finished') && !lines.has('filter-2'), 'did not restrict sockets'],
    ];
    return { failures: checks.filter(([failed]) => failed).map(([, text]) => text), said: result.output };
  } finally {
    listener.close();
    await rm(base, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Listener {
  readonly port: number;
  connections(): number;
  close(): void;
}

function listen(): Promise<Listener> {
  return new Promise((resolve, reject) => {
    let count = 0;
    const server = createServer((socket) => {
      count += 1;
      socket.on('error', () => undefined);
      socket.destroy();
    });
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      resolve({ port: (server.address() as AddressInfo).port, connections: () => count, close: () => { server.close(); } });
    });
  });
}

/** Waits until the listener has counted it, so that it is not mistaken for a later one. */
function reachable(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => { resolve(false); });
    socket.once('close', () => { resolve(true); });
    socket.resume();
  });
}
