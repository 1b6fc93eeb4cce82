import { readdirSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CAPABILITIES, PROFILES, RISKS, type Capability, type Risk } from '../../src/core/call.ts';
import { TOOLS } from '../../src/tools/index.ts';

/** The least risk that a capability implies. */
const LEAST_RISK: Readonly<Record<Capability, Risk>> = {
  'fs.read': 'read_only', 'editor.read': 'read_only', 'ui.ask': 'read_only',
  'fs.write': 'write', 'memory.write': 'write', 'message.send': 'write', 'schedule.create': 'write', 'network.outbound': 'write',
  'process.exec': 'exec', 'code.exec': 'exec', 'mcp.call': 'write', 'skill.install': 'dangerous',
};
const TOKEN_LIMIT = 1_300;

const prompts = TOOLS.map(({ name, description, schema }) => {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema) as Record<string, unknown>;
  return { name, description, parameters };
});

describe('the list of tools', () => {
  it('has one tool for every folder and one folder for every tool', () => {
    const folders = readdirSync(new URL('../../src/tools', import.meta.url), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name.replaceAll('-', '_')).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
  });

  it('has every name once', () => {
    expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(TOOLS.length);
  });

  it(`costs at most ${TOKEN_LIMIT} tokens a request`, () => {
    const sent = prompts.map((prompt) => ({ type: 'function', function: prompt }));
    expect(encode(JSON.stringify(sent)).length).toBeLessThanOrEqual(TOKEN_LIMIT);
  });

  it('offers reading and asking, and nothing else, in the minimal and messaging profiles', () => {
    for (const profile of ['minimal', 'messaging'] as const) {
      const offered = TOOLS.filter(({ profiles }) => profiles.includes(profile));
      expect(offered.map(({ risk }) => risk)).toEqual(offered.map(() => 'read_only'));
      expect(offered.length).toBe(6);
    }
    for (const profile of ['coding', 'full'] as const) expect(TOOLS.every(({ profiles }) => profiles.includes(profile))).toBe(true);
  });
});

describe.each(TOOLS.map((tool, index) => [tool.name, tool, prompts[index]!] as const))('%s', (_name, tool, prompt) => {
  it('has a name every provider takes and a short description', () => {
    expect(tool.name).toMatch(/^[a-z][a-z_]{2,40}$/);
    expect(tool.description.length).toBeGreaterThan(20);
    expect(tool.description.length).toBeLessThanOrEqual(200);
  });

  it('has a strict object schema that every provider takes', () => {
    expect(prompt.parameters).toMatchObject({ type: 'object', additionalProperties: false });
    const text = JSON.stringify(prompt.parameters);
    for (const odd of ['prefixItems', '"anyOf"', '"allOf"', '$ref', '9007199254740991', 'pattern":"^']) expect(text).not.toContain(odd);
  });

  it('bounds every string and list', () => {
    const unbounded: string[] = [];
    const visit = (node: unknown, where: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { type, maxLength, maxItems, maximum } = node as Record<string, unknown>;
      if (type === 'string' && maxLength === undefined) unbounded.push(where);
      if (type === 'array' && maxItems === undefined) unbounded.push(where);
      if ((type === 'number' || type === 'integer') && maximum === undefined) unbounded.push(where);
      for (const [key, inner] of Object.entries(node)) visit(inner, `${where}.${key}`);
    };
    visit(prompt.parameters, tool.name);
    expect(unbounded).toEqual([]);
  });

  it('declares what it can do, and at least the risk of that', () => {
    expect(tool.capabilities.length).toBeGreaterThan(0);
    expect(tool.capabilities.every((capability) => CAPABILITIES.includes(capability))).toBe(true);
    const least = Math.max(...tool.capabilities.map((capability) => RISKS.indexOf(LEAST_RISK[capability])));
    expect(RISKS.indexOf(tool.risk)).toBeGreaterThanOrEqual(least);
    expect(tool.profiles.every((profile) => PROFILES.includes(profile))).toBe(true);
  });
});
