/** No path that leads outside is judged inside: against a file system walked in another way, and against the real one. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMadeUpReading } from '../../../src/cli/made-up.ts';
import { createReading } from '../../../src/host/reading.ts';

const ROOT = '/workspace/project';
const LINKS: Readonly<Record<string, string>> = {
  [`${ROOT}/out`]: '/etc', [`${ROOT}/up`]: '..', [`${ROOT}/in`]: 'src/deep', [`${ROOT}/src/back`]: '../..', [`${ROOT}/chain`]: 'out', [`${ROOT}/self`]: '.', [`${ROOT}/home`]: '/home/user',
  [`${ROOT}/beside`]: '/workspace/project-evil', [`${ROOT}/round`]: '/workspace/again', '/workspace/again': 'project', '/tmp/door': ROOT, [`${ROOT}/loop`]: 'loop',
};
const NAMES = ['..', '..', '..', '.', '', 'src', 'deep', 'out', 'up', 'in', 'back', 'chain', 'self', 'home', 'beside', 'round', 'again', 'project', 'project-evil', 'workspace', 'etc', 'passwd', 'tmp', 'door', 'loop', 'a.ts', '...', ' ', 'Project', '..a', '~'];
const STARTS = ['', '', '', '/', '/workspace/project/', '/workspace/project', '/workspace/', '/tmp/door/', '~/', './', '../', '//', '/workspace/project-evil/'];

/** A small generator with a seed, so that a failure can be seen again. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function pathFrom(next: (below: number) => number): string {
  const parts = Array.from({ length: 1 + next(7) }, () => NAMES[next(NAMES.length)] ?? '');
  return `${STARTS[next(STARTS.length)] ?? ''}${parts.join('/')}`;
}

/** The oracle: one component at a time, by recursion over strings; undefined for a circle. */
function walked(base: string, rest: readonly string[], budget: number): string | undefined {
  const [part, ...others] = rest;
  if (part === undefined) return base === '' ? '/' : base;
  if (part === '' || part === '.') return walked(base, others, budget);
  if (part === '..') return walked(base.slice(0, Math.max(0, base.lastIndexOf('/'))), others, budget);
  const target = LINKS[`${base}/${part}`];
  if (target === undefined) return walked(`${base}/${part}`, others, budget);
  if (budget === 0) return undefined;
  return walked(target.startsWith('/') ? '' : base, [...target.split('/'), ...others], budget - 1);
}

function truth(asked: string): string | undefined {
  const full = asked === '~' ? '/home/user' : asked.startsWith('~/') ? `/home/user/${asked.slice(2)}` : asked.startsWith('/') ? asked : `${ROOT}/${asked}`;
  return walked('', full.split('/'), 40);
}

describe('100,000 paths over a made-up file system', () => {
  it('none outside is judged inside, and none inside outside', async () => {
    const reading = createMadeUpReading({ workspaces: [ROOT], home: '/home/user', platform: 'linux', links: LINKS, text: () => undefined });
    const next = random(20_261_201);
    let inside = 0;
    let outside = 0;
    for (let count = 0; count < 100_000; count += 1) {
      const asked = pathFrom(next);
      if (asked === '') continue;
      const real = truth(asked);
      const found = await reading.locate(asked, 'read');
      const within = real !== undefined && (real === ROOT || real.startsWith(`${ROOT}/`));
      if (real === undefined) continue;
      if (within !== (found.folder !== undefined) || (found.relative !== undefined) !== within || found.real !== real) expect([asked, found.real, found.folder]).toEqual([asked, real, within ? ROOT : undefined]);
      if (within) inside += 1;
      else outside += 1;
    }
    expect([inside > 20_000, outside > 20_000]).toEqual([true, true]);
  });
});

describe('3,000 paths over a real one', () => {
  const held: { base: string } = { base: '' };
  beforeAll(() => {
    held.base = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-paths-')));
    for (const folder of ['workspace/project/src/deep', 'workspace/project-evil', 'etc', 'home/user']) mkdirSync(join(held.base, folder), { recursive: true });
    for (const [at, target] of Object.entries(LINKS)) {
      if (at.startsWith('/workspace/')) symlinkSync(target.startsWith('/') ? join(held.base, target) : target, join(held.base, at));
    }
  });
  afterAll(() => { rmSync(held.base, { recursive: true, force: true }); });

  it('every one is judged by the place that is opened, and that place is real', async () => {
    const root = join(held.base, ROOT);
    const reading = createReading({ folders: () => [root], home: join(held.base, 'home/user'), platform: process.platform });
    const next = random(7);
    let compared = 0;
    for (let count = 0; count < 3_000; count += 1) {
      const parts = Array.from({ length: 1 + next(6) }, () => NAMES[next(NAMES.length)] ?? '').join('/');
      const asked = parts.startsWith('/') || parts.startsWith('~') || parts === '' ? `./${parts}` : parts;
      const found = await reading.locate(asked, 'read');
      if (found.fileKind === 'missing' || found.fileKind === 'other') continue;
      compared += 1;
      // What is opened is `real`, not what was asked: it has to be the last word of the system about itself.
      expect([asked, realpathSync.native(found.real)]).toEqual([asked, found.real]);
      expect([asked, found.folder !== undefined]).toEqual([asked, found.real === root || found.real.startsWith(`${root}/`)]);
    }
    expect(compared).toBeGreaterThan(200);
  });
});
