import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/core/chain/02-schema.ts';
import { isRefusal } from '../../../src/core/refusal.ts';
import { TOOLS } from '../../../src/tools/index.ts';

/** What the schema stage says about raw arguments; undefined when they parse. */
function complaint(name: string, argumentsText: string): string | undefined {
  const tool = TOOLS.find((one) => one.name === name)!;
  const call = { id: '1', tool: name, argumentsText, complete: true };
  const actor = { session: 's', task: 't', channel: 'editor' as const };
  const parsed = parseArguments({ stage: 'visible', tool, proposed: { stage: 'proposed', call, actor, agentSays: undefined } }, () => '0');
  return isRefusal(parsed) ? `${parsed.code}: ${parsed.forModel}` : undefined;
}

describe('arguments that are not an object (TC-10)', () => {
  const values = ['["a.txt"]', '"a.txt"', '7', 'null', 'true', JSON.stringify('{"path":"a.txt"}')];
  it.each(TOOLS.map(({ name }) => name))('%s refuses all of them', (name) => {
    for (const value of values) expect(complaint(name, value)).toMatch(/^invalid_arguments: .*"arguments" must be object/);
  });
});

describe('wrong types inside (TC-11)', () => {
  const rows: [tool: string, args: unknown, parts: string[]][] = [
    ['run_command', { program: 'ls', args: '["-la"]' }, ['"args"', 'array']],
    ['run_command', { program: ['ls', '-la'], args: [] }, ['"program"', 'string']],
    ['run_command', { program: 'ls', args: [], timeout_seconds: '5' }, ['"timeout_seconds"', 'number']],
    ['run_shell', { command: ['ls'] }, ['"command"', 'string']],
    ['run_shell', { command: ' ' }, ['"command"', 'blank']],
    ['search_text', { pattern: 'x', regex: 'yes' }, ['"regex"', 'boolean']],
    ['search_text', { pattern: 'x', surprise: 1 }, ['"surprise"']],
    ['read_file', { path: 'a', start_line: '1' }, ['"start_line"', 'number']],
    ['read_file', { path: 'a', start_line: 1.5 }, ['"start_line"', 'int']],
    ['read_file', { path: 'a', start_line: 0 }, ['"start_line"']],
    ['read_file', {}, ['"path"', 'string']],
    ['read_file', { path: '' }, ['"path"']],
    ['read_file', { path: 'a\0b' }, ['"path"', 'control']],
    ['read_file', { path: 'a\nb' }, ['"path"', 'control']],
    ['edit_file', { path: 'a', edits: '[]' }, ['"edits"', 'array']],
    ['edit_file', { path: 'a', edits: [] }, ['"edits"']],
    ['edit_file', { path: 'a', edits: [{ old_text: 'a' }] }, ['"edits.0.new_text"', 'string']],
    ['edit_file', { path: 'a', edits: [{ old_text: 'a', new_text: '\ud800' }] }, ['"edits.0.new_text"', 'surrogate']],
    ['write_file', { path: 'a', content: 'a\0' }, ['"content"', 'NUL']],
    ['write_file', { path: 'a', content: { text: 'x' } }, ['"content"', 'string']],
    ['run_command', { program: 'a\0', args: [] }, ['"program"', 'NUL']],
    ['ask_user', { question: 'x'.repeat(2_001) }, ['"question"', '2000']],
    ['ask_user', { question: 'x', options: 'yes' }, ['"options"', 'array']],
  ];
  it.each(rows)('%s %j', (tool, args, parts) => {
    const text = complaint(tool, JSON.stringify(args));
    for (const part of ['invalid_arguments', ...parts]) expect(text).toContain(part);
  });

  it('takes what is right', () => {
    expect(complaint('run_command', '{"program":"ls","args":[]}')).toBeUndefined();
    expect(complaint('edit_file', '{"path":"a","edits":[{"old_text":"a","new_text":""}]}')).toBeUndefined();
  });
});
