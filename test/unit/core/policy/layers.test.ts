/** Who may set what: bad values close, a workspace only tightens. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { mergeLayers, type Layer, type Policy } from '../../../../src/core/policy/layers.ts';
import { SETTINGS, type Setting, type SettingName } from '../../../../src/core/policy/schema.ts';
import { sha256 } from '../../../../src/host/system.ts';

const ALL = Object.entries(SETTINGS) as unknown as readonly (readonly [SettingName, Setting<unknown>])[];
const WORKSPACE = ALL.filter(([, { scope }]) => scope === 'window' || scope === 'resource');

const merge = (layers: readonly Layer[], trusted = true): Policy => mergeLayers(layers, trusted, sha256);
const user = (values: Layer['values']): Layer => ({ name: 'user', values });
const workspace = (values: Layer['values']): Layer => ({ name: 'workspace', values });
const folder = (values: Layer['values']): Layer => ({ name: 'folder', values });

/** Every value that the schemas know by name, and some that fit by shape. */
const VALUES: readonly unknown[] = [
  ...ALL.flatMap(([, { schema }]) => (schema instanceof z.ZodEnum ? schema.options : [])), '', 'http://127.0.0.1:1/v1', 'm', true, false,
  1, 4, 5, 32, 60, 90, 480, 1_000, 10_080, [], ['run_*'], ['fs.write', 'run_shell'], ['*'], ['example.org'],
];
/** Values that no setting can read. */
const UNREADABLE: readonly unknown[] = [null, -1, 1.5, Number.NaN, 1e12, {}, { length: 1 }, ['run_*', null], [['run_*']], [''], 'nonsense\u0000'.repeat(400), ['{a,b}'.repeat(20)], ['a b'], ['x'.repeat(254)], Symbol.iterator, () => true];

const shown = (raw: unknown): string => (typeof raw === 'string' ? raw : typeof raw === 'object' ? JSON.stringify(raw) : typeof raw).slice(0, 40);
const readable = ([, { schema }]: readonly [SettingName, Setting<unknown>]): readonly unknown[] => VALUES.filter((value) => schema.safeParse(value).success);

describe('ST-01 a value that cannot be read closes', () => {
  test.each(ALL.flatMap((entry) => UNREADABLE.filter((raw) => !entry[1].schema.safeParse(raw).success).map((raw) => [entry[1].key, shown(raw), entry, raw] as const)))('%s: %s', (key, _, [name, definition], raw) => {
    const policy = merge([user({ [key]: raw })]);
    const now = policy.settings[name];
    if (definition.tightens !== undefined) {
      for (const value of readable([name, definition])) expect(definition.tightens(now, value), `${JSON.stringify(now)} against ${JSON.stringify(value)}`).toBe(true);
    } else {
      expect(now).toEqual(definition.default);
    }
    expect(policy.problems).toHaveLength(1);
    expect(policy.problems[0]).toMatchObject({ key, layer: 'user', kind: 'invalid' });
    expect(policy.problems[0]!.message).toContain(`sluice.${key} (user`);
    expect(policy.problems[0]!.message).toMatch(/stays in force\.$|is in force until it is mended\.$/);
  });

  it('has readable and unreadable values for every setting', () => {
    for (const entry of ALL) expect(readable(entry).length, entry[1].key).toBeGreaterThan(1);
    for (const [, { schema }] of ALL) expect(UNREADABLE.filter((raw) => !schema.safeParse(raw).success).length).toBeGreaterThan(5);
  });

  it('names the entry that is wrong, and the other settings hold', () => {
    const policy = merge([user({ 'tools.deny': ['run_*', 'fs write'], profile: 'full', 'approval.writes': 'auto' })]);
    expect(policy.problems.map(({ message }) => message)).toEqual([expect.stringMatching(/tools\.deny \(user, entry 2\): .*letters.*\["\*"\] is in force until it is mended\.$/)]);
    expect(policy.settings).toMatchObject({ toolsDeny: ['*'], profile: 'full', approvalWrites: 'auto' });
  });

  it('mended, the rules are back', () => {
    expect(merge([user({ 'tools.deny': ['run_*'] })]).settings.toolsDeny).toEqual(['run_*']);
  });

  it.each(WORKSPACE.map(([name, definition]) => [definition.key, name, definition] as const))('a bad value of a workspace loosens nothing: %s', (key, name, definition) => {
    for (const own of readable([name, definition])) {
      for (const layer of [workspace({ [key]: null }), folder({ [key]: { a: 1 } })]) {
        const policy = merge([user({ [key]: own }), layer]);
        expect(definition.tightens!(policy.settings[name], own)).toBe(true);
        expect(policy.problems.map(({ kind }) => kind)).toEqual(['invalid']);
      }
    }
  });
});

describe('ST-02 a workspace may only tighten', () => {
  it('what could send code or keys elsewhere, or switch a protection off, is not its to set', () => {
    expect(ALL.filter(([, { scope }]) => scope === 'application' || scope === 'machine').map(([, { key }]) => key)).toEqual(expect.arrayContaining([
      'model.baseUrl', 'model.name', 'sandbox.enabled', 'approval.expiryMinutes', 'execution.timeoutSeconds', 'budget.steps',
    ]));
    for (const [, { tightens, key }] of WORKSPACE) expect(tightens, key).toBeDefined();
  });

  it.each(ALL.flatMap(([name, definition]) => (definition.scope === 'application' || definition.scope === 'machine' ? [[definition.key, name, definition] as const] : [])))('%s stays the person\'s own', (key, name, definition) => {
    for (const own of [undefined, ...readable([name, definition])]) {
      for (const other of readable([name, definition])) {
        const policy = merge([user(own === undefined ? {} : { [key]: own }), workspace({ [key]: other }), folder({ [key]: other })]);
        expect(policy.settings[name]).toEqual(own ?? definition.default);
        expect(policy.problems.map(({ kind, layer }) => [kind, layer])).toEqual([['ignored', 'workspace'], ['ignored', 'folder']]);
      }
    }
  });

  it('is told what was ignored and why', () => {
    const policy = merge([user({ 'approval.writes': 'preview' }), workspace({ 'approval.writes': 'auto', 'model.baseUrl': 'http://198.51.100.1/v1' })]);
    expect(policy.settings).toMatchObject({ approvalWrites: 'preview', modelBaseUrl: '' });
    expect(policy.problems.map(({ message }) => message).toSorted()).toEqual([
      'sluice.approval.writes in the workspace is ignored: it would allow more than your own settings do; "preview" stays in force.',
      'sluice.model.baseUrl in the workspace is ignored: only your own settings can set it.',
    ]);
  });

  it('denied tools of all layers hold together', () => {
    const policy = merge([user({ 'tools.deny': ['run_*'] }), workspace({ 'tools.deny': ['write_file'] }), folder({ 'tools.deny': [] }), folder({ 'tools.deny': ['run_*', 'fs.read'] })]);
    expect(policy.settings.toolsDeny).toEqual(['run_*', 'write_file', 'fs.read']);
    expect(policy.problems).toEqual([]);
  });

  it('a tightening value applies and says where it is from', () => {
    const policy = merge([user({ profile: 'full' }), workspace({ profile: 'minimal' }), folder({ profile: 'coding' })]);
    expect([policy.settings.profile, policy.sources.profile]).toEqual(['minimal', 'workspace']);
    expect(policy.problems.map(({ layer, kind }) => [layer, kind])).toEqual([['folder', 'ignored']]);
  });
});

describe('any layers', () => {
  const raw = fc.oneof(fc.constantFrom(...VALUES), fc.constantFrom(...UNREADABLE.slice(0, -2)), fc.jsonValue());
  const values = fc.dictionary(fc.constantFrom(...ALL.map(([, { key }]) => key), 'unknown.key', '__proto__', 'constructor'), raw, { maxKeys: ALL.length });

  it('merge to a policy that is never looser than the person\'s own, for every setting', () => {
    fc.assert(fc.property(values, fc.array(fc.tuple(fc.constantFrom('workspace' as const, 'folder' as const), values), { maxLength: 4 }), fc.boolean(), (own, others, trusted) => {
      const alone = merge([user(own)], trusted);
      const merged = merge([user(own), ...others.map(([name, layer]) => ({ name, values: layer }))], trusted);
      for (const [name, definition] of ALL) {
        const [now, base] = [merged.settings[name], alone.settings[name]];
        expect(definition.schema.safeParse(now).success).toBe(true);
        if (definition.tightens === undefined) expect(now).toEqual(base);
        else expect(definition.tightens(now, base)).toBe(true);
      }
      expect(merged.trusted).toBe(trusted);
    }), { numRuns: 1_000 });
  });

  it('have a version that changes exactly with the values in force', () => {
    fc.assert(fc.property(values, values, fc.boolean(), fc.boolean(), (a, b, trustA, trustB) => {
      const [one, other] = [merge([user(a)], trustA), merge([user(b)], trustB)];
      const same = trustA === trustB && ALL.every(([name]) => JSON.stringify(one.settings[name]) === JSON.stringify(other.settings[name]));
      expect(one.version === other.version).toBe(same);
    }), { numRuns: 500 });
  });

  it('are frozen all the way down, and the defaults stay what they are', () => {
    const policy = merge([user({ 'tools.deny': ['run_*'] })]);
    expect(Object.isFrozen(policy.settings)).toBe(true);
    expect(() => (policy.settings.toolsDeny as string[]).push('x')).toThrow(TypeError);
    expect(() => (merge([]).settings.toolsDeny as string[]).push('x')).toThrow(TypeError);
    expect(SETTINGS.toolsDeny.default).toEqual([]);
  });
});

it.each(ALL.map(([, definition]) => [definition.key, definition] as const))('the order of %s is one: reflexive, and only equal values tighten each other', (_, definition) => {
  const { tightens, default: fallback, schema } = definition;
  expect(schema.safeParse(fallback).success).toBe(true);
  if (definition.whenInvalid !== undefined) expect(schema.safeParse(definition.whenInvalid).success).toBe(true);
  const known = VALUES.filter((value) => schema.safeParse(value).success && !(Array.isArray(value) && value.includes('*')));
  if (tightens === undefined) return;
  for (const a of known) {
    expect(tightens(a, a)).toBe(true);
    for (const b of known) if (tightens(a, b) && tightens(b, a)) expect(a).toEqual(b);
  }
});
