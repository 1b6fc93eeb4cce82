import * as vscode from 'vscode';
import type { PathResource } from '../core/call.ts';
import type { Bounded, Problem } from '../core/ports.ts';
import { hasPrivateName } from '../tools/private-paths.ts';
import { leadsTo } from './documents.ts';
import type { HostReading } from './reading.ts';

export type ReadProblems = (path: PathResource | undefined, limit: number) => Promise<Bounded<Problem>>;

const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const;

/** The Problems panel, errors first. Without a path: files inside the workspace folders only. */
export function createProblems(reading: HostReading, isHidden: (path: string) => boolean = hasPrivateName): ReadProblems {
  return async (path, limit) => {
    const items: Problem[] = [];
    for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
      if (uri.scheme !== 'file' || diagnostics.length === 0) continue;
      if (path !== undefined && !(await leadsTo(uri, path.real))) continue;
      const located = await reading.locate(uri.fsPath, 'read');
      if (path === undefined && (located.relative === undefined || isHidden(located.relative))) continue;
      const name = await reading.nameOf(located.real);
      items.push(...diagnostics.map((diagnostic) => problemOf(name, diagnostic)));
    }
    items.sort(bySeverity);
    return { items: items.slice(0, limit), truncated: items.length > limit };
  };
}

function problemOf(path: string, { range, severity, message, source }: vscode.Diagnostic): Problem {
  return { path, line: range.start.line + 1, column: range.start.character + 1, severity: SEVERITIES[severity], message, source };
}

function bySeverity(a: Problem, b: Problem): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line);
}
