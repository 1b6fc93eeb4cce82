import { homedir } from 'node:os';
import { Session } from '../core/agent/session.ts';
import type { SessionParts } from '../core/agent/session-parts.ts';
import { GUARDS } from '../guards/index.ts';
import { writeFileAtomically } from '../sandbox/files.ts';
import { TOOLS } from '../tools/index.ts';
import { hasPrivateName } from '../tools/private-paths.ts';
import { createEditorDocuments } from './documents.ts';
import { createExecution } from './effects.ts';
import { createProblems } from './problems.ts';
import { createReading } from './reading.ts';
import { ripgrepSearch } from './ripgrep.ts';
import { createShellAnalysis, grammarFrom } from './shell-analysis.ts';
import { randomIds, sha256, systemClock } from './system.ts';

export interface EngineOptions extends Pick<SessionParts, 'session' | 'policy' | 'runner' | 'broker' | 'audit' | 'redact' | 'emit' | 'save'> {
  readonly folders: () => readonly string[];
  readonly placeName: string;
  /** The editor's own folder, for its ripgrep. */
  readonly appRoot: string;
  /** The folder of our bundles, for the shell grammar. */
  readonly dist: string;
  readonly outputLimitBytes: () => number;
  readonly askPerson: (question: string, options: readonly string[], signal: AbortSignal) => Promise<string | undefined>;
  readonly warn: (line: string) => void;
}

export interface Engine {
  readonly session: Session;
  dispose(): void;
}

/**
 * Everything a task needs that the window does not: tools, guards, the shell engine, reading and writing. A lazy
 * part of the bundle, loaded at the first task.
 */
export function openEngine(options: EngineOptions): Engine {
  const { folders, placeName, runner } = options;
  const home = homedir();
  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
  const documents = createEditorDocuments();
  const reading = createReading({ folders, home, platform: process.platform, documents });
  const commands = createShellAnalysis({
    load: () => grammarFrom(options.dist), home, platform,
    folders: () => Promise.all(folders().map(async (given) => ({ given, real: (await reading.locate(given, 'list')).real }))),
    failed: () => options.warn('The shell grammar could not be loaded, so every shell line asks. Reinstall the extension.'),
  });
  const session = new Session({
    session: options.session, policy: options.policy, runner, broker: options.broker, audit: options.audit, redact: options.redact, emit: options.emit, save: options.save,
    tools: TOOLS, guards: GUARDS, reading, commands, sha256, clock: systemClock, ids: randomIds,
    surroundings: { home, platform, folders, placeName },
    execution: createExecution({
      reading, folders, runner, files: { writeFileAtomically }, search: ripgrepSearch(options.appRoot, process.env), outputLimitBytes: options.outputLimitBytes,
      askPerson: options.askPerson, editor: documents, problems: createProblems(reading, hasPrivateName),
    }),
  });
  return { session, dispose: () => commands.dispose() };
}
