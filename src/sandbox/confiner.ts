import type { SandboxManager } from '@anthropic-ai/sandbox-runtime';
import { CLOSED_NETWORK, confinementOf } from './confinement.ts';
import { resolveProgram } from './environment.ts';
import { createPointers } from './git-places.ts';
import { quoteWords } from './quote.ts';

/** The part of the sandbox library that is used. The whole module fits. */
export interface SandboxLibrary {
  readonly SandboxManager: Pick<
    typeof SandboxManager,
    'isSupportedPlatform' | 'checkDependenciesAsync' | 'updateConfig' | 'wrapWithSandbox' | 'cleanupAfterCommand'
  >;
}

export interface ConfinerOptions {
  readonly loadLibrary: () => Promise<SandboxLibrary>;
  readonly home: string | undefined;
  readonly hidden: readonly string[];
  /** The fixed search path: bubblewrap is taken from here. */
  readonly path: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly log: (line: string) => void;
}

export interface Wrapped {
  /** One shell line that starts the confined command. */
  readonly line: string;
  /** To be called once, when nothing of the command runs any more: removes what the library put on the disk. */
  readonly release: () => void;
}

export interface Confiner {
  /** What is missing, in the library's words; empty when nothing is. A warning counts as missing. */
  check(): Promise<readonly string[]>;
  /** Rejects when the command cannot be confined. */
  wrap(words: readonly string[], writable: readonly string[], temp: string, signal: AbortSignal): Promise<Wrapped>;
}

/**
 * Runs the command, then says on descriptor 3 whether it left processes behind. The trap keeps the watcher
 * alive when all are asked to end, so that the command gets its time; the watcher's own words go nowhere.
 */
function watched(words: readonly string[]): string {
  const count = 'count(){ set -- /proc/[0-9]*;n=$#;};count;b=$n';
  return `exec 4>&2 2>/dev/null;trap : TERM;${count};${quoteWords(words)} 2>&4 3>&- 4>&-;c=$?;count;if [ $n -gt $b ];then echo left>&3;fi;exit $c`;
}

/** One for the whole machine: to these, root in the sandbox is root outside. The first is always there. */
const KERNEL_PLACES = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/acpi', '/proc/fs', '/proc/scsi'] as const;
const FRESH_PROC = ' --proc /proc ';

/**
 * Puts the kernel's settings under a read-only mount, after the sandbox's own /proc. An editor that runs as root, as
 * in many containers, could otherwise change them from inside. A line without a /proc of its own is left as it is: the self-test judges it.
 */
export function closeKernelSettings(line: string): string {
  const at = line.indexOf(FRESH_PROC);
  if (at < 0) return line;
  const mounts = KERNEL_PLACES.map((place, index) => `--ro-bind${index === 0 ? '' : '-try'} ${place} ${place} `);
  return line.slice(0, at + FRESH_PROC.length) + mounts.join('') + line.slice(at + FRESH_PROC.length);
}

/**
 * The library without its session: `initialize` is never called, so there is no proxy, no relay process and no
 * proxy variable with the command's text in the environment. Without a proxy its closed network is a network
 * namespace with nothing in it, and sockets to files are refused by its seccomp filter.
 */
export function createConfiner(options: ConfinerOptions): Confiner {
  let loading: Promise<SandboxLibrary> | undefined;
  const pointers = createPointers();

  async function load(): Promise<SandboxLibrary> {
    const { SandboxManager: manager } = await options.loadLibrary();
    const bwrapPath = resolveProgram('bwrap', '/', options.path, 'linux');
    // The library scans its own working directory, which is the editor's; ours are looked at by `confinementOf`.
    manager.updateConfig({
      network: CLOSED_NETWORK, filesystem: { denyRead: [], allowWrite: [], denyWrite: [] }, mandatoryDenySearchDepth: 1,
      ...(bwrapPath === undefined ? {} : { bwrapPath }),
    });
    return { SandboxManager: manager };
  }

  function library(): Promise<SandboxLibrary> {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  return {
    async check() {
      const { SandboxManager: manager } = await library();
      if (!manager.isSupportedPlatform()) return ['this platform is not supported'];
      const found = await manager.checkDependenciesAsync();
      return [...found.errors, ...found.warnings];
    },
    async wrap(words, writable, temp, signal) {
      const { SandboxManager: manager } = await library();
      const { config, complete, missingPointers } = await confinementOf({ writable, temp, home: options.home, hidden: options.hidden });
      if (!complete) options.log('A workspace folder is too large to look through: settings of repositories deep inside it are not write-protected.');
      const letGo = pointers.hold(missingPointers);
      try {
        const line = await manager.wrapWithSandbox(watched(words), '/bin/bash', config, signal);
        const release = (): void => {
          manager.cleanupAfterCommand();
          letGo();
        };
        return { line: options.platform === 'linux' ? closeKernelSettings(line) : line, release };
      } catch (error) {
        letGo();
        throw error;
      }
    },
  };
}
