import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import type { ModelDelta, ModelMessage, ModelReply } from '../../../src/core/agent/model.ts';
import { createRehearsal, REHEARSAL_NOTICE } from '../../../src/providers/rehearsal/index.ts';
import { nextMove, type Move } from '../../../src/providers/rehearsal/plan.ts';
import { systemClock } from '../../../src/host/system.ts';
import { editFile } from '../../../src/tools/edit-file/edit-file.ts';
import { readFile } from '../../../src/tools/read-file/read-file.ts';
import { runCommand } from '../../../src/tools/run-command/run-command.ts';
import { createWorld } from '../../fakes/reading.ts';

const ALL = ['run_command', 'read_file', 'edit_file', 'list_directory'];
const BOUND = 14;
const FAILS = '[exit code 1 after 0.4 s, confined]\n✖ writes the month as people count it (1.2ms)\n';
const PASSES = '[exit code 0 after 0.4 s, confined]\nok';
const SAMPLE = readFileSync(new URL('../../fixtures/sample/src/date.js', import.meta.url), 'utf8');
const DENIED = 'Denied by the person; nothing ran. They gave no reason. Do not try the same thing again; go another way or ask.';
const deniedFor = (reason: string): string => `Denied by the person; nothing ran. They said: "${reason}" Do not try the same thing again; go another way or ask.`;

type Answer = (move: NonNullable<Move['call']>, nth: number) => string | Promise<string>;

/** Plays to the end; `answer` gives the result of each call, with how often that tool was called before. */
async function play(answer: Answer, tools: readonly string[] = ALL, before: readonly ModelMessage[] = []): Promise<{ moves: readonly string[]; last: string; said: readonly string[] }> {
  const messages: ModelMessage[] = [...before, { role: 'user', text: 'Fix the failing test' }];
  const moves: string[] = [];
  const said: string[] = [];
  for (let step = 0; step < 40; step += 1) {
    const move = nextMove(messages, tools);
    said.push(move.say);
    const calls = move.call === undefined ? [] : [{ id: `call_${step}`, tool: move.call.tool, argumentsText: JSON.stringify(move.call.args), complete: true }];
    messages.push({ role: 'assistant', text: move.say, calls });
    if (move.call === undefined) return { moves, last: move.say, said };
    const nth = moves.filter((tool) => tool === move.call!.tool).length;
    moves.push(move.call.tool);
    messages.push({ role: 'tool', callId: `call_${step}`, text: await answer(move.call, nth) });
  }
  throw new Error(`no end after ${moves.join(', ')}`);
}

/** Results of the real tools over the sample in memory; tests fail until the month is right. */
function sample(over: Partial<Record<string, (nth: number) => string | undefined>> = {}, content = SAMPLE): { answer: Answer; text: () => string; write: (text: string) => void } {
  const world = createWorld({ files: { 'src/date.js': content } });
  const text = (): string => world.files.get('/w/src/date.js')!.toString('utf8');
  const answer: Answer = async ({ tool, args }, nth) => {
    const special = over[tool]?.(nth);
    if (special !== undefined) return special;
    if (tool === 'run_command') return text().includes('getUTCMonth() + 1') ? PASSES : FAILS;
    const found = tool === 'read_file' ? readFile : editFile;
    const parsed: unknown = found.schema.parse(args);
    const resolution = await found.resolve(parsed, { reading: world.reading, defaults: { commandTimeoutMs: 1, maxCommandTimeoutMs: 1 } });
    if ('refused' in resolution) return resolution.forModel;
    return (await found.run(parsed, resolution, world.effects)).text;
  };
  return { answer, text, write: (next) => world.files.set('/w/src/date.js', Buffer.from(next)) };
}

describe('the sample', () => {
  it('is played to the end with the real tools', async () => {
    const world = sample();
    const { moves, last, said } = await play(world.answer);
    expect(moves).toEqual(['run_command', 'read_file', 'edit_file', 'run_command', 'run_command']);
    expect(said[1]).toContain('writes the month as people count it');
    expect(last).toMatch(/^Done\. .*the tests are green\. package-lock\.json is there now\.$/);
    expect(world.text()).toBe(SAMPLE.replace('String(date.getUTCMonth())', 'String(date.getUTCMonth() + 1)'));
  });

  it('makes calls that the tools accept', async () => {
    const accepted: unknown[] = [];
    const world = sample();
    await play((move, nth) => {
      const tool = [runCommand, readFile, editFile].find(({ name }) => name === move.tool);
      accepted.push(tool?.schema.safeParse(move.args).success);
      return world.answer(move, nth);
    });
    expect(accepted).toEqual([true, true, true, true, true]);
  });

  it('that passes already ends after the first run', async () => {
    const { moves, last } = await play(sample({ run_command: () => PASSES }).answer);
    expect(moves).toEqual(['run_command']);
    expect(last).toBe('All tests pass. There is nothing to fix.');
  });

  it('plays again for the next message', async () => {
    const before: ModelMessage[] = [
      { role: 'user', text: 'x' }, { role: 'assistant', text: '', calls: [{ id: 'a', tool: 'run_command', argumentsText: '{}', complete: true }] },
      { role: 'tool', callId: 'a', text: FAILS }, { role: 'assistant', text: 'Done.', calls: [] },
    ];
    expect((await play(sample().answer, ALL, before)).moves[0]).toBe('run_command');
  });
});

describe('a person who denies', () => {
  it('the first run: the fault is found by reading, with their words', async () => {
    const { moves, said, last } = await play(sample({ run_command: (nth) => (nth === 0 ? deniedFor('too slow') : 'Not run: the person already denied exactly this in this task. Do not try it again; go another way or ask.') }).answer);
    expect(said[1]).toBe('You would rather not run the tests ("too slow"). Then I find the fault by reading.');
    expect(moves.slice(0, 3)).toEqual(['run_command', 'read_file', 'edit_file']);
    expect(last).toMatch(/not run again, as you asked/);
  });

  it('the edit: nothing more is tried, and their words are quoted', async () => {
    const { moves, last } = await play(sample({ edit_file: () => deniedFor('use a table of "names"') }).answer);
    expect(moves).toEqual(['run_command', 'read_file', 'edit_file']);
    expect(last).toContain('You denied the change ("use a table of "names""), so src/date.js stays as it was.');
  });

  it('the last command: the work stands, and only the lock file is missing', async () => {
    const { last } = await play(sample({ run_command: (nth) => (nth === 2 ? deniedFor('no lock files here') : undefined) }).answer);
    expect(last).toMatch(/the tests are green\. The lock file is left out \("no lock files here"\)\.$/);
  });

  it('without a reason: none is made up', async () => {
    const { last } = await play(sample({ edit_file: () => DENIED }).answer);
    expect(last).toContain('You denied the change, so');
  });

  it('the second run: the change stays and nothing is claimed about the tests', async () => {
    const { last } = await play(sample({ run_command: (nth) => (nth === 1 ? DENIED : undefined) }).answer);
    expect(last).toMatch(/The tests were not run again, as you asked\.$/);
  });
});

describe('a file that is not as it was', () => {
  it('changed while the diff was open: it is read again and changed then', async () => {
    const world = sample({ edit_file: (nth) => (nth === 0 ? 'Not applied: src/date.js changed after it was shown. Read it again and propose the change anew.' : undefined) });
    const { moves, last } = await play(world.answer);
    expect(moves).toEqual(['run_command', 'read_file', 'edit_file', 'read_file', 'edit_file', 'run_command', 'run_command']);
    expect(last).toMatch(/^Done\./);
  });

  it('changed between reading and proposing: the same', async () => {
    const world = sample();
    const { moves, last } = await play((move, nth) => {
      if (move.tool === 'edit_file' && nth === 0) world.write(SAMPLE.replace('String(date.getUTCMonth())', 'String( date.getUTCMonth())'));
      return world.answer(move, nth);
    });
    expect(moves).toEqual(['run_command', 'read_file', 'edit_file', 'read_file', 'edit_file', 'run_command', 'run_command']);
    expect(last).toMatch(/^Done\./);
  });

  it('changed each time: it gives up within its bound', async () => {
    const world = sample({ edit_file: () => 'Not applied: src/date.js changed after it was shown. Read it again and propose the change anew.' });
    const { moves, last } = await play(world.answer);
    expect(moves.length).toBeLessThanOrEqual(BOUND);
    expect(last).toBe('The rehearsal stops here: it has no more moves prepared.');
    expect(world.text()).toBe(SAMPLE);
  });

  it('mended by the person meanwhile: it says so and stops', async () => {
    const world = sample();
    const { moves, last } = await play((move, nth) => {
      if (move.tool === 'edit_file') world.write(SAMPLE.replace('date.getUTCMonth()', 'date.getUTCMonth() + 1'));
      return world.answer(move, nth);
    });
    expect(moves).toEqual(['run_command', 'read_file', 'edit_file', 'read_file']);
    expect(last).toMatch(/or it is already right/);
  });

  it.each([
    ['already right', SAMPLE.replace('date.getUTCMonth()', 'date.getUTCMonth() + 1')],
    ['another file', 'export const x = 1;\n'],
    ['empty', ''],
  ])('%s: it says so and changes nothing', async (_, content) => {
    const world = sample({ run_command: () => FAILS }, content);
    const { moves, last } = await play(world.answer);
    expect(moves).toEqual(['run_command', 'read_file']);
    expect(last).toContain('Connect a model to work on your own code.');
    expect(world.text()).toBe(content);
  });

  it.each([
    'Not run: src/date.js does not exist.',
    'Not run, and it will not be: It reads outside the workspace.',
    'The tool read_file is not available in this session: denied by the setting sluice.tools.deny ("read_file").',
    'No answer: nobody decided in time, so nothing ran. This is not a denial.',
  ])('unreadable (%s): it says so', async (text) => {
    const { last } = await play(sample({ read_file: () => text }).answer);
    expect(last).toBe(`I could not read src/date.js: ${text} Nothing was changed.`);
  });
});

describe('fewer tools', () => {
  it('minimal profile: it reads, names the line, and changes nothing', async () => {
    const world = sample();
    const { moves, last } = await play(world.answer, ['read_file', 'list_directory']);
    expect(moves).toEqual(['read_file']);
    expect(last).toContain('Changing files is not possible here');
    expect(world.text()).toBe(SAMPLE);
  });

  it('no commands: it changes the file and says that no test ran', async () => {
    const { moves, last } = await play(sample().answer, ['read_file', 'edit_file']);
    expect(moves).toEqual(['read_file', 'edit_file']);
    expect(last).toBe('src/date.js is changed. The tests were not run.');
  });

  it('never calls a tool it was not offered, except to read', async () => {
    for (const tools of [[], ['read_file'], ['edit_file'], ['run_command'], ['run_command', 'read_file'], ALL]) {
      const { moves } = await play(sample().answer, tools);
      expect(moves.filter((tool) => tool !== 'read_file' && !tools.includes(tool))).toEqual([]);
    }
  });
});

describe('any results', () => {
  const results = fc.oneof(
    fc.string(),
    fc.constantFrom(
      FAILS, PASSES, DENIED, deniedFor('no'), '', 'Not applied: src/date.js changed after it was shown.', 'Not run: src/date.js: old_text was not found. x',
      'Changed src/date.js (lines +1 -1).', '[src/date.js: all 2 lines]\n1|a\n2|date.getUTCMonth()', 'Cancelled: the person stopped the task. Nothing ran.',
      '[ended at the time limit of 120 s; it did not finish, confined]', 'Not run: the person already denied exactly this in this task.',
    ),
  );

  it('never throw and always end within the bound, with words', async () => {
    await fc.assert(fc.asyncProperty(fc.array(results, { minLength: 40, maxLength: 40 }), fc.subarray(ALL), async (texts, tools) => {
      let next = 0;
      const { moves, last } = await play(() => texts[next++] ?? '', tools);
      expect(moves.length).toBeLessThan(BOUND);
      expect(last.trim()).not.toBe('');
    }), { numRuns: 500 });
  });

  it('never throw on the history of another model, cut-off calls in it', () => {
    const call = fc.record({ id: fc.constantFrom('a', 'b', 'c'), tool: fc.constantFrom(...ALL, 'other'), argumentsText: fc.oneof(fc.string(), fc.json()), complete: fc.boolean() });
    const message: fc.Arbitrary<ModelMessage> = fc.oneof(
      fc.record({ role: fc.constant('user' as const), text: fc.string() }),
      fc.record({ role: fc.constant('assistant' as const), text: fc.string(), calls: fc.array(call, { maxLength: 3 }) }),
      fc.record({ role: fc.constant('tool' as const), callId: fc.constantFrom('a', 'b', 'c'), text: results }),
    );
    fc.assert(fc.property(fc.array(message, { maxLength: 30 }), fc.subarray(ALL), (messages, tools) => nextMove(messages, tools).say !== ''), { numRuns: 500 });
  });
});

describe('as a model source', () => {
  const ask = (signal = new AbortController().signal, deltas: ModelDelta[] = []): Promise<ModelReply> => createRehearsal(systemClock, 0)
    .respond({ system: '', messages: [{ role: 'user', text: 'x' }], tools: ALL.map((name) => ({ name, description: '', parameters: {} })) }, (delta) => deltas.push(delta), signal);

  it('says what it is, streams what it says, and makes one whole call', async () => {
    const deltas: ModelDelta[] = [];
    const reply = await ask(undefined, deltas);
    expect(createRehearsal(systemClock).notice).toBe(REHEARSAL_NOTICE);
    expect(deltas.flatMap((delta) => (delta.type === 'text' ? [delta.text] : [])).join('')).toBe(reply.text);
    expect(deltas.at(-1)).toEqual({ type: 'call_started', tool: 'run_command' });
    expect(reply).toMatchObject({ finishReason: 'tool_calls', usage: undefined, calls: [{ id: 'rehearsal_1', tool: 'run_command', complete: true }] });
  });

  it('ends with the reason of the stop', async () => {
    const controller = new AbortController();
    controller.abort(new Error('stopped here'));
    await expect(ask(controller.signal)).rejects.toThrow('stopped here');
  });
});
