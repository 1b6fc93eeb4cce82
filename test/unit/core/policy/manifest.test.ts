import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SETTINGS, type Setting } from '../../../../src/core/policy/schema.ts';

interface Property {
  readonly scope: string;
  readonly default: unknown;
  readonly markdownDescription: string;
  readonly enum?: readonly unknown[];
  readonly enumDescriptions?: readonly string[];
}
interface Manifest {
  readonly contributes: { readonly configuration: readonly { readonly properties: Readonly<Record<string, Property>> }[] };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: readonly string[] } };
}

const manifest = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as Manifest;
const properties = Object.assign({}, ...manifest.contributes.configuration.map((group) => group.properties)) as Readonly<Record<string, Property>>;
const settings: readonly Setting<unknown>[] = Object.values(SETTINGS) as unknown as readonly Setting<unknown>[];
const byKey = settings.map((setting) => [`sluice.${setting.key}`, setting] as const);

/** What a repository could use to send code or keys elsewhere, or to switch a protection off. */
const NEVER_A_REPOSITORY = ['sluice.model.baseUrl', 'sluice.model.name', 'sluice.sandbox.enabled', 'sluice.approval.expiryMinutes', 'sluice.budget.steps'];

describe('the manifest', () => {
  it('declares exactly the settings that exist, each once', () => {
    expect(Object.keys(properties).toSorted()).toEqual(byKey.map(([key]) => key).toSorted());
    expect(manifest.contributes.configuration.flatMap((group) => Object.keys(group.properties))).toHaveLength(byKey.length);
  });

  it.each(byKey)('%s has the scope, default and words of its definition', (key, setting) => {
    expect(properties[key]).toMatchObject({ scope: setting.scope, default: setting.default, markdownDescription: setting.description });
    expect(setting.schema.safeParse(properties[key]?.default).success).toBe(true);
    expect(properties[key]?.enumDescriptions).toEqual(setting.valueDescriptions);
    expect(properties[key]?.enum?.length).toBe(setting.valueDescriptions?.length);
  });

  it('keeps from an untrusted workspace every setting that a workspace can set', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    expect(supported).toBe('limited');
    const settable = Object.entries(properties).filter(([, { scope }]) => scope !== 'application' && scope !== 'machine').map(([key]) => key);
    expect(restrictedConfigurations.toSorted()).toEqual(settable.toSorted());
  });

  it.each(NEVER_A_REPOSITORY)('%s is out of a repository\'s reach', (key) => {
    expect(['application', 'machine']).toContain(properties[key]?.scope);
  });

  it('says of each setting that a workspace can set what is stricter, and of no other', () => {
    for (const { key, scope, tightens } of settings) expect([key, tightens !== undefined]).toEqual([key, scope === 'window' || scope === 'resource']);
  });
});
