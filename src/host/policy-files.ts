import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { Layer } from '../core/policy/layers.ts';
import { SETTINGS } from '../core/policy/schema.ts';

/** Longer files are not read: no person writes one. */
const MOST_CHARACTERS = 1_000_000;

/** A file that can hold a workspace's or folder's settings. */
export interface SettingsFile {
  readonly layer: Layer['name'];
  /** The file's address as the editor writes it. */
  readonly place: string;
  /** The settings stand in an object of their own, as in a `.code-workspace` file. */
  readonly section: 'settings' | undefined;
}

export interface Span {
  readonly offset: number;
  readonly length: number;
}

export interface ParsedSettings {
  /** By key without the `sluice.` prefix. With `error`, what could be read. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Where each of them stands: the whole property. */
  readonly spans: ReadonlyMap<string, Span>;
  readonly error: { readonly reason: string; readonly span: Span } | undefined;
}

/** A file as it was found and the layer that follows from it. */
export interface FoundSettings extends ParsedSettings {
  readonly file: SettingsFile;
  readonly text: string;
  readonly unreadable: boolean;
}

/** What was in a file when it was last readable; kept outside the workspace. */
export interface LastGood {
  lastGood(place: string): Readonly<Record<string, unknown>> | undefined;
  keep(place: string, values: Readonly<Record<string, unknown>>): void;
}

/** Reads the text of a file. Undefined when there is none; throws when there is one that cannot be read. */
export type ReadText = (place: string) => string | undefined;

/**
 * The settings of one file as the editor would understand them: comments and trailing commas are fine, the last of
 * equal keys counts, and `"sluice.tools": { "deny": [...] }` says the same as `"sluice.tools.deny": [...]`.
 */
export function parseSettings(text: string, section?: 'settings'): ParsedSettings {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const settings = section === undefined || root === undefined ? root : findNodeAtLocation(root, [section]);
  const values: Record<string, unknown> = {};
  const spans = new Map<string, Span>();
  for (const { key } of Object.values(SETTINGS)) {
    const found = settings === undefined ? undefined : findSetting(settings, `sluice.${key}`);
    const node = found?.children?.[1];
    if (found === undefined || node === undefined) continue;
    values[key] = getNodeValue(node) as unknown;
    spans.set(key, { offset: found.offset, length: found.length });
  }
  return { values, spans, error: errorOf(text, errors[0], root) };
}

function errorOf(text: string, error: ParseError | undefined, root: Node | undefined): ParsedSettings['error'] {
  if (text.trim() === '') return { reason: 'the file is empty; an object is wanted, {} at least', span: { offset: 0, length: 0 } };
  if (error !== undefined) {
    const wanted = printParseErrorCode(error.error).replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ').toLowerCase();
    return { reason: `it is not valid JSON (${wanted})`, span: { offset: error.offset, length: error.length } };
  }
  return root?.type === 'object' ? undefined : { reason: 'an object is wanted, {} at least', span: { offset: 0, length: 1 } };
}

/** The last property that names the setting, whole or by its beginning. */
function findSetting(object: Node, name: string): Node | undefined {
  if (object.type !== 'object') return undefined;
  return object.children?.reduce<Node | undefined>((found, property) => {
    const [key, value] = property.children ?? [];
    if (key?.value === name) return property;
    const inside = typeof key?.value === 'string' && value !== undefined && name.startsWith(`${key.value}.`) ? findSetting(value, name.slice(key.value.length + 1)) : undefined;
    return inside ?? found;
  }, undefined);
}

/**
 * What a file says, and the layer to merge. While it cannot be read, its last readable values hold. Without any, it
 * counts only if it names Sluice at all, and then closes (see fold.ts). A file that is gone says nothing; its last values
 * are kept for the case that it comes back in pieces.
 */
export function findSettings(file: SettingsFile, read: ReadText, memory: LastGood): { readonly found: FoundSettings; readonly layer: Layer } | undefined {
  const text = attempt(read, file.place);
  if (text === undefined) return undefined;
  const parsed: ParsedSettings = 'failed' in text
    ? { values: {}, spans: new Map(), error: { reason: text.failed, span: { offset: 0, length: 0 } } }
    : parseSettings(text.text, file.section);
  const source = 'failed' in text ? '' : text.text;
  const { values, error } = parsed;
  const layer = { name: file.layer, place: file.place };
  if (error === undefined) {
    memory.keep(file.place, values);
    return { found: { ...parsed, file, text: source, unreadable: false }, layer: { ...layer, values } };
  }
  const lastGood = memory.lastGood(file.place);
  const matters = 'failed' in text || /sluice/iu.test(source) || Object.keys(values).length > 0 || Object.keys(lastGood ?? {}).length > 0;
  const found = { ...parsed, file, text: source, unreadable: matters };
  if (!matters) return { found, layer: { ...layer, values: {} } };
  return { found, layer: { ...layer, unreadable: error.reason, values: lastGood ?? values, ...(lastGood === undefined ? {} : { lastGood: true }) } };
}

/**
 * The person's own layer. Its values come from the editor, which knows profiles and machines; the file is only
 * looked at, because the editor hands out half of one that does not parse. While it does not, and until the editor
 * has read it again (`held`), the values it had before hold.
 */
export function ownLayer(place: string | undefined, fromEditor: Layer['values'], parts: { readonly read: ReadText; readonly memory: LastGood; readonly held: boolean }): { readonly layer: Layer; readonly broken: boolean } {
  const layer: Layer = { name: 'user', values: fromEditor };
  const text = place === undefined ? undefined : attempt(parts.read, place);
  if (place === undefined || text === undefined || 'failed' in text) return { layer, broken: false };
  const { values, error } = parseSettings(text.text);
  const lastGood = parts.memory.lastGood(place);
  if (text.text.trim() === '' && Object.keys(lastGood ?? {}).length === 0) return { layer, broken: false };
  if (error !== undefined) return { layer: { ...layer, place, unreadable: error.reason, ...(lastGood === undefined ? {} : { values: lastGood, lastGood: true }) }, broken: true };
  const agrees = Object.entries(values).every(([key, value]) => JSON.stringify(fromEditor[key]) === JSON.stringify(value));
  if (agrees) parts.memory.keep(place, fromEditor);
  else if (parts.held && lastGood !== undefined) return { layer: { ...layer, values: lastGood }, broken: true };
  return { layer, broken: false };
}

function attempt(read: ReadText, place: string): undefined | { readonly text: string } | { readonly failed: string } {
  try {
    const text = read(place);
    if (text === undefined) return undefined;
    return text.length > MOST_CHARACTERS ? { failed: 'the file is larger than 1 MB' } : { text };
  } catch (error) {
    return { failed: `the file cannot be opened (${error instanceof Error ? error.message : 'unknown error'})` };
  }
}
