import type { LooseningLine } from './consent.ts';
import { effectOf } from './effect.ts';
import type { Layer, PolicyProblem, Source } from './layers.ts';
import { SETTINGS, type Setting, type SettingName } from './schema.ts';
import { readableNames, strictestOf } from './strictest.ts';

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
 * What is wrong closes. A value that does not parse, or a file that cannot be read, makes the settings it could have
 * tightened as strict as they can be; of a list that adds up, what can be read is kept. Settings that only the
 * person can set keep their default.
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
  if (layer.name !== 'folder') fold.beforeFolders = fold.value;
  const raw = layer.values[definition.key];
  if (layer.unreadable !== undefined && layer.lastGood !== true) close(fold, layer, raw);
  else if (raw !== undefined) judge(fold, layer, raw);
  if (layer.name !== 'folder') fold.beforeFolders = fold.value;
}

function judge(fold: Fold, layer: Layer, raw: unknown): void {
  const { definition } = fold;
  if (layer.name !== 'user' && isOwn(definition)) {
    report(fold, layer, 'ignored', `only your own settings can set it; ${show(fold.value)} stays in force`);
    return;
  }
  const parsed = definition.schema.safeParse(raw);
  if (!parsed.success) {
    const closed = !isOwn(definition);
    if (closed) close(fold, layer, raw);
    report(fold, layer, 'invalid', `${parsed.error.issues[0]?.message ?? 'another value is wanted'}. The value is not used; ${closed ? 'until it is corrected, ' : ''}${show(fold.value)} is in force`);
    return;
  }
  if (definition.adds === true) add(fold, layer, parsed.data as readonly string[]);
  else if (layer.name === 'user' || definition.tightens?.(parsed.data, fold.value) === true) set(fold, parsed.data, layer.name);
  else loosen(fold, layer, parsed.data);
}

function loosen(fold: Fold, layer: Layer, to: unknown): void {
  const { definition } = fold;
  if (layer.name === 'user') return;
  if (layer.name === 'folder' && definition.tightens?.(to, fold.beforeFolders) === true) {
    report(fold, layer, 'ignored', `another folder of this window is stricter; ${show(fold.value)} stays in force`);
  } else if (layer.name === 'folder' && definition.scope !== 'resource') {
    report(fold, layer, 'ignored', `a folder cannot loosen it, only the workspace can; ${show(fold.value)} stays in force`);
  } else if (fold.accepted.some((line) => line.key === definition.key && line.layer === layer.name && line.place === layer.place)) {
    set(fold, to, 'consent');
  } else {
    fold.loosening.push({ key: definition.key, layer: layer.name, place: layer.place, from: fold.value, to, effect: effectOf(definition, fold.value, to) });
    report(fold, layer, 'loosening', `it would allow more than your own settings do. Until you allow it, ${show(fold.value)} stays in force`);
  }
}

/** As strict as this layer could have wanted. */
function close(fold: Fold, layer: Layer, raw: unknown): void {
  const { definition } = fold;
  if (isOwn(definition)) return;
  if (definition.adds === true) add(fold, layer, raw === undefined ? [] : readableNames(raw));
  else set(fold, strictestOf(definition, fold.value), layer.name);
}

function add(fold: Fold, layer: Layer, names: readonly string[]): void {
  const now = fold.value as readonly string[];
  const missing = names.filter((name) => !now.includes(name));
  if (missing.length > 0) set(fold, [...now, ...new Set(missing)], layer.name);
}

/** A layer that repeats what is in force does not become its source, unless nobody else is. */
function set(fold: Fold, value: unknown, source: Source): void {
  if (fold.source !== 'default' && source !== 'user' && show(value) === show(fold.value)) return;
  fold.value = value;
  fold.source = source;
}

/** Only the person sets it; a repository never. */
function isOwn({ scope }: Setting<unknown>): boolean {
  return scope === 'application' || scope === 'machine';
}

function report({ definition, problems }: Fold, layer: Layer, kind: PolicyProblem['kind'], why: string): void {
  const lead = `sluice.${definition.key} (${layer.name})`;
  const message = kind === 'invalid' ? `${lead}: ${why}.` : `${lead} is ignored: ${why}.`;
  problems.push({ key: definition.key, layer: layer.name, place: layer.place, kind, message });
}

function unreadable(layer: Layer, why: string): PolicyProblem {
  return {
    key: '', layer: layer.name, place: layer.place, kind: 'unreadable',
    message: `The ${layer.name} settings cannot be read: ${why}. Until they can, ${layer.lastGood === true ? 'what they said before' : 'the strictest value of each setting'} is in force.`,
  };
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'the default';
}
