import { expect, it } from 'vitest';
import { mergeLayers } from '../../../../src/core/policy/layers.ts';
import { whyHidden } from '../../../../src/core/policy/profiles.ts';
import { TOOLS } from '../../../../src/tools/index.ts';

it('patterns that a workspace brings cost no time', () => {
  const deny = Array.from({ length: 200 }, (_, n) => `${'{a,b}'.repeat(19)}${n}`);
  const policy = mergeLayers([{ name: 'workspace', values: { 'tools.deny': deny } }], true, () => '0');
  expect(policy.settings.toolsDeny).toHaveLength(200);
  const started = performance.now();
  const hidden = TOOLS.filter((tool) => whyHidden(tool, { policy, channel: 'editor' }) !== undefined);
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(hidden).toEqual([]);
});
