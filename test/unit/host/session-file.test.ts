import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TaskRecord } from '../../../src/core/agent/session-parts.ts';
import { SessionFile, takeLeftover, type SessionState } from '../../../src/host/session-file.ts';
import type * as stateFile from '../../../src/sandbox/state-file.ts';
import { request } from '../core/approval/broker-world.ts';

/** Failures that the next writes meet instead of the disk, in order. */
const disk = vi.hoisted(() => ({ faults: [] as (Error | undefined)[], writes: 0 }));
vi.mock('../../../src/sandbox/state-file.ts', async (original) => {
  const real = await original<typeof stateFile>();
  return {
    ...real,
    replaceFile: (path: string, text: string): Promise<void> => {
      disk.writes += 1;
      const fault = disk.faults.shift();
      return fault === undefined ? real.replaceFile(path, text) : Promise.reject(fault);
    },
  };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-session-'));
  disk.faults = [];
  disk.writes = 0;
});
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

const task = (title: string): TaskRecord => ({
  id: 'task_1', title, channel: 'editor', createdAt: 1, end: 'running',
  messages: [{ role: 'user', text: title }, { role: 'assistant', text: '', calls: [{ id: 'call_1', tool: 'read_file', argumentsText: '{}', complete: true }] }],
});
const read = (file: SessionFile): SessionState => JSON.parse(readFileSync(file.path, 'utf8')) as SessionState;
const nobody = (): boolean => false;
const everybody = (): boolean => true;

function leave(name: string, state: unknown): string {
  const path = join(folder, `session-${name}.json`);
  writeFileSync(path, typeof state === 'string' ? state : JSON.stringify(state));
  return path;
}
const state = (over: Partial<SessionState> = {}): SessionState => ({ session: 's', pid: 4_242, released: false, savedAt: 1, task: task('t'), pending: [request('a')], ...over });

describe('saving', () => {
  it('a save resolves when that state, or a later one, is on disk', async () => {
    const file = new SessionFile(folder, 'one', 1);
    await file.save([request('a')]);
    expect(read(file)).toMatchObject({ session: 'one', pid: 1, released: false, pending: [{ id: 'a' }] });
    await file.saveTask(task('first'));
    expect(read(file)).toMatchObject({ task: { title: 'first' }, pending: [{ id: 'a' }] });
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  it('many at once: the last state wins, each was on disk when it resolved, and they share writes', async () => {
    const file = new SessionFile(folder, 'one', 1);
    const seen: [number, number][] = [];
    await Promise.all(Array.from({ length: 50 }, async (_, n) => {
      await file.saveTask(task(String(n)));
      seen.push([n, Number(read(file).task?.title)]);
    }));
    expect(read(file).task?.title).toBe('49');
    expect(seen).toHaveLength(50);
    expect(seen.filter(([wanted, found]) => found < wanted)).toEqual([]);
    expect(disk.writes).toBeLessThanOrEqual(3);
    expect(readdirSync(folder)).toEqual(['session-one.json']);
  });

  it('random mixes of saves end with the last of each kind', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.record({ pending: fc.boolean(), waits: fc.boolean() }), { minLength: 1, maxLength: 12 }), async (steps) => {
      const file = new SessionFile(folder, 'mix', 1);
      const open: Promise<void>[] = [];
      for (const [n, { pending, waits }] of steps.entries()) {
        const done = pending ? file.save([request(`r${n}`)]) : file.saveTask(task(`t${n}`));
        open.push(done);
        if (waits) await done;
      }
      await Promise.all(open);
      const last = (wanted: boolean): number => steps.findLastIndex(({ pending }) => pending === wanted);
      const { pending, task: kept } = read(file);
      expect([pending[0]?.id, kept?.title]).toEqual([last(true) < 0 ? undefined : `r${last(true)}`, last(false) < 0 ? undefined : `t${last(false)}`]);
    }), { numRuns: 60 });
  });

  it('a failure rejects its own save and not the one that waits behind it', async () => {
    const file = new SessionFile(folder, 'one', 1);
    disk.faults = [new Error('disk full')];
    const ends = await Promise.allSettled([file.saveTask(task('lost')), file.saveTask(task('kept')), file.save([])]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(read(file).task?.title).toBe('kept');
  });

  it('a failure of a later write rejects those that waited for it, and the next save goes on', async () => {
    const file = new SessionFile(folder, 'one', 1);
    disk.faults = [undefined, new Error('disk full')];
    const ends = await Promise.allSettled([file.saveTask(task('a')), file.saveTask(task('b')), file.saveTask(task('c'))]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(read(file).task?.title).toBe('a');
    await file.save([]);
    expect(read(file).task?.title).toBe('c');
  });

  it('after its release nothing is written over what waited', async () => {
    const file = new SessionFile(folder, 'one', 1);
    await file.save([request('a')]);
    const released = file.release();
    await Promise.all([file.save([]), file.saveTask(task('late')), released]);
    expect(read(file)).toMatchObject({ released: true, pending: [{ id: 'a' }] });
    expect(read(file).task).toBeUndefined();
  });
});

describe('what an ended window left', () => {
  it('is the newest, and the older ones are removed with it', async () => {
    leave('old', state({ session: 'old', savedAt: 1 }));
    leave('new', state({ session: 'new', savedAt: 3 }));
    leave('middle', state({ session: 'middle', savedAt: 2 }));
    expect((await takeLeftover(folder, nobody))?.session).toBe('new');
    expect(readdirSync(folder)).toEqual([]);
    expect(await takeLeftover(folder, nobody)).toBeUndefined();
  });

  it('is never the state of a window that lives', async () => {
    const path = leave('alive', state());
    expect(await takeLeftover(folder, (pid) => pid === 4_242)).toBeUndefined();
    expect(existsSync(path)).toBe(true);
  });

  it('is the state of a window that closed in order, also while its process lives', async () => {
    leave('closed', state({ released: true }));
    expect((await takeLeftover(folder, everybody))?.pending.map(({ id }) => id)).toEqual(['a']);
  });

  it('comes back as it was saved', async () => {
    const file = new SessionFile(folder, 'one', 7);
    await file.saveTask(task('t'));
    await file.save([request('a')]);
    const kept = await takeLeftover(folder, nobody);
    expect(kept).toMatchObject({ session: 'one', pid: 7, released: false, task: task('t') });
    expect(kept?.pending).toEqual([JSON.parse(JSON.stringify(request('a')))]);
  });

  it.each<[string, unknown]>([
    ['nothing', ''], ['half a file', JSON.stringify(state()).slice(0, -20)], ['null', 'null'], ['a list', '[]'], ['a number', '5'],
    ['no pid', { ...state(), pid: 'x' }], ['no list of requests', { ...state(), pending: {} }], ['an empty request', { ...state(), pending: [null] }],
    ['a request without a call', { ...state(), pending: [{ id: 'a', task: 't' }] }], ['a task that is none', { ...state(), task: 5 }], ['a task that is null', { ...state(), task: null }],
    ['a task without messages', { ...state(), task: { ...task('t'), messages: undefined } }],
    ['a task with an unknown message', { ...state(), task: { ...task('t'), messages: [{ role: 'system', text: 'obey' }] } }],
    ['a task with an empty message', { ...state(), task: { ...task('t'), messages: [null] } }],
    ['a message without its calls', { ...state(), task: { ...task('t'), messages: [{ role: 'assistant', text: '' }] } }],
    ['a call without a name', { ...state(), task: { ...task('t'), messages: [{ role: 'assistant', text: '', calls: [{ id: 'x' }] }] } }],
    ['a result of no call', { ...state(), task: { ...task('t'), messages: [{ role: 'tool', text: '' }] } }],
    ['an unknown channel', { ...state(), task: { ...task('t'), channel: 'elsewhere' } }],
  ])('a file with %s is skipped, and the whole one beside it is taken', async (_, content) => {
    leave('bad', content);
    expect(await takeLeftover(folder, nobody)).toBeUndefined();
    leave('good', state({ session: 'good' }));
    expect((await takeLeftover(folder, nobody))?.session).toBe('good');
  });

  it('takes a file without a time, and only files of its own name', async () => {
    leave('untimed', { ...state({ session: 'untimed' }), savedAt: undefined });
    writeFileSync(join(folder, 'session-x.json.ab12.tmp'), JSON.stringify(state()));
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(state()));
    mkdirSync(join(folder, 'session-folder.json'));
    expect(await takeLeftover(folder, nobody)).toMatchObject({ session: 'untimed', savedAt: 0 });
    expect(readdirSync(folder).toSorted()).toEqual(['session-folder.json', 'session-x.json.ab12.tmp', 'settings.json']);
  });

  it('is nothing when the folder is missing', async () => {
    expect(await takeLeftover(join(folder, 'none'), nobody)).toBeUndefined();
  });

  it('never throws, whatever the file holds', async () => {
    await fc.assert(fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
      leave('any', text);
      await expect(takeLeftover(folder, everybody)).resolves.toBeUndefined();
    }), { numRuns: 100 });
  });
});
