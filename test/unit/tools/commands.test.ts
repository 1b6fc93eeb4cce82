import { describe, expect, it } from 'vitest';
import type { CommandResult } from '../../../src/core/ports.ts';
import { isRefusal } from '../../../src/core/refusal.ts';
import { askUser } from '../../../src/tools/ask-user/ask-user.ts';
import { byteLength, RESULT_LIMIT_BYTES } from '../../../src/tools/limit.ts';
import { runCommand } from '../../../src/tools/run-command/run-command.ts';
import { quoteArgv } from '../../../src/tools/run-command/quote.ts';
import { runShell } from '../../../src/tools/run-shell/run-shell.ts';
import { allow, createWorld, refusalOf, resolveWith } from '../../fakes/reading.ts';

const npmTest = { program: 'npm', args: ['test'] };
const after = async (result: Partial<CommandResult>) => allow(runCommand, npmTest, createWorld({ result }));

describe('what a command resolves to', () => {
  it('is the argv, the quoted line, the directory as a resource, and a bounded time limit', async () => {
    const resolution = await resolveWith(runCommand, { program: 'node', args: ['-e', 'it\'s "x"', ''], timeout_seconds: 86_400 }, createWorld());
    if (isRefusal(resolution)) throw new Error(resolution.forModel);
    expect(resolution.subject).toEqual({ verb: 'Run a command', target: `node -e 'it'\\''s "x"' ''`, form: 'command' });
    expect(resolution.resources).toMatchObject([
      { kind: 'command', form: 'argv', argv: ['node', '-e', 'it\'s "x"', ''], timeoutMs: 600_000, cwd: { real: '/w' } },
      { kind: 'path', operation: 'list', real: '/w' },
    ]);
  });

  it('runs the very command that was resolved', async () => {
    const world = createWorld();
    const resolution = await resolveWith(runShell, { command: 'a | b' }, world);
    if (isRefusal(resolution)) throw new Error(resolution.forModel);
    await runShell.run({}, resolution, world.effects);
    expect(world.commands[0]).toBe(resolution.resources[0]);
    expect(world.commands[0]).toMatchObject({ form: 'shell', argv: [], line: 'a | b', timeoutMs: 120_000 });
  });

  it('is refused when the directory is not one, or the program is a whole line', async () => {
    const world = createWorld({ files: { 'a.txt': '' } });
    expect(await refusalOf(runCommand, { ...npmTest, cwd: 'none' }, world)).toContain('not_found');
    expect(await refusalOf(runShell, { command: 'ls', cwd: 'a.txt' }, world)).toContain('not a directory');
    expect(await refusalOf(runCommand, { program: 'npm test', args: [] }, world)).toContain('arguments belong in args');
  });

  it('quotes every part that a shell would read differently', () => {
    expect(quoteArgv(['ls', 'a b', '$x', '-l', 'é', '~', '*'])).toBe(`ls 'a b' '$x' -l 'é' '~' '*'`);
  });
});

describe('the truth about how it ended', () => {
  const rows: [result: Partial<CommandResult>, status: string, first: string][] = [
    [{}, 'succeeded', '[exit code 0 after 1.2 s, confined]'],
    [{ exitCode: 1, output: 'x', confined: false }, 'failed', '[exit code 1 after 1.2 s, not confined]'],
    [{ end: 'signalled', exitCode: undefined, signal: 'SIGSEGV' }, 'failed', '[ended by SIGSEGV after 1.2 s; there is no exit code, confined]'],
    [{ end: 'timed_out', exitCode: undefined }, 'timed_out', '[ended at the time limit of 120 s; it did not finish, confined]'],
    [{ end: 'cancelled', exitCode: undefined }, 'cancelled', '[cancelled after 1.2 s; it did not finish, confined]'],
    [{ end: 'not_started', exitCode: undefined, note: 'npm was not found.' }, 'failed', '[it was not started]\n[npm was not found.]'],
  ];
  it.each(rows)('%j', async (result, status, first) => {
    const ended = await after(result);
    expect(ended.status).toBe(status);
    expect(ended.text.startsWith(first)).toBe(true);
    expect(ended.exitCode).toBe(result.end === undefined ? result.exitCode ?? 0 : undefined);
  });

  it('says that nothing was printed, and how much was dropped', async () => {
    expect((await after({})).text).toContain('[no output]');
    expect((await after({ droppedBytes: 5, output: 'x' })).text).toContain('[5 bytes of output were dropped from the middle]');
  });

  it('says that input is not possible when that may be why (CM-01)', async () => {
    expect((await after({ exitCode: 1, output: 'EOFError: EOF when reading a line' })).text).toContain('Input is not possible');
    expect((await after({ end: 'timed_out' })).text).toContain('Input is not possible');
    expect((await after({ exitCode: 1, output: '1 test failed' })).text).not.toContain('Input is not possible');
  });

  it('is bounded and free of control characters', async () => {
    const { text } = await after({ output: `\u001b[31m${'é'.repeat(100_000)}` });
    expect(byteLength(text)).toBeLessThanOrEqual(RESULT_LIMIT_BYTES);
    expect(text).toMatch(/^\[exit code 0/);
    expect(text).toContain('[output cut here; print less');
    expect(text).not.toContain('\u001b');
  });
});

describe('ask_user', () => {
  it('returns the answer as information', async () => {
    const world = createWorld({ answer: 'the blue one' });
    expect(await allow(askUser, { question: 'Which?', options: ['red', 'blue'] }, world)).toMatchObject({ status: 'succeeded', text: 'The person answered:\nthe blue one' });
    expect(world.questions).toEqual(['Which?']);
  });

  it.each([undefined, '', '  '])('never turns no answer (%j) into a no', async (answer) => {
    expect(await allow(askUser, { question: 'Which?' }, createWorld({ answer }))).toMatchObject({ status: 'failed', summary: 'no answer', text: expect.stringContaining('neither a yes nor a no') as string });
  });
});
