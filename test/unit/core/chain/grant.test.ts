/** The grant: the only thing that executes, once. */
import { describe, expect, it } from 'vitest';
import { executeCall } from '../../../../src/core/chain/09-execute.ts';
import { Granted } from '../../../../src/core/chain/grant.ts';
import { createSession, propose, say, toolCall } from '../../../fakes/session.ts';

const hooks = { signal: new AbortController().signal, onOutput: () => undefined };

/** A spent grant as the gate made it, a fresh one for the same call, and the world to run it in. */
async function granted() {
  const world = createSession({ script: () => 'approve' });
  await world.play([propose(toolCall('run_command', { program: 'make', args: [] })), say('ok')]);
  const [spent] = world.executed;
  const execute = (grant: Granted) => executeCall({ granted: grant }, world.parts.execution, world.parts.reading, hooks);
  return { world, spent: spent!, fresh: Granted.issue(spent!.rated, spent!.decider), execute, runs: () => world.runner.runs.length - 1 };
}

describe('Granted', () => {
  it.each<readonly [string, (grant: Granted) => unknown]>([
    ['a spread', (grant) => ({ ...grant })],
    ['a spread with the method', (grant) => ({ ...grant, spend: grant.spend })],
    ['a hand-made one that always says yes to itself', (grant) => Object.assign(Object.create(null) as object, { rated: grant.rated, decider: grant.decider, spend: Granted.prototype.spend })],
    ['Object.create of one', (grant) => Object.create(grant) as unknown],
    ['Object.create of the prototype', (grant) => Object.assign(Object.create(Granted.prototype) as object, { rated: grant.rated, decider: grant.decider })],
    ['a JSON copy', (grant) => JSON.parse(JSON.stringify(grant)) as unknown],
    ['a proxy', (grant) => new Proxy(grant, {})],
    ['an object with its prototype set', (grant) => Object.setPrototypeOf({ rated: grant.rated, decider: grant.decider }, Granted.prototype) as unknown],
    ['nothing', () => undefined],
  ])('%s executes nothing', async (_name, forge) => {
    const { spent, fresh, execute, runs } = await granted();
    await expect(execute(forge(fresh) as Granted)).rejects.toThrow(TypeError);
    expect(runs()).toBe(0);
    expect([spent.spent, fresh.spent]).toEqual([true, false]);
  });

  it('runs once; a second run is refused', async () => {
    const { fresh, execute, runs } = await granted();
    expect(await execute(fresh)).toMatchObject({ status: 'succeeded' });
    expect(await execute(fresh)).toMatchObject({ refused: true, code: 'internal_error' });
    expect(runs()).toBe(1);
  });

  it('runs once when two start at the same time', async () => {
    const { fresh, execute, runs } = await granted();
    const ends = await Promise.all([execute(fresh), execute(fresh), execute(fresh)]);
    expect(ends.filter((end) => 'refused' in end)).toHaveLength(2);
    expect(runs()).toBe(1);
  });

  it('the one that the task used is spent', async () => {
    const { spent, execute, runs } = await granted();
    expect(await execute(spent)).toMatchObject({ refused: true });
    expect(runs()).toBe(0);
  });

  it('a wrong fingerprint neither spends it nor runs', async () => {
    const { fresh, spent } = await granted();
    const { fingerprint } = fresh.rated.elevated.guarded.resolved;
    for (const wrong of ['', `${fingerprint} `, fingerprint.toUpperCase(), fingerprint.slice(0, -1), undefined]) {
      expect(fresh.spend(wrong as string)).toBe(false);
    }
    expect(fresh.spent).toBe(false);
    expect([fresh.spend(fingerprint), fresh.spend(fingerprint), fresh.spent]).toEqual([true, false, true]);
    expect(spent.spend(fingerprint)).toBe(false);
  });

  it('an aborted start spends nothing', async () => {
    const { world, fresh, runs } = await granted();
    const end = await executeCall({ granted: fresh }, world.parts.execution, world.parts.reading, { ...hooks, signal: AbortSignal.abort() });
    expect(end).toMatchObject({ refused: true, code: 'cancelled' });
    expect([fresh.spent, runs()]).toEqual([false, 0]);
  });
});
