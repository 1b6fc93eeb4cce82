/** Every loop is bounded, and a bound ends it with words. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { systemPrompt, toolPrompts } from '../../../../src/core/agent/prompt.ts';
import { filterToolsByPolicy } from '../../../../src/core/policy/profiles.ts';
import { TOOLS } from '../../../../src/tools/index.ts';
import { createSession, policyOf, propose, say, ScriptedSource, toolCall, until } from '../../../fakes/session.ts';

const read = (id: string) => toolCall('read_file', { path: 'a.txt' }, { id });
const many = (count: number, step = 0) => propose(...Array.from({ length: count }, (_, n) => read(`c${step}_${n}`)));

describe('step limit', () => {
  it.each([1, 3, 60])('%i answers of the model, then it waits and can go on', async (maxSteps) => {
    const world = createSession({ files: { 'a.txt': 'a' }, settings: { 'budget.steps': maxSteps } });
    const { source, how, text, task } = await world.play((_request, n) => many(1, n));
    expect([how, source.requests.length, world.executed.length]).toEqual(['step_limit', maxSteps, maxSteps]);
    expect(text).toContain(`Paused after ${maxSteps} answers`);
    expect((await task.run(source)).how).toBe('step_limit');
    expect(source.requests).toHaveLength(2 * maxSteps);
  });

  it('typing does not stretch it', async () => {
    const world = createSession({ settings: { 'budget.steps': 3 } });
    const task = world.session.create('Do it', 'editor');
    const source = new ScriptedSource(() => { task.queue('more'); return say('ok'); });
    expect((await task.run(source)).how).toBe('step_limit');
    expect(source.requests).toHaveLength(3);
  });
});

describe('fruitless calls', () => {
  it('one useful call starts the count anew', async () => {
    const world = createSession({ files: { 'a.txt': 'a' }, settings: { 'budget.steps': 20 } });
    const { how, source, text } = await world.play((_request, n) => (n % 5 === 4 ? many(1, n) : propose(toolCall('nothing', {}, { id: `u${n}` }))));
    expect([how, source.requests.length]).toEqual(['step_limit', 20]);
    expect(text).toMatch(/20 answers/);
  });

  it('they count one by one within a message, too', async () => {
    const world = createSession();
    const { how, source } = await world.play([propose(...Array.from({ length: 5 }, (_, n) => toolCall('nothing', {}, { id: `u${n}` })))]);
    expect([how, source.requests.length, world.audit.outcomes().length]).toEqual(['step_limit', 1, 5]);
  });
});

describe('calls', () => {
  it('of one message: 32 are looked at, each of the rest gets a result and a record and none is judged', async () => {
    const world = createSession({ files: { 'a.txt': 'a' } });
    const { source, how } = await world.play([many(40), say('ok')]);
    expect([how, world.executed.length]).toEqual(['finished', 32]);
    expect(world.audit.outcomes()).toEqual([...Array.from({ length: 32 }, () => 'allow'), ...Array.from({ length: 8 }, () => 'cancelled')]);
    expect(world.audit.decisions().at(-1)).toMatchObject({ callId: 'c0_39', stage: 'visibility', patternKey: 'too_many_calls', argsDigest: undefined });
    expect(source.result('c0_31')).toMatch(/^\[a\.txt/);
    expect(source.result('c0_32')).toBe('Not run: at most 32 calls fit into one message.');
    expect(source.result('c0_39')).toBe('Not run: at most 32 calls fit into one message.');
  });

  it('of one task: after 1,000 nothing runs any more, and the task pauses', async () => {
    const world = createSession({ files: { 'a.txt': 'a' }, settings: { 'budget.steps': 1_000 } });
    const { source, how, task } = await world.play((_request, n) => many(32, n));
    expect([how, world.executed.length]).toEqual(['step_limit', 1_000]);
    expect(world.audit.outcomes().filter((outcome) => outcome !== 'allow').every((outcome) => outcome === 'not_applicable')).toBe(true);
    expect(world.audit.decisions().at(-1)).toMatchObject({ stage: 'lease', patternKey: 'budget_exceeded' });
    await task.run(source);
    expect(world.executed).toHaveLength(1_000);
  });

  it('an approved call beyond the budget does not run either', async () => {
    const world = createSession({ files: { 'a.txt': 'a' }, settings: { 'budget.steps': 1_000 }, script: () => 'approve' });
    const make = toolCall('run_command', { program: 'make', args: [] }, { id: 'm' });
    const { source } = await world.play((_request, n) => (n * 25 < 1_000 ? many(25, n) : n === 40 ? propose(make) : say('ok')));
    expect(source.result('m')).toBe('Not run: this task has used its 1000 calls. Finish with what you have.');
    expect([world.runner.runs.length, world.executed.length]).toEqual([0, 1_000]);
  });
});

describe('what the person types while it runs', () => {
  it('joins before the next request, in order, once', async () => {
    const world = createSession({ files: { 'a.txt': 'a' }, script: () => undefined });
    const task = world.session.create('Do it', 'editor');
    const source = new ScriptedSource((_request, n) => (n === 0 ? propose(toolCall('run_command', { program: 'make', args: [] })) : say('ok')));
    const run = task.run(source);
    await until(() => world.surface.opened.length === 1);
    task.queue('one');
    task.queue('two');
    world.surface.press(world.surface.opened[0]!, 'approve');
    expect((await run).how).toBe('finished');
    expect(source.requests[1]!.messages.map((message) => (message.role === 'user' ? message.text : message.role))).toEqual(['Do it', 'assistant', 'tool', 'one', 'two']);
    expect(world.events.filter(({ type }) => type === 'user_message')).toHaveLength(2);
  });
});

it('the first request of profile coding stays below 2,000 tokens', () => {
  const tools = toolPrompts(filterToolsByPolicy(TOOLS, { policy: policyOf(), channel: 'editor' }));
  const system = systemPrompt({ folders: ['/home/person/project'], platform: 'linux', trusted: true });
  const tokens = countTokens(system) + countTokens(JSON.stringify(tools.map((tool) => ({ type: 'function', function: tool }))));
  console.info(`first request, profile coding: ${tokens} o200k tokens (${tools.length} tools)`);
  expect(tools).toHaveLength(TOOLS.length);
  expect(tokens).toBeGreaterThan(500);
  expect(tokens).toBeLessThanOrEqual(2_000);
});
