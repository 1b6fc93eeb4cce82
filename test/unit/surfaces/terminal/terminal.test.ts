import { beforeEach, describe, expect, it, vi } from 'vitest';
import { leaks, reset, seen } from '../../../fakes/vscode.ts';
import { BUFFER_LIMIT, bounded, rows, terminalName } from '../../../../src/surfaces/terminal/screen.ts';

vi.mock('vscode', () => import('../../../fakes/vscode.ts'));
const { CommandTerminals } = await import('../../../../src/surfaces/terminal/terminals.ts');

beforeEach(() => reset());
function watch(index: number): { text: string } {
  const screen = { text: '' };
  const terminal = seen.terminals[index];
  terminal?.pty.onDidWrite((text) => { screen.text += text; });
  terminal?.pty.open();
  return screen;
}

describe('screen', () => {
  it('writes rows and no control characters', () => {
    expect(rows('a\nb\r\nc\u001B[2J\u0007\td')).toBe('a\r\nb\r\nc[2J\td');
    expect(terminalName(`npm ${'x'.repeat(99)}\n`)).toHaveLength(68);
    expect(bounded('x'.repeat(BUFFER_LIMIT + 1))).toMatch(/^\[earlier output left out\]/);
  });
});

describe('CommandTerminals', () => {
  it('shows what was written before the terminal was open, then how it ended', () => {
    const terminals = new CommandTerminals(() => true);
    const output = terminals.start('npm test');
    output.write('1\n');
    const screen = watch(0);
    output.write('2\n');
    output.end('exit 0 · 1.2 s');
    expect(seen.terminals[0]?.name).toBe('Sluice: npm test');
    expect(screen.text).toBe('\x1b[1mnpm test\x1b[0m\r\n1\r\n2\r\n\r\n\x1b[2mexit 0 · 1.2 s\x1b[0m\r\n');
    terminals.dispose();
    expect(leaks()).toEqual([]);
  });

  it('closes the tab at the end when it is not kept', () => {
    const terminals = new CommandTerminals(() => false);
    terminals.start('ls').end('exit 0');
    expect(seen.terminals[0]?.disposed).toBe(true);
    terminals.start('pwd');
    expect(seen.terminals).toHaveLength(2);
    terminals.dispose();
    expect(leaks()).toEqual([]);
  });

  it('never has more than four tabs: takes the one that finished first, and is silent when all run', () => {
    const terminals = new CommandTerminals(() => true);
    const outputs = ['a', 'b', 'c', 'd'].map((line) => terminals.start(line));
    terminals.start('e').write('nowhere');
    expect(seen.terminals).toHaveLength(4);
    outputs[1]?.end('exit 0');
    const screen = watch(1);
    terminals.start('f').write('mine\n');
    outputs[1]?.write('late');
    expect(seen.terminals).toHaveLength(4);
    expect(screen.text).toMatch(/f\x1b\[0m\r\nmine\r\n$/);
    expect(screen.text).not.toContain('late');
    terminals.dispose();
    expect(leaks()).toEqual([]);
  });

  it('goes on quietly when the person closes the tab', () => {
    const terminals = new CommandTerminals(() => true);
    const output = terminals.start('a');
    watch(0);
    seen.terminals[0]?.pty.close();
    output.write('more');
    output.end('exit 0');
    expect(leaks()).toEqual([]);
    terminals.dispose();
  });
});
