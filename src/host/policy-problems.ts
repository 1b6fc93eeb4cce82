import * as vscode from 'vscode';
import type { PolicyProblem } from '../core/policy/layers.ts';
import { locateProblem, type LocatedProblem } from './policy-places.ts';
import type { LivePolicy } from './settings.ts';

/** Who says it in the Problems panel. */
export const PROBLEM_SOURCE = 'Sluice';

/** Shows what is wrong with the workspace's settings at its line, and tells the log of it once. */
export class PolicyProblems implements vscode.Disposable {
  readonly #policy: LivePolicy;
  readonly #log: (line: string) => void;
  readonly #collection = vscode.languages.createDiagnosticCollection(PROBLEM_SOURCE);
  readonly #listener: vscode.Disposable;
  #logged: ReadonlySet<string> = new Set();

  constructor(policy: LivePolicy, log: (line: string) => void) {
    this.#policy = policy;
    this.#log = log;
    this.#listener = policy.onDidChange(() => { this.#show(); });
    this.#show();
  }

  dispose(): void {
    this.#listener.dispose();
    this.#collection.dispose();
  }

  #show(): void {
    const { files, current: { problems } } = this.#policy;
    this.#tell(problems);
    this.#collection.clear();
    for (const found of files) {
      const here = problems.filter(({ place }) => place === found.file.place).map((problem) => diagnosticOf(locateProblem(problem, found)));
      if (here.length > 0) this.#collection.set(vscode.Uri.parse(found.file.place, true), here);
    }
  }

  #tell(problems: readonly PolicyProblem[]): void {
    const messages = new Set(problems.map(({ message }) => message));
    for (const message of messages) if (!this.#logged.has(message)) this.#log(message);
    if (messages.size === 0 && this.#logged.size > 0) this.#log('All settings can be used again.');
    this.#logged = messages;
  }
}

function diagnosticOf({ start, end, severity, message, code }: LocatedProblem): vscode.Diagnostic {
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  const diagnostic = new vscode.Diagnostic(range, message, SEVERITIES[severity]);
  diagnostic.source = PROBLEM_SOURCE;
  diagnostic.code = code;
  return diagnostic;
}

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error, warning: vscode.DiagnosticSeverity.Warning, information: vscode.DiagnosticSeverity.Information,
} as const;
