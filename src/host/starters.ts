import * as vscode from 'vscode';
import type { Starter } from '../surfaces/chat/panel.ts';

const MANIFESTS = ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'pom.xml', 'build.gradle'] as const;

/** Three starting points made from the folder at hand. Looks at names in the first folder only. */
export async function findStarters(): Promise<readonly Starter[]> {
  const starters: Starter[] = [];
  const editor = vscode.window.activeTextEditor;
  const problems = editor === undefined ? [] : vscode.languages.getDiagnostics(editor.document.uri).filter((found) => found.severity <= vscode.DiagnosticSeverity.Warning);
  if (editor !== undefined && problems.length > 0) {
    const path = vscode.workspace.asRelativePath(editor.document.uri);
    starters.push({ id: 'problems', label: 'Fix the problems in this file', detail: `${path}: ${problems.length}`, prompt: `Fix the problems that the editor reports in ${path}.` });
  }
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) return starters;
  const names = new Set((await vscode.workspace.fs.readDirectory(folder.uri).then((entries) => entries, () => [])).map(([name]) => name));
  if (MANIFESTS.some((name) => names.has(name))) {
    starters.push({ id: 'tests', label: 'Fix the failing tests', detail: undefined, prompt: 'Run the tests and fix what fails.' });
  }
  starters.push({ id: 'explain', label: 'Explain this project', detail: undefined, prompt: 'Read this project and explain in a few paragraphs what it does and how it is built.' });
  if (starters.length < 3) starters.push({ id: 'search', label: 'Find unfinished places', detail: undefined, prompt: 'Search this project for comments that mark unfinished work, and list the most important ones with their places.' });
  return starters;
}
