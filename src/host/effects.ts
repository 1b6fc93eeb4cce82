import type { CommandResource, FileChange, PathOperation, PathResource, Resource } from '../core/call.ts';
import type { Execution, ExecutionHooks } from '../core/chain/09-execute.ts';
import type { Granted } from '../core/chain/grant.ts';
import { changesOf, resourcesOf } from '../core/chain/stages.ts';
import type { CommandRunner, Effects } from '../core/ports.ts';
import { hasPrivateName } from '../tools/private-paths.ts';
import { applyChanges, type FileWriter } from './apply.ts';
import type { EditorWriter } from './apply.ts';
import { listDirectory } from './listing.ts';
import { findIn, searchIn, type SearchPort } from './searching.ts';
import type { ReadProblems } from './problems.ts';
import type { HostReading } from './reading.ts';

export interface ExecutionParts {
  readonly reading: HostReading;
  readonly files: FileWriter;
  readonly search: SearchPort;
  readonly runner: CommandRunner;
  /** Absolute paths of the workspace folders: what a confined command may write. */
  readonly folders: () => readonly string[];
  /** Most bytes of command output kept for a result. */
  readonly outputLimitBytes: () => number;
  /** Undefined = no answer. */
  readonly askPerson: (question: string, options: readonly string[], signal: AbortSignal) => Promise<string | undefined>;
  /** Writes into documents with unsaved text. Absent in the terminal. */
  readonly editor?: EditorWriter | undefined;
  /** The Problems panel. Absent in the terminal. */
  readonly problems?: ReadProblems | undefined;
  /** Files that search and find leave out, by their path relative to the folder; credential files and Sluice's own by default. */
  readonly isHidden?: ((path: string) => boolean) | undefined;
}

/** What one grant opens. */
export interface Scope {
  readonly resources: readonly Resource[];
  readonly changes: readonly FileChange[];
  readonly confined: boolean;
}

/** An operation that the grant does not name. Nothing happened. */
export class NotGranted extends Error {
  override readonly name = 'NotGranted';
}

export function createExecution(parts: ExecutionParts): Execution {
  return {
    open: (granted: Granted, hooks) => openEffects({
      resources: resourcesOf(granted.rated), changes: changesOf(granted.rated),
      confined: granted.rated.elevated.confinement !== 'unconfined',
    }, hooks, parts),
  };
}

/** Effects that reject with `NotGranted` for every path, change and command that the scope does not hold. */
export function openEffects(scope: Scope, hooks: ExecutionHooks, parts: ExecutionParts): Effects {
  const { reading } = parts;
  const hidden = parts.isHidden ?? hasPrivateName;
  const grantedPath = (path: PathResource, operations: readonly PathOperation[]): void => {
    const found = scope.resources.some((one) => one.kind === 'path' && one.real === path.real && operations.includes(one.operation));
    if (!found) throw new NotGranted(`The call was not granted ${operations.join(' or ')} access to ${path.asked}`);
  };
  return {
    locate: (asked, operation) => reading.locate(asked, operation),
    digestText: (text, encoding) => reading.digestText(text, encoding),
    readText: async (path) => {
      grantedPath(path, ['read', 'write']);
      return reading.readText(path);
    },
    listDirectory: async (path, limit) => {
      grantedPath(path, ['list']);
      return listDirectory(path, limit);
    },
    findFiles: async (root, glob, limit) => {
      grantedPath(root, ['list']);
      return findIn(root, glob, { limit, signal: hooks.signal, reading, hidden, search: parts.search });
    },
    searchText: async (root, query, limit) => {
      grantedPath(root, ['read']);
      return searchIn(root, query, { limit, signal: hooks.signal, reading, hidden, search: parts.search });
    },
    readProblems: async (path, limit) => {
      if (path !== undefined) grantedPath(path, ['read']);
      if (parts.problems === undefined) throw new Error('There is no Problems panel outside the editor');
      return parts.problems(path, limit);
    },
    applyChanges: async (changes) => {
      for (const change of changes) {
        grantedPath(change.path, ['write', 'delete']);
        if (!scope.changes.some((one) => sameChange(one, change))) throw new NotGranted(`This change of ${change.path.asked} is not the one that was granted`);
      }
      await applyChanges(changes, parts);
    },
    runCommand: async (command) => {
      if (!scope.resources.some((one) => one.kind === 'command' && sameCommand(one, command))) throw new NotGranted('This command is not the one that was granted');
      return parts.runner.run(command, {
        confined: scope.confined, writable: await realFolders(parts), onOutput: hooks.onOutput, signal: hooks.signal, outputLimitBytes: parts.outputLimitBytes(),
      });
    },
    askPerson: (question, options) => parts.askPerson(question, options, hooks.signal),
  };
}

async function realFolders({ folders, reading }: ExecutionParts): Promise<readonly string[]> {
  return Promise.all(folders().map(async (folder) => (await reading.locate(folder, 'write')).real));
}

function sameChange(a: FileChange, b: FileChange): boolean {
  return a.path.real === b.path.real && a.change === b.change && a.baseDigest === b.baseDigest && a.afterDigest === b.afterDigest && a.after === b.after && a.encoding === b.encoding;
}

function sameCommand(a: CommandResource, b: CommandResource): boolean {
  return a.form === b.form && a.line === b.line && a.cwd.real === b.cwd.real && a.timeoutMs === b.timeoutMs
    && a.argv.length === b.argv.length && a.argv.every((part, index) => part === b.argv[index]);
}
