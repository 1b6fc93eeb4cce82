import { drawVisible } from '../approval/visible.ts';
import type { LooseningLine } from './consent.ts';
import { effectOf, valuesOf } from './effect.ts';
import type { Policy, PolicyProblem, Source } from './layers.ts';
import { SETTINGS, type Setting, type SettingName } from './schema.ts';

/** How a place is called for a person: `.vscode/settings.json, line 3`; with `key` undefined the file alone. */
export type NameOf = (place: string | undefined, key: string | undefined) => string | undefined;

const GROUPS: Readonly<Record<Setting<unknown>['group'], string>> = {
  model: 'Model', profile: 'Profile and tools', approval: 'Approval', paths: 'Paths', network: 'Network', execution: 'Execution and sandbox', budgets: 'Budgets and audit',
};

/** Whether the lines of a page can be answered, and how. */
export type ReviewState = 'ask' | 'allowed' | 'restricted';

export function reviewState({ trusted, consented }: Policy): ReviewState {
  if (consented) return 'allowed';
  return trusted ? 'ask' : 'restricted';
}

/** The page on which a person decides: each loosening line with both values and what the workspace's would allow. */
export function reviewText(policy: Policy, nameOf: NameOf): string {
  const { loosening } = policy;
  const state = reviewState(policy);
  const head: Record<ReviewState, readonly string[]> = {
    ask: ['This workspace\'s settings would allow more than yours do.', 'None of these lines is in force. Your own values hold until you allow them.'],
    allowed: ['You allowed this workspace\'s settings to do more than yours.', 'These lines are in force in this workspace.'],
    restricted: ['This workspace\'s settings would allow more than yours do.', 'The workspace is not trusted: these lines are ignored, and there is nothing to decide.'],
  };
  const foot: Record<ReviewState, readonly string[]> = {
    ask: ['✓ in the title of this tab asks once more, then allows exactly these lines, here only, until one of them changes.', '✗ keeps your settings. Closing the tab decides nothing.'],
    allowed: ['✗ in the title of this tab ends this: your own values hold again.', 'When one of the lines changes, none of them is in force until you allow them again.'],
    restricted: ['Trust the workspace first, then review these lines.'],
  };
  return page([...head[state], '', ...loosening.flatMap((line) => [...lineText(line, nameOf), '']), ...foot[state]]);
}

function lineText(line: LooseningLine, nameOf: NameOf): readonly string[] {
  const definition = definitionOf(line.key);
  const [mine, theirs] = [show(line.from), show(line.to)];
  const width = Math.min(Math.max(mine.length, theirs.length), 24);
  const before = definition === undefined || valuesOf(definition).length === 0 ? '' : effectOf(definition, line.to, line.from);
  return [
    `sluice.${line.key}`,
    `  Yours      ${mine.padEnd(width)}  ${before}`.trimEnd(),
    `  ${(line.layer === 'folder' ? 'Folder' : 'Workspace').padEnd(9)}  ${theirs.padEnd(width)}  ${drawVisible(line.effect).text}`.trimEnd(),
    `  Set in     ${nameOf(line.place, line.key) ?? `the ${line.layer}`}`,
  ];
}

/** One line for a dialog: key, both values, effect. */
export function lineSentence({ key, from, to, effect }: LooseningLine): string {
  return `sluice.${key}: ${show(to)} instead of ${show(from)}. ${drawVisible(effect).text}`;
}

/** Every effective value with its source, who may change it, and what is not used. */
export function effectiveText(policy: Policy, nameOf: NameOf): string {
  const { problems, trusted, version } = policy;
  const names = Object.keys(SETTINGS) as SettingName[];
  const width = Math.max(...names.map((name) => SETTINGS[name].key.length));
  const values = Math.min(24, Math.max(...names.map((name) => show(policy.settings[name]).length)));
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => {
    const inside = names.filter((name) => SETTINGS[name].group === group);
    return inside.length === 0 ? [] : ['', title, ...inside.map((name) => `  sluice.${SETTINGS[name].key.padEnd(width)}  ${show(policy.settings[name]).padEnd(values)}  (${SOURCES[policy.sources[name]]})`)];
  });
  return page([
    'What is in force here', trusted ? 'The workspace is trusted.' : 'Restricted Mode: reading only; nothing that the workspace loosens is used.', ...consentNote(policy),
    ...problemLines(problems, nameOf), ...groups, '', ...lattice(policy), '', `Version ${version}`,
  ]);
}

const SOURCES: Readonly<Record<Source, string>> = {
  default: 'default', user: 'your settings', workspace: 'workspace, stricter', folder: 'folder, stricter', consent: 'workspace, allowed by you',
};

/** Empty without such lines. */
function consentNote({ consented, loosening }: Policy): readonly string[] {
  if (loosening.length === 0) return [];
  const lines = loosening.length === 1 ? '1 line of the workspace that allows' : `${loosening.length} lines of the workspace that allow`;
  return [`${consented ? `You allowed ${lines} more.` : `Not in force: ${lines} more than your settings.`} See "Sluice: Review Workspace Policy...".`];
}

/** The floor first; then who may do what, with the number of values that each has in force. */
function lattice({ sources }: Policy): readonly string[] {
  const number = (wanted: Source): number => Object.values(sources).filter((source) => source === wanted).length;
  const count = (wanted: Source): string => (number(wanted) === 1 ? '1 value in force' : `${number(wanted)} values in force`);
  return [
    'Who may loosen what',
    '  floor        built in: hard blocks, private files and Sluice\'s own files; no setting loosens it',
    `  default      ${count('default')}`,
    `  you          ${count('user')}; the address of the model, the sandbox and the limits are yours alone`,
    `  workspace    ${count('workspace')}; may tighten, loosens only what you allowed (${number('consent')} allowed)`,
    `  folder       ${count('folder')}; like the workspace`,
    '  session      approvals that you give; they never undo a denial',
  ];
}

function problemLines(problems: readonly PolicyProblem[], nameOf: NameOf): readonly string[] {
  if (problems.length === 0) return [];
  return ['', 'Not used', ...problems.map((problem) => `  ${placed(problem, nameOf)}${drawVisible(problem.message).text}`)];
}

function placed({ place, key, layer }: PolicyProblem, nameOf: NameOf): string {
  const name = layer === 'user' ? undefined : nameOf(place, key === '' ? undefined : key);
  return name === undefined ? '' : `${name}: `;
}

function definitionOf(key: string): Setting<unknown> | undefined {
  return (Object.values(SETTINGS) as unknown as Setting<unknown>[]).find((one) => one.key === key);
}

/** As it would stand in the file; what cannot be seen is marked. */
function show(value: unknown): string {
  return drawVisible(JSON.stringify(value) ?? 'not set').text;
}

function page(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
