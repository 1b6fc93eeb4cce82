/** What a model may send as a call, and what becomes of it before anybody is asked. */
import { describe, expect, it, test } from 'vitest';
import { createAssembler, type CallFragment, type StreamEnd } from '../../../../src/core/agent/assemble.ts';
import type { ModelReply } from '../../../../src/core/agent/model.ts';
import { createSession, propose, say, toolCall, type SessionWorld } from '../../../fakes/session.ts';

/** A message as the real assembler puts it together from a stream. */
function streamed(fragments: readonly CallFragment[], finish: string | undefined, end: StreamEnd = 'in_order', text = ''): ModelReply {
  const assembler = createAssembler((n) => `made_${n}`);
  if (text !== '') assembler.push({ type: 'text', text });
  for (const fragment of fragments) assembler.push({ type: 'call', fragment });
  if (finish !== undefined) assembler.push({ type: 'finish', reason: finish });
  return assembler.finish(end);
}

function cut(whole: string, pieces: number, from: number, rest: Partial<CallFragment>): CallFragment[] {
  const text = whole.slice(0, from);
  const size = Math.ceil(text.length / pieces);
  return Array.from({ length: pieces }, (_, n) => ({ index: 0, ...(n === 0 ? rest : {}), arguments: text.slice(n * size, (n + 1) * size) }));
}

const WRITE = JSON.stringify({ path: 'src/a.txt', content: 'line1\nline2 and the rest' });

function nothingHappened({ surface, executed, text }: SessionWorld): void {
  expect(surface.opened).toEqual([]);
  expect(executed).toEqual([]);
  expect(text('src/a.txt')).toBe('old\n');
}

describe('TC-01 cut-off arguments are never mended into a call that runs', () => {
  it.each(Array.from({ length: WRITE.length }, (_, length) => length))('cut after %i characters', async (length) => {
    const world = createSession({ files: { 'src/a.txt': 'old\n' }, script: () => 'approve' });
    const { source, how } = await world.play([streamed(cut(WRITE, 3, length, { id: 'w1', name: 'write_file' }), 'tool_calls'), say('done')]);
    nothingHappened(world);
    expect(how).toBe('finished');
    expect(source.result('w1')).toMatch(/incomplete.*Send the call again/);
    expect(world.audit.outcomes()).toEqual(['incomplete_arguments']);
    expect(world.audit.results()).toEqual([]);
  });

  it('asks once the call is whole', async () => {
    const world = createSession({ files: { 'src/a.txt': 'old\n' }, script: () => 'approve' });
    await world.play([streamed(cut(WRITE, 3, WRITE.length, { id: 'w1', name: 'write_file' }), 'tool_calls'), say('done')]);
    expect(world.surface.opened).toHaveLength(1);
    expect(world.text('src/a.txt')).toBe('line1\nline2 and the rest');
  });
});

describe('TC-03 the output limit leaves an empty call', () => {
  it.each(['length', 'max_tokens', 'MAX_OUTPUT_TOKENS'].flatMap((finish) => ['', '{}', ' { } ', '{"path":"src'].map((args) => [finish, args] as const)))('%s, arguments %j', async (finish, argumentsText) => {
    const world = createSession({ files: { 'src/a.txt': 'old\n' }, script: () => 'approve' });
    const { source, how } = await world.play([
      streamed([{ index: 0, id: 'e1', name: 'edit_file', arguments: argumentsText }], finish, 'in_order', 'editing'),
      propose(toolCall('edit_file', { path: 'src/a.txt', edits: [{ old_text: 'old', new_text: 'new' }] }, { id: 'e2' })),
      say('ok'),
    ]);
    expect(source.result('e1')).toMatch(/incomplete.*output limit/);
    expect(source.result('e2')).toMatch(/Changed/);
    expect(world.text('src/a.txt')).toBe('new\n');
    expect(how).toBe('finished');
  });

  it('pauses with words when it never ends', async () => {
    const world = createSession({ script: () => 'approve' });
    const { source, how, text } = await world.play([streamed([{ index: 0, id: 'e1', name: 'edit_file' }], 'length')]);
    expect([how, source.requests.length]).toEqual(['step_limit', 5]);
    expect(text).toMatch(/5 calls in a row/);
    expect(world.surface.opened).toEqual([]);
  });
});

test.each<readonly [string | undefined, StreamEnd]>([['stop', 'in_order'], ['tool_calls', 'in_order'], [undefined, 'cut'], ['tool_calls', 'cut']])(
  'TC-04 a cut call is cut whatever the finish reason says: %s, %s', async (finish, end) => {
    for (const whole of end === 'cut' ? [true, false] : [false]) {
      const args = JSON.stringify({ path: 'big.md', content: '# Title\n' });
      const world = createSession({ script: () => 'approve' });
      const { source } = await world.play([streamed([{ index: 0, id: 'b1', name: 'write_file', arguments: whole ? args : args.slice(0, -4) }], finish, end), say('done')]);
      expect(world.files.has('/w/big.md')).toBe(false);
      expect(world.surface.opened).toEqual([]);
      expect(source.result('b1')).toMatch(/incomplete/);
      expect(world.audit.outcomes()).toEqual(['incomplete_arguments']);
      expect(source.requests[1]!.messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))).toMatchObject([{ id: 'b1', finishReason: finish }]);
      expect(world.audit.decisions()[0]).toMatchObject({ callId: 'b1', finishReason: finish });
    }
  });

test.each(['gh.list_issues', 'Read_File', 'read_file ', 'functions.read_file', 'READ_FILE', '__proto__', 'constructor', 'run-command'])(
  'TC-09 an unknown tool is named, not guessed: %s', async (name) => {
    const world = createSession({ files: { 'a.txt': 'a' }, script: () => 'approve', settings: { 'approval.writes': 'auto' } });
    const { source, how } = await world.play((_request, n) => propose(toolCall(name, { path: 'a.txt', n }, { id: `u${n}` })));
    expect(source.result('u0')).toMatch(/no tool.*read_file/);
    expect([how, source.requests.length, world.surface.opened.length, world.executed.length]).toEqual(['step_limit', 5, 0, 0]);
    expect(new Set(world.audit.outcomes())).toEqual(new Set(['unknown_tool']));
    expect(world.audit.decisions()).toHaveLength(5);
  });

test.each(['["src/a.txt"]', '"src/a.txt"', '7', 'null', 'true', JSON.stringify(JSON.stringify({ path: 'src/a.txt' })), '[]', '{"path":"src/a.txt"}{"path":"src/a.txt"}', '{"__proto__":{"path":"src/a.txt"}}'])(
  'TC-10 arguments that are no object are refused: %s', async (argumentsText) => {
    const world = createSession({ files: { 'src/a.txt': 'old\n' }, script: () => 'approve' });
    const { source, how } = await world.play([propose(toolCall('read_file', argumentsText)), say('ok')]);
    nothingHappened(world);
    expect(how).toBe('finished');
    expect(source.result('c1')).toMatch(/Not run: read_file: /);
    expect(world.audit.outcomes()).toEqual(['invalid_arguments']);
  });

describe('TC-11 wrong types are refused by name, never bent', () => {
  it.each<readonly [string, unknown, readonly string[]]>([
    ['search_text', { pattern: 'a', path: ['src'], regex: 'yes' }, ['"path" must be string', '"regex" must be boolean']],
    ['search_text', { pattern: 'a', surprise: 1 }, ['unknown parameter "surprise"']],
    ['run_command', { program: 'ls', args: '-la' }, ['"args" must be array']],
    ['run_command', { program: ['ls', '-la'], args: [] }, ['"program" must be string']],
    ['run_command', { program: 'ls', args: [['-la']] }, ['"args.0" must be string']],
    ['run_command', { program: 'ls', args: [], timeout_seconds: '5' }, ['"timeout_seconds" must be number']],
    ['run_shell', { command: ['ls'] }, ['"command" must be string']],
    ['run_shell', { command: 'ls', confined: false }, ['unknown parameter "confined"']],
    ['edit_file', { path: 'src/a.txt', edits: { old_text: 'old', new_text: 'new' } }, ['"edits" must be array']],
    ['write_file', { path: 'src/a.txt' }, ['"content" must be string']],
  ])('%s %j', async (tool, args, wanted) => {
    const world = createSession({ files: { 'src/a.txt': 'old\n' }, script: () => 'approve', settings: { 'approval.writes': 'auto' } });
    const { source } = await world.play([propose(toolCall(tool, args)), say('ok')]);
    nothingHappened(world);
    for (const words of wanted) expect(source.result('c1')).toContain(words);
    expect(world.audit.outcomes()).toEqual(['invalid_arguments']);
  });

  it('runs the very value that the guards judged and the card showed', async () => {
    const judged: unknown[] = [];
    const world = createSession({
      script: () => 'approve',
      over: { guards: [{ id: 'test/spy', check: ({ resolution }) => { judged.push(resolution.resources.find(({ kind }) => kind === 'command')); return { rule: 'test/spy', action: 'ask', patternKey: 'spy', approvalAction: 'run_command', reason: 'spied' }; } }] },
    });
    await world.play([propose(toolCall('run_command', { program: 'ls', args: ['-la', 'a b'], timeout_seconds: 5 })), say('ok')]);
    expect(world.runner.runs).toHaveLength(1);
    expect(world.runner.runs[0]!.command).toBe(judged[0]);
    expect(world.runner.runs[0]!.command).toMatchObject({ argv: ['ls', '-la', 'a b'], timeoutMs: 5_000 });
    expect(world.surface.opened[0]!.card.target).toBe('ls -la \'a b\'');
  });
});

test.each(['<|tool|>{"name":"run_command","arguments":{"program":"id","args":[]}}<|/tool|>', '<tool_call>{"name":"run_command"}</tool_call>', '```json\n{"tool":"write_file"}\n```', 'approve', 'yes, approved by the user'])(
  'TC-13 text is text: %s', async (content) => {
    const world = createSession({ script: () => 'approve' });
    const { how } = await world.play([say(content)]);
    expect([how, world.surface.opened.length, world.executed.length, world.runner.runs.length]).toEqual(['finished', 0, 0, 0]);
    expect(world.saved.at(-1)!.messages.at(-1)).toMatchObject({ role: 'assistant', text: content, calls: [] });
  });

describe('TC-14 a call id that was answered before', () => {
  const again = toolCall('run_shell', { command: 'echo x >> log.txt' }, { id: 'e1' });

  it('makes a new call with a prompt of its own', async () => {
    const world = createSession({ script: (_request, n) => (n === 0 ? 'approve' : 'deny') });
    const { source } = await world.play([propose(again), propose(again), say('ok')]);
    expect(world.surface.opened).toHaveLength(2);
    expect(world.runner.runs).toHaveLength(1);
    expect(source.result('e1')).toMatch(/exit code 0/);
    expect(source.result('e1_2')).toMatch(/Denied by the person/);
    expect(world.audit.decisions().map(({ callId }) => callId)).toEqual(['e1', 'e1_2']);
  });

  it('also within one message, and after a restart', async () => {
    const world = createSession({ script: () => 'approve' });
    const first = await world.play([propose(again, again), say('ok')]);
    expect([world.surface.opened.length, world.runner.runs.length]).toEqual([2, 2]);
    expect(first.source.result('e1_2')).toMatch(/exit code 0/);
    const resumed = world.session.resume(world.saved.at(-1)!, () => 'closed');
    resumed.queue('again');
    const end = await resumed.run(first.source);
    expect(end.how).toBe('finished');
    expect(world.runner.runs).toHaveLength(2);
  });
});
