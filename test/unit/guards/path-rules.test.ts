import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { resolvePath } from '../../../src/core/command/place.ts';
import { judgePath } from '../../../src/guards/path/guards.ts';
import { PATH_RULES } from '../../../src/guards/path/rules.ts';
import type { PathExample, PathSubject } from '../../../src/guards/path/subject.ts';
import { PLACE } from './engine.ts';

function subject({ operation, path, uncertain = false, leads }: PathExample): PathSubject {
  const written = path.startsWith('~') ? `${PLACE.home}${path.slice(1)}` : path;
  return { operation, place: PLACE, by: 'tool', target: { asked: path, uncertain, glob: /[*?[]/.test(path), ...(leads === undefined ? resolvePath(written, PLACE.cwd, PLACE) : { real: leads, linked: true }) } };
}

describe('every rule about paths', () => {
  it('is in the list, once, under the name of its file, with examples of both kinds', () => {
    const files = readdirSync(fileURLToPath(new URL('../../../src/guards/path/rules/', import.meta.url))).filter((name) => !name.startsWith('list-')).map((name) => `path/${name.replace('.ts', '')}`);
    expect(PATH_RULES.map(({ id }) => id).toSorted()).toEqual(files.toSorted());
    for (const { id, examples } of PATH_RULES) expect([id, examples.hit.length > 0, examples.miss.length > 0]).toEqual([id, true, true]);
  });

  it('has a stable name', () => {
    for (const rule of PATH_RULES) expect(rule.id).toMatch(/^path\/[a-z-]+$/);
    expect(new Set(PATH_RULES.map(({ id }) => id)).size).toBe(PATH_RULES.length);
  });

  for (const rule of PATH_RULES) {
    for (const example of rule.examples.hit) {
      it(`${rule.id} finds ${example.operation} ${JSON.stringify(example.path)}`, () => {
        expect(judgePath(rule, subject(example))?.rule).toBe(rule.id);
      });
    }
    for (const example of rule.examples.miss) {
      it(`${rule.id} lets ${example.operation} ${JSON.stringify(example.path)} be`, () => {
        expect(judgePath(rule, subject(example))).toBeUndefined();
      });
    }
  }
});

describe('paths and links', () => {
  const linked = (links: Record<string, string>) => ({ ...PLACE, link: (path: string): string | undefined => links[path] });

  it('follows a link before it goes up', () => {
    expect(resolvePath('link/../file', PLACE.cwd, linked({ '/workspace/project/link': '/outside/dir' })).real).toBe('/outside/file');
  });
  it('follows a relative link from its own folder', () => {
    expect(resolvePath('a/link/x', PLACE.cwd, linked({ '/workspace/project/a/link': '../b' })).real).toBe('/workspace/project/b/x');
  });
  it('ends in a circle of links', () => {
    expect(resolvePath('a', PLACE.cwd, linked({ '/workspace/project/a': 'b', '/workspace/project/b': 'a' })).linked).toBe(true);
  });
  it('never leaves the root upwards', () => {
    expect(resolvePath('../../../../../etc/passwd', PLACE.cwd, PLACE).real).toBe('/etc/passwd');
  });
});
