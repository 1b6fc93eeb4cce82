import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { judgeRule } from '../../../src/guards/shell/guards.ts';
import { SHELL_RULES } from '../../../src/guards/shell/rules.ts';
import { PLACE, SETTING, useEngine } from './engine.ts';

const { engine } = useEngine();

describe('every rule about commands', () => {
  it('is in the list, once, under the name of its file', () => {
    const folder = fileURLToPath(new URL('../../../src/guards/shell/rules/', import.meta.url));
    const files = readdirSync(folder).filter((name) => !name.startsWith('list-')).map((name) => `shell/${name.replace('.ts', '')}`);
    expect(SHELL_RULES.map(({ id }) => id).sort()).toEqual(files.sort());
  });

  it('gives its reason in plain words, without a full stop or the names of our own code', () => {
    for (const rule of SHELL_RULES) {
      expect(rule.reason, rule.id).toMatch(/^[A-Z][^.!]+[^.!]$/);
      expect(rule.reason, rule.id).not.toMatch(/[a-z][A-Z]|_|segment|concern|regex/);
    }
  });

  for (const rule of SHELL_RULES) {
    for (const line of rule.examples.hit) {
      it(`${rule.id} finds ${JSON.stringify(line)}`, () => {
        const finding = judgeRule(rule, engine.analyse(line, PLACE, 'bash'), SETTING);
        expect(finding?.rule).toBe(rule.id);
        expect(finding?.action === 'ask' || finding?.action === 'deny').toBe(true);
      });
    }
    for (const line of rule.examples.miss) {
      it(`${rule.id} lets ${JSON.stringify(line)} be`, () => {
        expect(judgeRule(rule, engine.analyse(line, PLACE, 'bash'), SETTING)).toBeUndefined();
      });
    }
  }
});
