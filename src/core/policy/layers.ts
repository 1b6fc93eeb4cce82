import { digestOf, type Sha256 } from '../digest.ts';
import { SETTINGS, type Setting, type SettingName, type Settings } from './schema.ts';

/** Raw values as found, by setting key without the `sluice.` prefix. Absent keys are not set in that layer. */
export interface Layer {
  readonly name: 'user' | 'workspace' | 'folder';
  readonly values: Readonly<Record<string, unknown>>;
}

export interface PolicyProblem {
  readonly key: string;
  readonly layer: Layer['name'];
  /** `invalid`: the value does not parse. `ignored`: a workspace may not set or loosen it. */
  readonly kind: 'invalid' | 'ignored';
  readonly message: string;
}

/** The settings in force, frozen for a task. `version` is a digest of exactly these values. */
export interface Policy {
  readonly settings: Settings;
  readonly version: string;
  readonly trusted: boolean;
  readonly sources: Readonly<Record<SettingName, Layer['name'] | 'default'>>;
  readonly problems: readonly PolicyProblem[];
}

/**
 * Merges layers from the widest to the narrowest. A later layer may tighten; a workspace or folder value that
 * loosens, or sets what it may not set, is ignored and reported. An invalid value closes: the strictest value is in
 * force until it is mended, never a half-read one. In Restricted Mode workspace and folder layers are ignored unless
 * they tighten, like everywhere else.
 */
export function mergeLayers(layers: readonly Layer[], trusted: boolean, sha256: Sha256): Policy {
  const settings: Record<string, unknown> = {};
  const sources: Record<string, Layer['name'] | 'default'> = {};
  const problems: PolicyProblem[] = [];
  for (const [name, definition] of Object.entries(SETTINGS) as [SettingName, Setting<unknown>][]) {
    settings[name] = definition.default;
    sources[name] = 'default';
    for (const layer of layers) {
      const raw = layer.values[definition.key];
      if (raw === undefined) continue;
      const next = judge(definition, raw, settings[name], layer, problems);
      if (next.applies) {
        settings[name] = next.value;
        sources[name] = layer.name;
      }
    }
  }
  for (const value of Object.values(settings)) Object.freeze(value);
  const frozen = Object.freeze(settings) as unknown as Settings;
  return {
    settings: frozen, trusted, problems, sources: sources as Policy['sources'],
    version: digestOf({ settings: frozen, trusted }, sha256),
  };
}

function judge(
  definition: Setting<unknown>, raw: unknown, now: unknown, layer: Layer, problems: PolicyProblem[],
): { applies: boolean; value?: unknown } {
  const { key, scope, whenInvalid } = definition;
  const own = layer.name === 'user';
  const parsed = definition.schema.safeParse(raw);
  if (!parsed.success) {
    const { message: wanted, path } = parsed.error.issues[0] ?? { message: 'another value', path: [] };
    const entry = path.length === 0 ? '' : `, entry ${path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join('.')}`;
    const closes = whenInvalid !== undefined && (own || scope === 'window' || scope === 'resource');
    problems.push({
      key, layer: layer.name, kind: 'invalid',
      message: `sluice.${key} (${layer.name}${entry}): ${wanted}. The value is not used; ${closes ? `${show(whenInvalid)} is in force until it is mended` : `${show(now)} stays in force`}.`,
    });
    return closes ? { applies: true, value: whenInvalid } : { applies: false };
  }
  if (own) return { applies: true, value: parsed.data };
  if (scope === 'application' || scope === 'machine') {
    problems.push(ignored(definition, layer, 'only your own settings can set it'));
    return { applies: false };
  }
  if (definition.join !== undefined) return { applies: true, value: definition.join(parsed.data, now) };
  if (definition.tightens?.(parsed.data, now) === true) return { applies: true, value: parsed.data };
  problems.push(ignored(definition, layer, `it would allow more than your own settings do; ${show(now)} stays in force`));
  return { applies: false };
}

function ignored(definition: Setting<unknown>, layer: Layer, why: string): PolicyProblem {
  return { key: definition.key, layer: layer.name, kind: 'ignored', message: `sluice.${definition.key} in the ${layer.name} is ignored: ${why}.` };
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'the default';
}
