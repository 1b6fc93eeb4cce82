import type { LooseningLine } from './consent.ts';
import { effectOf } from './effect.ts';
import type { Layer, PolicyProblem, Source } from './layers.ts';
import { SETTINGS, type Setting, type SettingName } from './schema.ts';

export interface Folded {
  readonly settings: Record<string, unknown>;
  readonly sources: Record<string, Source>;
  readonly problems: readonly PolicyProblem[];
  /** What loosens and is not among `accepted`. */
  readonly loosening: readonly LooseningLine[];
}

/** What is known about one setting while its layers are folded. */
interface Fold {
  readonly definition: Setting<unknown>;
  readonly accepted: readonly LooseningLine[];
  readonly problems: PolicyProblem[];
  readonly loosening: LooseningLine[];
  value: unknown;
  source: Source;
  /** The value before the folders: folders stand side by side, so a loosening is measured against this. */
  beforeFolders: unknown;
}

/**
 * Every setting through every layer, the widest first. `accepted` are the loosening lines that the person allowed:
 * these and no others widen. Among folders, accepted lines come before tightening ones, so that no folder's order
 * takes away what another one tightens.
 *
 * What is wrong closes. A value that cannot be read makes its setting as strict as it can be, in whichever layer it
 * stands; a file that cannot be read does so with every setting it could have tightened. What only the person can
 * set keeps its default.
 */
export function foldLayers(layers: readonly Layer[], accepted: readonly LooseningLine[]): Folded {
  const settings: Record<string, unknown> = {};
  const sources: Record<string, Source> = {};
  const problems: PolicyProblem[] = layers.flatMap((layer) => (layer.unreadable === undefined ? [] : [unreadable(layer, layer.unreadable)]));
  const loosening: LooseningLine[] = [];
  for (const [name, definition] of Object.entries(SETTINGS) as [SettingName, Setting<unknown>][]) {
    const fold: Fold = { definition, accepted, problems, loosening, value: definition.default, source: 'default', beforeFolders: definition.default };
    for (const layer of inOrder(layers, definition, accepted)) apply(fold, layer);
    settings[name] = fold.value;
    sources[name] = fold.source;
  }
  return { settings, sources, problems, loosening };
}

function inOrder(layers: readonly Layer[], { key }: Setting<unknown>, accepted: readonly LooseningLine[]): readonly Layer[] {
  const widens = (layer: Layer): boolean => layer.name === 'folder' && accepted.some((line) => line.key === key && line.layer === 'folder' && line.place === layer.place);
  const folders = layers.filter(({ name }) => name === 'folder');
  return [...layers.filter(({ name }) => name !== 'folder'), ...folders.filter(widens), ...folders.filter((layer) => !widens(layer))];
}

function apply(fold: Fold, layer: Layer): void {
  const { definition } = fold;
  const raw = layer.values[definition.key];
  if (layer.unreadable !== undefined && layer.lastGood !== true) close(fold, layer, raw);
  else if (raw !== undefined) judge(fold, layer, raw);
  if (layer.name !== 'folder') fold.beforeFolders = fold.value;
}

function judge(fold: Fold, layer: Layer, raw: unknown): void {
  const { definition } = fold;
  const own = layer.name === 'user';
  const parsed = definition.schema.safeParse(raw);
  if (!parsed.success) {
    const closes = definition.tightens !== undefined && (own || !isPersons(definition));
    if (closes) set(fold, strictestOf(definition), layer.name);
    invalid(fold, layer, parsed.error.issues[0], `The value is not used; ${show(fold.value)} ${closes ? 'is in force until it is mended' : 'stays in force'}`);
  } else if (own) {
    set(fold, parsed.data, 'user');
  } else if (isPersons(definition)) {
    ignore(fold, layer, 'ignored', 'only your own settings can set it');
  } else if (definition.join !== undefined) {
    set(fold, definition.join(parsed.data, fold.value), layer.name);
  } else if (definition.tightens?.(parsed.data, fold.value) === true) {
    set(fold, parsed.data, layer.name);
  } else {
    loosen(fold, layer, parsed.data);
  }
}

function loosen(fold: Fold, layer: Layer, to: unknown): void {
  const { definition } = fold;
  if (layer.name === 'user') return;
  if (layer.name === 'folder' && definition.tightens?.(to, fold.beforeFolders) === true) {
    ignore(fold, layer, 'ignored', `another folder of this window is stricter; ${show(fold.value)} stays in force`);
  } else if (layer.name === 'folder' && definition.scope !== 'resource') {
    ignore(fold, layer, 'ignored', `a folder cannot loosen it, only the workspace can; ${show(fold.value)} stays in force`);
  } else if (fold.accepted.some((line) => line.key === definition.key && line.layer === layer.name && line.place === layer.place)) {
    set(fold, to, 'consent');
  } else {
    fold.loosening.push({ key: definition.key, layer: layer.name, place: layer.place, from: fold.value, to, effect: effectOf(definition, fold.value, to) });
    ignore(fold, layer, 'loosening', `it would allow more than your own settings do; ${show(fold.value)} stays in force`);
  }
}

/** A file that cannot be read: what can be read of a list that adds up, and else the strictest value. */
function close(fold: Fold, layer: Layer, raw: unknown): void {
  const { definition } = fold;
  if (isPersons(definition)) {
    if (layer.name === 'user' && raw !== undefined) judge(fold, layer, raw);
    return;
  }
  const strictest = strictestOf(definition);
  if (definition.join === undefined) {
    if (definition.tightens?.(strictest, fold.value) === true) set(fold, strictest, layer.name);
  } else if (raw !== undefined) {
    const parsed = definition.schema.safeParse(raw);
    set(fold, definition.join(parsed.success ? parsed.data : strictest, fold.value), layer.name);
  }
}

function strictestOf({ whenInvalid, default: fallback }: Setting<unknown>): unknown {
  return whenInvalid ?? fallback;
}

/** A layer that repeats what is in force does not become its source, unless nobody else is. */
function set(fold: Fold, value: unknown, source: Source): void {
  if (fold.source !== 'default' && source !== 'user' && show(value) === show(fold.value)) return;
  fold.value = value;
  fold.source = source;
}

/** Only the person sets it; a repository never. */
function isPersons({ scope }: Setting<unknown>): boolean {
  return scope === 'application' || scope === 'machine';
}

function invalid({ definition, problems }: Fold, layer: Layer, issue: Issue | undefined, what: string): void {
  const { message, path } = issue ?? { message: 'another value', path: [] };
  const entry = path.length === 0 ? '' : `, entry ${path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join('.')}`;
  problems.push({ key: definition.key, layer: layer.name, place: layer.place, kind: 'invalid', message: `sluice.${definition.key} (${layer.name}${entry}): ${message}. ${what}.` });
}

interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

function ignore({ definition, problems }: Fold, layer: Layer, kind: 'ignored' | 'loosening', why: string): void {
  problems.push({ key: definition.key, layer: layer.name, place: layer.place, kind, message: `sluice.${definition.key} in the ${layer.name} is ignored: ${why}.` });
}

function unreadable(layer: Layer, why: string): PolicyProblem {
  return {
    key: '', layer: layer.name, place: layer.place, kind: 'unreadable',
    message: `${layer.name === 'user' ? 'Your own' : `The ${layer.name}'s`} settings cannot be read: ${why}. Until they can, ${layer.lastGood === true ? 'what they said before' : 'the strictest value of each setting'} is in force.`,
  };
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'the default';
}
