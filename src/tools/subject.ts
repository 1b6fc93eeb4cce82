import type { PathResource, Subject } from '../core/call.ts';
import { refuse, type Refusal, type RefusalCode } from '../core/refusal.ts';
import type { ReadProblem, TextFile } from '../core/ports.ts';
import type { ToolResult } from '../core/tool.ts';

/** How a path is shown: relative to its folder, or in full when it lies outside every folder. */
export function shownPath(path: PathResource): string {
  return path.relative === undefined ? path.real : path.relative === '' ? '.' : path.relative;
}

export function pathSubject(verb: string, path: PathResource): Subject {
  return { verb, target: shownPath(path), form: 'path' };
}

export function isProblem(value: object): value is ReadProblem {
  return 'problem' in value;
}

/** A call that cannot be done whatever anybody allows; told before anyone is asked. */
export function refuseResolve(code: RefusalCode, message: string): Refusal {
  return refuse({ stage: 'resolve', code, forModel: `Not run: ${message}`, forPerson: message, retryable: false });
}

export function refuseUnread(problem: ReadProblem): Refusal {
  return refuseResolve(problem.problem === 'missing' ? 'not_found' : 'not_applicable', problem.message);
}

export function failed(text: string, summary: string): ToolResult {
  return { status: 'failed', text, summary };
}

export function unread(problem: ReadProblem): ToolResult {
  return failed(problem.message, problem.problem.replaceAll('_', ' '));
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Says which version of a file the text is, when it is not what is on disk. */
export function versionNote(file: TextFile): string | undefined {
  return file.source === 'editor' ? 'unsaved editor text' : undefined;
}
