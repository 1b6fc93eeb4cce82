/** A workspace's settings file: read like the editor does, except that half a file is never taken for a whole one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeLayers, type Layer, type Policy } from '../../../src/core/policy/layers.ts';
import { findSettings, ownLayer, parseSettings, type LastGood, type SettingsFile } from '../../../src/host/policy-files.ts';
import { createPolicyMemory } from '../../../src/host/policy-memory.ts';
import { lineOf, locateProblem } from '../../../src/host/policy-places.ts';
import { sha256 } from '../../../src/host/system.ts';

const FILE: SettingsFile = { layer: 'workspace', place: 'file:///w/.vscode/settings.json', section: undefined };

/** The editor's storage, as an object. */
class Storage {
  readonly stored = new Map<string, unknown>();
  get(key: string): unknown { return structuredClone(this.stored.get(key)); }
  keys(): readonly string[] { return [...this.stored.keys()]; }
  async update(key: string, value: unknown): Promise<void> { this.stored.set(key, structuredClone(value)); }
}

const memoryOf = (storage = new Storage()) => createPolicyMemory(storage as never);

function find(text: string | undefined, memory: LastGood = memoryOf()) {
  return findSettings(FILE, () => text, memory);
}

function policyOf(layer: Layer | undefined): Policy {
  return mergeLayers([{ name: 'user', values: {} }, ...(layer === undefined ? [] : [layer])], true, sha256);
}

describe('reading', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['flat keys', '{ "sluice.tools.deny": ["run_*"], "editor.tabSize": 2 }', { 'tools.deny': ['run_*'] }],
    ['comments and trailing commas', '// c\n{ /* d */ "sluice.profile": "minimal", }\n', { profile: 'minimal' }],
    ['nested keys', '{ "sluice": { "tools": { "deny": ["a"] }, "profile": "full" }, "sluice.network": { "policy": "deny" } }', { 'tools.deny': ['a'], profile: 'full', 'network.policy': 'deny' }],
    ['the last of two', '{ "sluice.profile": "full", "sluice.profile": "minimal" }', { profile: 'minimal' }],
    ['escapes in the key', '{ "\\u0073luice.profile": "minimal" }', { profile: 'minimal' }],
    ['nothing of ours', '{}', {}],
    ['a key that only begins like ours', '{ "sluice.profiles": "x", "sluice.profile.x": "y", "sluice": 3 }', {}],
  ])('%s', (_, text, values) => {
    expect(parseSettings(text)).toMatchObject({ values, error: undefined });
  });

  it('takes the settings of a workspace file from their section', () => {
    const text = '{ "folders": [], "sluice.profile": "full", "settings": { "sluice.profile": "minimal" } }';
    expect(parseSettings(text, 'settings').values).toEqual({ profile: 'minimal' });
    expect(parseSettings('{ "folders": [] }', 'settings')).toMatchObject({ values: {}, error: undefined });
  });

  it.each(['', ' \n', '{', '{ "sluice.profile": ', '{ "a": 1 "sluice.profile": "full" }', '[]', '3', '{ "a": 1 } }', '<<<<<<< HEAD\n{}\n'])('%j cannot be read as a whole', (text) => {
    expect(parseSettings(text).error?.reason).toMatch(/\w/);
  });
});

describe('a half-saved file', () => {
  const whole = '{\n  "editor.tabSize": 2,\n  "sluice.tools.deny": ["run_*", "write_file"],\n  "sluice.profile": "minimal"\n}\n';

  it('drops no deny, wherever it is cut, also after a restart', () => {
    for (let at = 0; at < whole.length; at += 1) {
      const storage = new Storage();
      find(whole, memoryOf(storage));
      const { layer } = find(whole.slice(0, at), memoryOf(storage))!;
      const { settings, problems } = policyOf(layer);
      expect([settings.toolsDeny, settings.profile], whole.slice(0, at)).toEqual([['run_*', 'write_file'], 'minimal']);
      if (at < whole.length - 1) expect(problems[0]).toMatchObject({ kind: 'unreadable', place: FILE.place });
    }
  });

  it('loosens nothing, whatever its text is', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), fc.nat(whole.length).map((at) => whole.slice(at))), (text) => {
      const memory = memoryOf();
      find(whole, memory);
      const { found, layer } = find(text, memory)!;
      if (found.error !== undefined) expect(policyOf(layer).settings).toMatchObject({ toolsDeny: ['run_*', 'write_file'], profile: 'minimal' });
    }), { numRuns: 500 });
  });

  it('that was never readable closes when it names Sluice, and is left alone when it does not', () => {
    expect(policyOf(find('{ "sluice.tools.deny": ["run_*"], "sluice.profile": "full" ')!.layer).settings).toMatchObject({ toolsDeny: ['run_*'], profile: 'minimal', networkPolicy: 'deny' });
    const other = find('{ "editor.tabSize": ')!;
    expect([policyOf(other.layer).settings.profile, policyOf(other.layer).problems, other.found.unreadable]).toEqual(['coding', [], false]);
  });

  it('that cannot be opened keeps what it said; one that is gone says nothing', () => {
    const memory = memoryOf();
    find(whole, memory);
    const denied = findSettings(FILE, () => { throw new Error('EACCES'); }, memory)!;
    expect(policyOf(denied.layer).settings.toolsDeny).toEqual(['run_*', 'write_file']);
    expect(policyOf(denied.layer).problems[0]!.message).toBe('The workspace\'s settings cannot be read: the file cannot be opened (EACCES). Until they can, what they said before is in force.');
    expect(find(undefined, memory)).toBeUndefined();
    expect(policyOf(findSettings(FILE, () => { throw new Error('EACCES'); }, memoryOf())!.layer).settings.profile).toBe('minimal');
  });

  it('mended, counts again', () => {
    const memory = memoryOf();
    find(whole, memory);
    find('{', memory);
    expect(policyOf(find('{ "sluice.tools.deny": ["fetch"] }', memory)!.layer)).toMatchObject({ settings: { toolsDeny: ['fetch'], profile: 'coding' }, problems: [] });
  });
});

describe('the person\'s own file', () => {
  const OWN = 'file:///home/settings.json';
  const memory = memoryOf();
  const own = (text: string | undefined, fromEditor: Record<string, unknown>, held = false, over: LastGood = memory) => ownLayer(OWN, fromEditor, { read: () => text, memory: over, held });
  const good = { 'tools.deny': ['run_*'], 'network.policy': 'allow', 'model.name': 'm' };
  const goodText = '{ "sluice.tools.deny": ["run_*"], "sluice.network.policy": "allow", "sluice.model.name": "m" }';
  const merge = (layer: Layer): Policy => mergeLayers([layer], true, sha256);

  it('half-saved drops no deny, also while the editor still has what it read of the half', () => {
    expect(own(goodText, good)).toMatchObject({ broken: false, layer: { values: good } });
    expect(own('', {})).toMatchObject({ broken: true, layer: { values: good } });
    const half = own(goodText.slice(0, 20), {});
    expect([half.broken, merge(half.layer).settings.toolsDeny, merge(half.layer).settings.networkPolicy]).toEqual([true, ['run_*'], 'allow']);
    expect(merge(half.layer).problems[0]!.message).toContain('what they said before is in force');
    expect(own(goodText, {}, true)).toMatchObject({ broken: true, layer: { values: good } });
    expect(own(goodText, good, true)).toMatchObject({ broken: false });
    expect(own(goodText, { profile: 'full' }, false)).toMatchObject({ broken: false, layer: { values: { profile: 'full' } } });
  });

  it('broken and never seen before closes, except for what is the person\'s alone', () => {
    const { layer } = own('{ "sluice.network.policy": "allow" "sluice.model.name": "m" }', { 'network.policy': 'allow', 'model.name': 'm', profile: 'full' }, false, memoryOf());
    expect(merge(layer).settings).toMatchObject({ networkPolicy: 'deny', profile: 'minimal', modelName: 'm' });
  });

  it('missing, empty or elsewhere: the editor\'s values', () => {
    for (const layer of [own(undefined, good).layer, own('', good, false, memoryOf()).layer, ownLayer(undefined, good, { read: () => '{', memory, held: true }).layer]) expect(layer).toEqual({ name: 'user', values: good });
  });
});

describe('problems at their line', () => {
  const text = '{\r\n  "sluice.profile": "all",\r\n  "sluice.approval.writes": "auto",\r\n  "sluice.sandbox.enabled": false,\r\n  "sluice.tools.deny": ["a b"]\r\n}\r\n';

  it('names what is wanted and what is in force, with the severity of each kind', () => {
    const { found, layer } = find(text)!;
    const located = policyOf(layer).problems.map((problem) => locateProblem(problem, found)).toSorted((a, b) => a.start.line - b.start.line);
    expect(located.map(({ start, end, severity, code }) => [start.line, start.character, end.line, severity, code])).toEqual([
      [1, 2, 1, 'warning', 'invalid'], [2, 2, 2, 'information', 'loosening'], [3, 2, 3, 'information', 'ignored'], [4, 2, 4, 'warning', 'invalid'],
    ]);
    expect(located[0]!.message).toMatch(/expected one of "minimal"\|"messaging"\|"coding"\|"full".*"minimal" is in force until it is mended\.$/);
    expect(located[1]!.message).toMatch(/"preview" stays in force\. To decide, run "Sluice: Review Workspace Policy\.\.\."\.$/);
    expect(located[2]!.message).toMatch(/only your own settings can set it/);
    expect(located[3]!.message).toMatch(/entry 1.*\["\*"\] is in force until it is mended/);
    expect([lineOf(found, 'profile'), lineOf(found, 'tools.deny'), lineOf(found, 'network.policy')]).toEqual([2, 5, undefined]);
  });

  it('shows the first error of a file that cannot be read', () => {
    const { found, layer } = find('{\n  "sluice.profile": "full"\n  "sluice.tools.deny": []\n}\n')!;
    const [problem] = policyOf(layer).problems.map((one) => locateProblem(one, found));
    expect(problem).toMatchObject({ start: { line: 2, character: 2 }, severity: 'error', code: 'unreadable' });
    expect(problem!.message).toContain('it is not valid JSON (comma expected)');
    const cut = find('{ "sluice.profile": "full"')!;
    const [end] = policyOf(cut.layer).problems.map((one) => locateProblem(one, cut.found));
    expect(end!.end.character - end!.start.character).toBe(1);
  });
});

describe('the memory', () => {
  it('survives a restart, is revocable and takes nothing for granted', () => {
    const storage = new Storage();
    const memory = memoryOf(storage);
    memory.accept('sha256:a');
    memory.ring('sha256:a');
    memory.keep(FILE.place, { profile: 'full' });
    const again = memoryOf(storage);
    expect([[...again.accepted()], again.hasRung('sha256:a'), again.hasRung('sha256:b'), again.lastGood(FILE.place)]).toEqual([['sha256:a'], true, false, { profile: 'full' }]);
    again.revoke('sha256:a');
    expect([...memoryOf(storage).accepted()]).toEqual([]);
    storage.stored.set('sluice.policy.accepted', 'sha256:a');
    storage.stored.set('sluice.policy.lastGood', [1]);
    expect([[...memoryOf(storage).accepted()], memoryOf(storage).lastGood('0')]).toEqual([[], undefined]);
  });

  it('forgets the oldest answers, not the last', () => {
    const memory = memoryOf();
    for (let n = 0; n < 60; n += 1) memory.accept(`sha256:${n}`);
    expect([memory.accepted().size, memory.accepted().has('sha256:59'), memory.accepted().has('sha256:0')]).toEqual([50, true, false]);
  });
});
