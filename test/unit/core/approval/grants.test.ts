import { describe, expect, it } from 'vitest';
import { actionKey, mayStand, SessionGrants } from '../../../../src/core/approval/grants.ts';
import type { Rated } from '../../../../src/core/chain/stages.ts';
import { sha256 } from '../../../../src/host/system.ts';
import { runShell } from '../../../../src/tools/run-shell/run-shell.ts';
import { command, fileChange, pathResource } from './card-samples.ts';
import { rated } from './rated.ts';

const NPM = rated('npm test');
const key = (call: Rated): string => actionKey(call, sha256);

function granted(call: Rated): SessionGrants {
  const grants = new SessionGrants();
  grants.give(call, 'this session: npm test in sample', 5, sha256);
  return grants;
}

describe('a grant for the session', () => {
  it('covers exactly the same again, in any task and under any call name, and counts it', () => {
    const grants = granted(NPM);
    expect(grants.use(rated('npm test', { task: 'another', callId: 'call_9' }), sha256)?.uses).toBe(1);
    expect(grants.use(NPM, sha256)?.uses).toBe(2);
    expect(grants.list()).toEqual([{ key: key(NPM), covers: 'this session: npm test in sample', confinement: 'sandboxed', givenAt: 5, uses: 2 }]);
  });

  it.each<[string, Rated]>([
    ['one argument more', rated('npm test --force')],
    ['one argument less', rated('npm')],
    ['the same words split otherwise', rated('npm test', { resources: [command('npm test', { argv: ['npm test'] })] })],
    ['the same line in a shell', rated('npm test', { resources: [command('npm test', { form: 'shell', argv: [] })], tool: runShell })],
    ['another folder', rated('npm test', { resources: [command('npm test', { cwd: pathResource({ relative: 'other' }) })] })],
    ['a command more', rated('npm test', { resources: [command('npm test'), command('npm test').cwd, command('rm x')] })],
    ['without confinement', rated('npm test', { confinement: 'unconfined' })],
    ['capital letters', rated('NPM test')],
    ['a blank more', rated('npm test', { resources: [command('npm test', { line: 'npm  test' }), command('npm test').cwd] })],
  ])('does not cover %s', (_, other) => {
    expect(granted(NPM).use(other, sha256)).toBeUndefined();
  });

  it.each<[string, Rated]>([
    ['a dangerous call', rated('npm test', { risk: 'dangerous' })],
    ['a call outside the sandbox', rated('npm test', { confinement: 'unconfined' })],
    ['a call that needs no confinement', rated('npm test', { confinement: 'none_needed' })],
    ['a change', rated('npm test', { changes: [fileChange()] })],
    ['a sensitive finding', rated('npm test', { findings: [{}, { sensitive: true }] })],
    ['a denial', rated('npm test', { findings: [{ action: 'deny' }] })],
    ['a denial among others', rated('npm test', { findings: [{}, { action: 'deny' }] })],
  ])('is neither given nor used for %s', (_, call) => {
    expect(mayStand(call)).toBe(false);
    expect(granted(call).list()).toEqual([]);
    const before = granted(NPM);
    expect(before.use(call, sha256)).toBeUndefined();
    expect(before.list()[0]?.uses).toBe(0);
  });

  it('covers the time limit that was shown and shorter ones', () => {
    const within = (timeoutMs: number): Rated => rated('npm test', { resources: [command('npm test', { timeoutMs }), command('npm test').cwd] });
    const grants = granted(within(60_000));
    expect(grants.use(within(60_001), sha256)).toBeUndefined();
    expect(grants.use(within(60_000), sha256)?.uses).toBe(1);
    expect(grants.use(within(1), sha256)?.uses).toBe(2);
  });

  it('ends when it is revoked, once', () => {
    const grants = granted(NPM);
    expect(grants.revoke('sha256:none')).toBe(false);
    expect(grants.revoke(key(NPM))).toBe(true);
    expect(grants.revoke(key(NPM))).toBe(false);
    expect(grants.use(NPM, sha256)).toBeUndefined();
    expect(grants.list()).toEqual([]);
  });

  it('the oldest makes room when there are too many', () => {
    const grants = new SessionGrants();
    for (let n = 0; n <= SessionGrants.LIMIT; n += 1) grants.give(rated(`npm run t${n}`), `t${n}`, n, sha256);
    expect(grants.list()).toHaveLength(SessionGrants.LIMIT);
    expect(grants.use(rated('npm run t0'), sha256)).toBeUndefined();
    expect(grants.use(rated('npm run t1'), sha256)?.covers).toBe('t1');
    expect(grants.use(rated(`npm run t${SessionGrants.LIMIT}`), sha256)).toBeDefined();
  });

  it('given again counts anew and makes no second one', () => {
    const grants = granted(NPM);
    grants.use(NPM, sha256);
    grants.give(NPM, 'again', 9, sha256);
    expect(grants.list().map(({ covers, uses }) => [covers, uses])).toEqual([['again', 0]]);
  });

  it('what was listed before does not change afterwards', () => {
    const grants = granted(NPM);
    const before = grants.list();
    grants.use(NPM, sha256);
    expect(before[0]?.uses).toBe(0);
  });
});

describe('the same action', () => {
  it('counts the bytes of a change', () => {
    const one = rated('x', { resources: [], changes: [fileChange({ afterDigest: 'sha256:1' })] });
    const other = rated('x', { resources: [], changes: [fileChange({ afterDigest: 'sha256:2' })] });
    expect(key(one)).not.toBe(key(other));
  });

  it('counts the arguments of a call that touches nothing', () => {
    const ask = (question: string): Rated => rated('x', { resources: [], args: { question } });
    expect(key(ask('a'))).not.toBe(key(ask('b')));
    expect(key(ask('a'))).toBe(key(ask('a')));
  });

  it('counts whether it runs in the sandbox', () => {
    expect(key(rated('npm test', { confinement: 'unconfined' }))).not.toBe(key(NPM));
  });

  it('counts whether a path is read or written', () => {
    const at = (operation: 'read' | 'write'): Rated => rated('x', { resources: [pathResource({ operation })] });
    expect(key(at('read'))).not.toBe(key(at('write')));
  });
});
