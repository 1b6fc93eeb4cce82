/** What a workspace loosens: never by itself, with consent exactly the lines that were shown. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consentKey, looseningLines } from '../../../../src/core/policy/consent.ts';
import { valuesOf } from '../../../../src/core/policy/effect.ts';
import { mergeLayers, type Layer, type Policy } from '../../../../src/core/policy/layers.ts';
import { SETTINGS, type Setting, type SettingName } from '../../../../src/core/policy/schema.ts';
import { sha256 } from '../../../../src/host/system.ts';
import { createSession, propose, say, toolCall } from '../../../fakes/session.ts';

const ALL = Object.entries(SETTINGS) as unknown as readonly (readonly [SettingName, Setting<unknown>])[];
const VALUES: readonly unknown[] = [
  ...ALL.flatMap(([, definition]) => valuesOf(definition)), '', 'm', true, false, 1, 5, 32, 60, 480, [], ['run_*'], ['fs.write'], ['*'],
  ['example.org'], ['example.org', 'example.net'], null, 'nonsense', [3],
];
const HERE = 'file:///w';

const user = (values: Layer['values']): Layer => ({ name: 'user', values });
const workspace = (values: Layer['values']): Layer => ({ name: 'workspace', values, place: 'file:///w/.vscode/settings.json' });
const folder = (values: Layer['values'], place: string): Layer => ({ name: 'folder', values, place });

function merge(layers: readonly Layer[], accepted: readonly (string | undefined)[] = [], { trusted = true, here = HERE } = {}): Policy {
  return mergeLayers(layers, trusted, sha256, { workspace: here, accepted: new Set(accepted.filter((key) => key !== undefined)) });
}

const keyOf = (layers: readonly Layer[], here = HERE): string | undefined => merge(layers, [], { here }).consentKey;
const LOOSE = [user({}), workspace({ 'network.policy': 'allow', profile: 'full', 'tools.deny': ['run_*'] })];

/** Mostly values that the setting can read, sometimes others. */
const values = fc.record(Object.fromEntries(ALL.map(([, { key, schema }]) => [key, fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...VALUES.filter((value) => schema.safeParse(value).success)) }, { weight: 1, arbitrary: fc.constantFrom(...VALUES) },
)])), { requiredKeys: [] });
const anyLayers = fc.tuple(values, values, fc.array(values, { maxLength: 3 }))
  .map(([own, shared, folders]) => [user(own), workspace(shared), ...folders.map((one, index) => folder(one, `file:///f${index}`))]);

describe('consent', () => {
  it('is needed for what loosens and for nothing else', () => {
    expect(looseningLines(LOOSE)).toEqual([
      { key: 'profile', layer: 'workspace', place: 'file:///w/.vscode/settings.json', from: 'coding', to: 'full', effect: 'Every tool.' },
      { key: 'network.policy', layer: 'workspace', place: 'file:///w/.vscode/settings.json', from: 'deny', to: 'allow', effect: SETTINGS.networkPolicy.valueDescriptions![2] },
    ]);
    expect(looseningLines([user({ profile: 'full' }), workspace({ profile: 'minimal', 'tools.deny': [], 'model.baseUrl': 'http://127.0.0.1/v1' })])).toEqual([]);
  });

  it('puts exactly the accepted lines in force, with their source', () => {
    const before = merge(LOOSE);
    expect([before.settings.profile, before.settings.networkPolicy, before.consented]).toEqual(['coding', 'deny', false]);
    expect(before.problems.map(({ kind, key }) => [kind, key])).toEqual([['loosening', 'profile'], ['loosening', 'network.policy']]);
    const after = merge(LOOSE, [before.consentKey]);
    expect(after.settings).toMatchObject({ profile: 'full', networkPolicy: 'allow', toolsDeny: ['run_*'] });
    expect(after.sources).toMatchObject({ profile: 'consent', networkPolicy: 'consent', toolsDeny: 'workspace' });
    expect([after.problems, after.consented, after.consentKey]).toEqual([[], true, before.consentKey]);
    expect(after.version).not.toBe(before.version);
  });

  it('is void in Restricted Mode, in another workspace and under any other key', () => {
    const key = keyOf(LOOSE);
    expect(merge(LOOSE, [key], { trusted: false })).toMatchObject({ settings: merge(LOOSE).settings, consented: false });
    expect(merge(LOOSE, [key], { here: 'file:///elsewhere' }).settings).toEqual(merge(LOOSE).settings);
    expect(merge(LOOSE, ['', 'sha256:', `${key} `, key!.toUpperCase()]).settings).toEqual(merge(LOOSE).settings);
  });

  it.each<[string, readonly Layer[]]>([
    ['a value is changed', [user({}), workspace({ 'network.policy': 'restricted', profile: 'full' })]],
    ['a line is added', [user({}), workspace({ 'network.policy': 'allow', profile: 'full', 'approval.writes': 'auto' })]],
    ['a line is gone', [user({}), workspace({ 'network.policy': 'allow' })]],
    ['the person\'s own value is another', [user({ profile: 'minimal' }), workspace({ 'network.policy': 'allow', profile: 'full' })]],
    ['a line stands in another file', [user({}), { ...workspace({ 'network.policy': 'allow', profile: 'full' }), place: 'file:///w/other.code-workspace' }]],
  ])('is void and asked again when %s', (_, layers) => {
    const changed = merge(layers, [keyOf(LOOSE)]);
    expect(changed.settings).toEqual(merge(layers).settings);
    expect(changed.consentKey).not.toBe(keyOf(LOOSE));
    expect([changed.consented, changed.loosening.length > 0]).toEqual([false, true]);
  });

  it('does not depend on the order of lines and is kept when a tightening line changes', () => {
    const lines = looseningLines(LOOSE);
    expect(consentKey(lines.toReversed(), HERE, sha256)).toBe(consentKey(lines, HERE, sha256));
    expect(keyOf([user({}), workspace({ profile: 'full', 'network.policy': 'allow', 'tools.deny': ['write_file'] })])).toBe(keyOf(LOOSE));
  });

  it('never sets what only the person can set', () => {
    const layers = [user({}), workspace({ 'sandbox.enabled': false, 'model.baseUrl': 'http://127.0.0.1/v1', profile: 'full' })];
    const policy = merge(layers, [keyOf(layers)]);
    expect(policy.settings).toMatchObject({ sandboxEnabled: true, modelBaseUrl: '', profile: 'full' });
  });

  it('in a window with several folders: a folder tightens what the workspace was allowed, and loosens no window setting', () => {
    const layers = [user({}), workspace({ 'network.policy': 'allow' }), folder({ 'network.policy': 'restricted' }, 'file:///a'), folder({ profile: 'full' }, 'file:///b')];
    const policy = merge(layers, [keyOf(layers)]);
    expect([policy.settings.networkPolicy, policy.settings.profile]).toEqual(['restricted', 'coding']);
    expect(policy.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('profile in the folder is ignored: a folder cannot loosen it, only the workspace can'),
    ]);
    const strict = [user({}), workspace({ 'network.policy': 'allow' }), folder({ 'network.policy': 'deny' }, 'file:///a')];
    expect(merge(strict, [keyOf(strict)]).settings.networkPolicy).toBe('deny');
  });
});

describe('any layers', () => {
  it('without the accepted key no lower layer widens; with it only the lines do, exactly to their values', () => {
    fc.assert(fc.property(anyLayers, fc.boolean(), (layers, trusted) => {
      const alone = merge([layers[0]!], [], { trusted });
      const strict = merge(layers, [], { trusted });
      const after = merge(layers, [strict.consentKey], { trusted });
      expect(after.consented).toBe(trusted && strict.loosening.length > 0);
      for (const [name, { key, tightens }] of ALL) {
        const line = after.consented ? strict.loosening.find((one) => one.key === key) : undefined;
        if (tightens === undefined) expect(after.settings[name]).toEqual(alone.settings[name]);
        else expect(tightens(strict.settings[name], alone.settings[name])).toBe(true);
        if (line === undefined) expect(after.settings[name]).toEqual(strict.settings[name]);
        else expect(tightens!(after.settings[name], line.to)).toBe(true);
      }
    }), { numRuns: 2_000 });
  });

  it('a changed line voids the acceptance', () => {
    fc.assert(fc.property(anyLayers, anyLayers, (one, other) => {
      const [key, now] = [keyOf(one), merge(other)];
      fc.pre(key !== undefined);
      const same = JSON.stringify(looseningLines(one)) === JSON.stringify(looseningLines(other));
      expect(merge(other, [key]).settings).toEqual(same ? merge(other, [now.consentKey]).settings : now.settings);
    }), { numRuns: 2_000 });
  });

  it('are all tried: many of them loosen', () => {
    const found = fc.sample(anyLayers, { numRuns: 200, seed: 7 }).filter((layers) => looseningLines(layers).length > 0);
    expect(found.length).toBeGreaterThan(50);
  });
});

describe('a file that cannot be read', () => {
  const unreadable = (found: Layer['values'], lastGood?: Layer['values']): Layer => ({ ...workspace(lastGood ?? found), unreadable: 'it is not valid JSON', ...(lastGood === undefined ? {} : { lastGood: true }) });

  it('keeps what it said before, consent included', () => {
    const before = { 'tools.deny': ['run_*'], profile: 'full' };
    const key = keyOf([user({}), workspace(before)]);
    const policy = merge([user({}), unreadable({}, before)], [key]);
    expect(policy.settings).toMatchObject({ toolsDeny: ['run_*'], profile: 'full' });
    expect(policy.problems).toEqual([expect.objectContaining({ kind: 'unreadable', key: '', message: expect.stringContaining('what they said before is in force') })]);
  });

  it('without a memory of it closes what it could have tightened, and keeps the denials that can be read', () => {
    const policy = merge([user({ 'network.policy': 'allow', 'approval.writes': 'auto', profile: 'full', 'model.name': 'm' }), unreadable({ 'tools.deny': ['run_*'], profile: 'full' })]);
    expect(policy.settings).toMatchObject({ networkPolicy: 'deny', approvalWrites: 'preview', profile: 'minimal', toolsDeny: ['run_*'], modelName: 'm' });
    expect(policy.loosening).toEqual([]);
  });

  it('never loosens and never takes a denial away, whatever is left of it', () => {
    fc.assert(fc.property(values, values, (own, rest) => {
      const alone = merge([user(own)]);
      const policy = merge([user(own), unreadable(rest)]);
      for (const [name, { tightens }] of ALL) {
        if (tightens === undefined) expect(policy.settings[name]).toEqual(alone.settings[name]);
        else expect(tightens(policy.settings[name], alone.settings[name])).toBe(true);
      }
      expect(policy.loosening).toEqual([]);
    }), { numRuns: 500 });
  });
});

it.each(ALL.filter(([, { tightens }]) => tightens !== undefined).map(([, definition]) => [definition.key, definition] as const))('%s: what closes is stricter than every value', (_, { whenInvalid, default: fallback, schema, tightens }) => {
  const known = VALUES.filter((value) => schema.safeParse(value).success);
  expect(known.length).toBeGreaterThan(1);
  for (const value of known) expect(tightens!(whenInvalid ?? fallback, value)).toBe(true);
});

it('consent while a task runs applies from the next call and is a record of its own', async () => {
  const layers = [user({}), workspace({ 'approval.writes': 'auto' })];
  const allowed = merge(layers, [keyOf(layers)]);
  let policy = merge(layers);
  const world = createSession({ files: { 'a.txt': 'a\n' }, script: () => 'approve', over: { policy: () => policy } });
  const { source } = await world.play((_request, n) => {
    if (n === 1) policy = allowed;
    if (n === 2) policy = merge(layers);
    return n < 3 ? propose(toolCall('write_file', { path: `${n}.txt`, content: 'x\n' }, { id: `c${n}` })) : say('ok');
  });
  expect(source.requests).toHaveLength(4);
  expect(world.surface.opened.map(({ callId }) => callId)).toEqual(['c0', 'c2']);
  expect(world.audit.entries.filter(({ kind }) => kind === 'policy')).toEqual([
    { kind: 'policy', task: expect.any(String), policyVersion: allowed.version, consent: allowed.consentKey },
    { kind: 'policy', task: expect.any(String), policyVersion: policy.version, consent: undefined },
  ]);
});
