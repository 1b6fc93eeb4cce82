/** Small differences that decide: what a broken copy of the chain got away with once. */
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { Granted } from '../../../../src/core/chain/grant.ts';
import { resolvedOf } from '../../../../src/core/chain/stages.ts';
import { refuse } from '../../../../src/core/refusal.ts';
import type { Risk } from '../../../../src/core/call.ts';
import { defineTool, type Tool } from '../../../../src/core/tool.ts';
import { TOOLS } from '../../../../src/tools/index.ts';
import { createSession, propose, say, ScriptedSource, toolCall, until } from '../../../fakes/session.ts';

/** A tool that touches nothing and does nothing; only what it says of itself counts. */
function odd(over: Partial<Tool>): Tool {
  return defineTool({
    name: 'odd', description: 'Odd.', schema: z.strictObject({}), capabilities: ['memory.write'], risk: 'write', profiles: ['coding'],
    resolve: async () => ({ subject: { verb: 'Do', target: 'it', form: 'text' }, resources: [], changes: [] }),
    run: async () => ({ status: 'succeeded', text: 'done', summary: 'done' }), ...over,
  });
}

async function asked(tool: Tool, settings: Record<string, unknown> = {}): Promise<readonly [asked: number, ran: number]> {
  const world = createSession({ over: { tools: [tool] }, settings });
  const source = new ScriptedSource([propose(toolCall(tool.name, {})), say('ok')]);
  const task = world.session.create('Do it', 'editor');
  const run = task.run(source);
  await until(() => world.surface.opened.length + world.executed.length > 0);
  task.stop();
  await run;
  return [world.surface.opened.length, world.executed.length];
}

describe('risk', () => {
  it.each<readonly [Risk, Record<string, unknown>, readonly [number, number]]>([
    ['read_only', {}, [0, 1]], ['write', {}, [1, 0]], ['write', { 'approval.writes': 'auto' }, [0, 1]], ['exec', {}, [1, 0]], ['exec', { 'approval.writes': 'auto' }, [1, 0]], ['dangerous', { 'approval.writes': 'auto' }, [1, 0]],
  ])('%s that no guard objects to, with %j', async (risk, settings, expected) => {
    expect(await asked(odd({ risk }), settings)).toEqual(expected);
  });

  it('a built-in name keeps its risk, whatever a tool of that name declares', async () => {
    expect(await asked(odd({ name: 'write_file', risk: 'read_only' }))).toEqual([1, 0]);
    expect(await asked(odd({ name: 'run_shell', risk: 'read_only' }))).toEqual([1, 0]);
    expect(await asked(odd({ name: 'hasOwnProperty', risk: 'dangerous' }))).toEqual([1, 0]);
  });
});

test('each part of a command is in its fingerprint, and so is who asks', async () => {
  const world = createSession({ files: { 'sub/a.txt': 'a' }, script: () => 'approve' });
  const base = { program: 'make', args: ['a b'] };
  const calls = [base, { ...base, args: ['a', 'b'] }, { ...base, cwd: 'sub' }, { ...base, timeout_seconds: 5 }, { ...base, timeout_seconds: 6 }, { ...base, program: 'Make' }];
  for (let task = 0; task < 2; task += 1) await world.play([...calls.map((args, n) => propose(toolCall('run_command', args, { id: `c${n}` }))), say('ok')]);
  expect(world.executed).toHaveLength(2 * calls.length);
  expect(new Set(world.executed.map(({ rated }) => resolvedOf(rated).fingerprint)).size).toBe(2 * calls.length);
});

test('the fingerprint of a change holds the bytes before and after', async () => {
  const fingerprint = async (before: string, after: string): Promise<string> => {
    const world = createSession({ files: { 'a.txt': before }, script: () => 'approve' });
    await world.play([propose(toolCall('write_file', { path: 'a.txt', content: after })), say('ok')]);
    expect(world.text('a.txt')).toBe(after);
    return resolvedOf(world.executed[0]!.rated).fingerprint;
  };
  expect(new Set([await fingerprint('a', 'b'), await fingerprint('c', 'b'), await fingerprint('a', 'd')]).size).toBe(3);
  expect(await fingerprint('a', 'b')).toBe(await fingerprint('a', 'b'));
});

test('a change that was stale did not run, also when that cannot be recorded', async () => {
  const world = createSession({ files: { 'a.txt': 'a\n' } });
  world.surface.script = () => {
    world.files.set('/w/a.txt', Buffer.from('mine\n'));
    return 'approve';
  };
  world.audit.refuse = ({ kind }) => kind === 'result';
  const { source } = await world.play([propose(toolCall('write_file', { path: 'a.txt', content: 'x' })), say('ok')]);
  expect(source.result('c1')).toMatch(/^Not run/);
  expect([world.executed.length, world.text('a.txt')]).toEqual([0, 'mine\n']);
});

test('a refusal while resolving asks nobody and is told in the tool\'s words', async () => {
  const tool = odd({ resolve: async () => refuse({ stage: 'resolve', code: 'not_applicable', forModel: 'Not run: there is no such thing.' }) });
  const world = createSession({ over: { tools: [tool] }, script: () => 'approve' });
  const { source } = await world.play([propose(toolCall('odd', {})), say('ok')]);
  expect(source.result('c1')).toBe('Not run: there is no such thing.');
  expect([world.surface.opened, world.executed, world.audit.outcomes()]).toEqual([[], [], ['not_applicable']]);
});

test('the grant that runs is one the gate made, for exactly what was judged', async () => {
  const world = createSession({ files: { 'a.txt': 'a' } });
  await world.play([propose(...['read_file', 'search_text'].map((tool, n) => toolCall(tool, n === 0 ? { path: 'a.txt' } : { pattern: 'a' }, { id: `c${n}` }))), say('ok')]);
  expect(world.executed.every((grant) => grant instanceof Granted && grant.spent)).toBe(true);
  expect(world.executed.map(({ rated }) => resolvedOf(rated).fingerprint)).toEqual(world.audit.decisions().map(({ fingerprint }) => fingerprint));
  expect(TOOLS.length).toBeGreaterThan(world.executed.length);
});
