import type { CommandResource, FileChange, PathOperation, PathResource, Resource, Subject } from '../call.ts';
import type { Confinement, GuardDecision } from '../verdict.ts';
import type { Card, ScopeChoice } from './request.ts';
import { countLines, lossWarning, plusMinus } from './line-counts.ts';
import { drawParagraph, drawVisible, drawVisiblePath } from './visible.ts';

/** What a confined command reaches: nothing, or hosts named in the settings. Unconfined means open. */
export type NetworkState = 'closed' | 'listed';

export interface CardInput {
  readonly subject: Subject;
  readonly resources: readonly Resource[];
  readonly changes: readonly FileChange[];
  readonly decision: GuardDecision;
  readonly confinement: Confinement;
  /** The folder's name, with the remote's name when there is one: `sample`, `sample on ssh: build`. */
  readonly place: string;
  readonly network: NetworkState;
  readonly agentSays: string | undefined;
  /** True only when a standing grant may be given for exactly this action. */
  readonly offerSession: boolean;
}

/** Most characters quoted from the agent. */
export const AGENT_SAYS_LIMIT = 300;
/** A covered action longer than this, or on several lines, is named and not repeated in the choice. */
const COVERS_LIMIT = 80;

/** Builds the one card. Every text in it is final: hidden characters are drawn, nothing that is approved is cut. */
export function buildCard(input: CardInput): Card {
  const { subject, decision } = input;
  const target = subject.form === 'path' ? drawVisiblePath(subject.target) : drawVisible(subject.target);
  const touches = touchesOf(input);
  const place = drawVisiblePath(input.place).text;
  return {
    verb: subject.verb,
    target: target.text,
    form: subject.form,
    where: whereOf(input, place),
    touches: touches.map((line) => line.text),
    why: reasonsOf(decision),
    rule: ruleOf(decision),
    agentSays: agentSaysOf(input.agentSays),
    banner: bannerOf(decision),
    hiddenCharacters: target.hidden || touches.some((line) => line.hidden),
    choices: choicesOf(input, target.text, place),
  };
}

function whereOf(input: CardInput, place: string): string {
  const parts = [`in ${place}`];
  if (input.confinement === 'unconfined') parts.push('unconfined', 'network open');
  if (input.confinement === 'sandboxed') parts.push('confined', input.network === 'closed' ? 'no network' : 'network: listed hosts only');
  return parts.join(' · ');
}

interface Line {
  readonly text: string;
  readonly hidden: boolean;
}

/** Real paths, once each: what changes first, then what else is touched, then what a command could reach. */
function touchesOf(input: CardInput): readonly Line[] {
  const folders = new Set<string>();
  for (const path of [...input.changes.map((change) => change.path), ...input.resources.filter((r) => r.kind === 'path')]) {
    if (path.folder !== undefined) folders.add(path.folder);
  }
  const several = folders.size > 1;
  const changed = new Set(input.changes.map((change) => change.path.real));
  // Where a command starts is said by its own lines.
  const starts = new Set(input.resources.map((resource) => (resource.kind === 'command' ? resource.cwd.real : undefined)));
  const lines = input.changes.map((change) => changeLine(change, several));
  for (const resource of input.resources) {
    if (resource.kind === 'address') lines.push(drawVisible(`fetches ${resource.asked}`));
    else if (resource.kind === 'command') lines.push(...commandLines(resource, input.confinement));
    else if (!changed.has(resource.real) && !(resource.operation === 'list' && starts.has(resource.real))) lines.push(pathLine(resource, several));
  }
  return lines;
}

function changeLine(change: FileChange, several: boolean): Line {
  const name = nameOf(change.path, several);
  const counts = countLines(change);
  const verb = change.change === 'create' ? 'new file ' : change.change === 'delete' ? 'deletes ' : '';
  const extra = [
    lossWarning(change, counts),
    change.source === 'editor' ? 'based on unsaved text in the editor' : undefined,
  ];
  return withWarnings({ text: `${verb}${name.text} (${plusMinus(counts)})`, hidden: name.hidden }, change.path, extra);
}

const OPERATIONS: Record<PathOperation, string> = { read: 'reads', list: 'lists', write: 'writes', delete: 'deletes' };

function pathLine(path: PathResource, several: boolean): Line {
  const name = nameOf(path, several);
  return withWarnings({ text: `${OPERATIONS[path.operation]} ${name.text}`, hidden: name.hidden }, path, []);
}

function commandLines(command: CommandResource, confinement: Confinement): readonly Line[] {
  const lines: Line[] = [];
  const { cwd } = command;
  if (cwd.relative === undefined || (cwd.relative !== '' && cwd.relative !== '.') || cwd.linked) {
    const name = nameOf(cwd, false);
    lines.push(withWarnings({ text: `runs in ${name.text}`, hidden: name.hidden }, cwd, []));
  }
  const reach = confinement === 'unconfined'
    ? 'everything your account can reach: files, programs, network'
    : 'writes only inside the workspace and a private temporary folder';
  lines.push({ text: reach, hidden: false });
  lines.push({ text: `ends after ${seconds(command.timeoutMs)} at the latest`, hidden: false });
  return lines;
}

/** Relative to its folder; with the folder's name when the call touches several; whole outside every folder. */
function nameOf(path: PathResource, several: boolean): Line {
  if (path.relative === undefined || path.folder === undefined) return drawVisiblePath(path.real);
  const folder = path.folder.split(/[\\/]/).filter((part) => part !== '').at(-1) ?? path.folder;
  const relative = path.relative === '' || path.relative === '.' ? folder : path.relative;
  return drawVisiblePath(several && relative !== folder ? `${folder}/${relative}` : relative);
}

function withWarnings(line: Line, path: PathResource, extra: readonly (string | undefined)[]): Line {
  const warnings = extra.filter((text) => text !== undefined);
  let { hidden } = line;
  if (path.relative === undefined) warnings.push('outside the workspace');
  if (path.linked) {
    const asked = drawVisiblePath(path.asked);
    hidden ||= asked.hidden;
    warnings.push(`through the link ${asked.text}`);
  }
  return { text: [line.text, ...warnings].join(' · '), hidden };
}

/** Every distinct reason that is as strict as the decision, the decision's own first. */
function reasonsOf(decision: GuardDecision): string {
  const same = decision.findings.filter((finding) => finding.action === decision.action).map((finding) => finding.reason);
  const reasons = [...new Set([decision.reason, ...same])].filter((reason) => reason.trim() !== '');
  if (reasons.length === 0) return 'this kind of action is asked before it runs';
  return drawVisible(reasons.join(' · ')).text;
}

function ruleOf(decision: GuardDecision): string {
  const match = decision.findings.find((finding) => finding.action === decision.action && finding.patternKey === decision.patternKey);
  return match?.rule ?? decision.patternKey;
}

function bannerOf(decision: GuardDecision): string | undefined {
  const banners = new Set(decision.findings.map((finding) => finding.banner).filter((banner) => banner !== undefined));
  return banners.size === 0 ? undefined : [...banners].join(' ');
}

function agentSaysOf(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  return drawParagraph(text, AGENT_SAYS_LIMIT);
}

function choicesOf(input: CardInput, target: string, place: string): readonly ScopeChoice[] {
  const once: ScopeChoice = { scope: 'once', covers: 'once' };
  if (!input.offerSession) return [once];
  const short = target.length <= COVERS_LIMIT && !target.includes('\n');
  const what = short ? `exactly \`${target}\`` : `exactly this ${input.subject.form === 'command' ? 'command' : 'action'}`;
  return [once, { scope: 'session', covers: `this session: ${what} in ${place}` }];
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}

const LABEL_WIDTH = 10;

/** The card as plain text lines, for surfaces that have only text. Nothing of the target is left out. */
export function cardLines(card: Card): string[] {
  const lines = [`${card.verb}, ${card.where}`];
  if (card.banner !== undefined) lines.push(`Attention: ${card.banner}`);
  for (const line of card.target.split('\n')) lines.push(`  ${line}`);
  if (card.hiddenCharacters) lines.push('Hidden or unusual characters are drawn between ⟨ and ⟩.');
  labelled(lines, 'Touches', card.touches);
  labelled(lines, 'Why', [`${oneLine(card.why)} (rule ${card.rule})`]);
  if (card.agentSays !== undefined) labelled(lines, 'Agent', [`“${card.agentSays}”`]);
  labelled(lines, 'Approve', card.choices.map((choice) => choice.covers));
  return lines;
}

function labelled(lines: string[], label: string, values: readonly string[]): void {
  values.forEach((value, index) => lines.push((index === 0 ? label : '').padEnd(LABEL_WIDTH) + value));
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}
