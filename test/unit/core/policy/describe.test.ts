/** The pages about policy, word for word where a person decides. */
import { expect, it } from 'vitest';
import { effectiveText, lineSentence, reviewText, type NameOf } from '../../../../src/core/policy/describe.ts';
import { mergeLayers, type Layer } from '../../../../src/core/policy/layers.ts';
import { SETTINGS } from '../../../../src/core/policy/schema.ts';
import { sha256 } from '../../../../src/host/system.ts';

const nameOf: NameOf = (place, key) => (place === undefined ? undefined : `.vscode/settings.json${key === undefined ? '' : ', line 3'}`);
const LAYERS: readonly Layer[] = [
  { name: 'user', values: { 'approval.writes': 'preview', 'model.name': 'm' } },
  { name: 'workspace', place: 'file:///w', values: { 'network.policy': 'allow', 'tools.deny': ['run_*'], 'sandbox.enabled': false } },
];
const [nothing, , everything] = SETTINGS.networkPolicy.valueDescriptions!;
const policyOf = (accept: boolean, trusted = true) => {
  const { consentKey } = mergeLayers(LAYERS, trusted, sha256);
  return mergeLayers(LAYERS, trusted, sha256, { workspace: '', accepted: new Set(accept ? [consentKey!] : []) });
};

it('the page of a decision: both values, what the workspace\'s would allow, and where it stands', () => {
  expect(reviewText(policyOf(false), nameOf)).toBe(`This workspace's settings would allow more than yours do.
None of these lines is in force. Your own values hold until you allow them.

sluice.network.policy
  Yours      "deny"   ${nothing}
  Workspace  "allow"  ${everything}
  Set in     .vscode/settings.json, line 3

✓ in the title of this tab asks once more, then allows exactly these lines, here only, until one of them changes.
✗ keeps your settings. Closing the tab decides nothing.
`);
  expect(reviewText(policyOf(true), nameOf)).toContain('These lines are in force in this workspace.');
  expect(reviewText(policyOf(false, false), nameOf)).toContain('there is nothing to decide');
  expect(lineSentence(policyOf(false).loosening[0]!)).toBe(`sluice.network.policy: "allow" instead of "deny". ${everything}`);
});

it('every effective value stands with its source, the floor and what is not used', () => {
  const text = effectiveText(policyOf(false), nameOf);
  expect(text).toMatch(/sluice\.network\.policy +"deny" +\(default\)/);
  expect(text).toMatch(/sluice\.tools\.deny +\["run_\*"\] +\(workspace, stricter\)/);
  expect(text).toMatch(/sluice\.model\.name +"m" +\(your settings\)/);
  expect(text).toMatch(/floor +built in: hard blocks/);
  expect(text).toContain('.vscode/settings.json, line 3: sluice.sandbox.enabled in the workspace is ignored: only your own settings can set it');
  expect(text).toContain('Not in force: 1 line of the workspace that allows more than your settings.');
  expect(effectiveText(policyOf(true), nameOf)).toMatch(/sluice\.network\.policy +"allow" +\(workspace, allowed by you\)/);
  expect(effectiveText(policyOf(true, false), nameOf)).toMatch(/Restricted Mode[\s\S]*sluice\.network\.policy +"deny" +\(default\)/);
});

it('hidden characters of a value are drawn', () => {
  expect(lineSentence({ key: 'k', layer: 'workspace', place: undefined, from: [], to: ['a\u202Eb'], effect: 'Adds a\u202Eb.' })).not.toMatch(/\u202E/);
});
