import { beforeAll, describe, expect, it } from 'vitest';
import { grammarBytes } from '../../../src/build/grammar-bytes.mjs';
import { evaluateToolCall } from '../../../src/core/chain/04-guard.ts';
import type { Place } from '../../../src/core/command/place.ts';
import type { GuardDecision } from '../../../src/core/verdict.ts';
import { GUARDS } from '../../../src/guards/index.ts';
import { createShellEngine } from '../../../src/guards/shell/engine.ts';
import { runCommand } from '../../../src/tools/run-command/run-command.ts';
import { runShell } from '../../../src/tools/run-shell/run-shell.ts';
import { command, pathResource } from '../core/approval/card-samples.ts';
import { context, resolvedOver } from './judged.ts';
import { LINES } from './lines.ts';

const inside = pathResource({ operation: 'list', relative: '', fileKind: 'directory' });
const engine = createShellEngine(grammarBytes);
const place: Place = { cwd: inside.real, roots: [inside.real], home: '/home/dev', platform: 'linux' };
beforeAll(async () => { expect(await engine.ready()).toBe(true); });

function judgeShell(line: string): GuardDecision {
  const resource = { ...command(line, { form: 'shell', argv: [], cwd: inside }), analysis: engine.analyseShell(line, place) };
  return evaluateToolCall(resolvedOver([resource, inside], runShell), GUARDS, context());
}

function judgeArgv(argv: readonly string[]): GuardDecision {
  const resource = { ...command(argv.join(' '), { form: 'argv', argv, cwd: inside }), analysis: engine.analyseArgv(argv, place) };
  return evaluateToolCall(resolvedOver([resource, inside], runCommand), GUARDS, context());
}

describe('shell lines', () => {
  it.each(LINES.filter(({ denied }) => denied !== undefined))('$line is refused', ({ line }) => {
    expect(judgeShell(line).action).toBe('deny');
  });

  it.each(LINES.filter(({ denied }) => denied === undefined))('$line is not refused', ({ line }) => {
    expect(judgeShell(line).action).not.toBe('deny');
  });

  it('every line stands once, and there are many of both kinds', () => {
    expect(new Set(LINES.map(({ line }) => line)).size).toBe(LINES.length);
    expect(LINES.filter(({ denied }) => denied === undefined).length).toBeGreaterThan(20);
    expect(LINES.filter(({ denied }) => denied !== undefined).length).toBeGreaterThan(30);
  });
});

describe('commands in argv form', () => {
  // Without a shell nobody expands a pattern or a tilde: those names mean files that are called so.
  it.each(LINES.filter(({ line }) => /^\/?[\w./-]+( [\w./=-]+)*$/.test(line)))('$line: $denied', ({ line, denied }) => {
    const { action } = judgeArgv(line.split(' '));
    if (denied === undefined) expect(action).not.toBe('deny');
    else expect(action).toBe('deny');
  });

  it('a working directory outside the workspace is judged with the command', () => {
    const outside = pathResource({ operation: 'list', relative: undefined, folder: undefined, real: '/srv/other', fileKind: 'directory' });
    const argv = ['npm', 'test'];
    const analysis = engine.analyseArgv(argv, { ...place, cwd: outside.real });
    const decision = evaluateToolCall(resolvedOver([{ ...command('npm test', { cwd: outside }), analysis }, outside], runCommand), GUARDS, context());
    expect(decision.action).toBe('ask');
  });

  it('a command that nobody analysed asks', () => {
    const decision = evaluateToolCall(resolvedOver([command('ls', { cwd: inside }), inside], runCommand), GUARDS, context());
    expect([decision.action, decision.patternKey]).toEqual(['ask', 'unknown_form']);
  });

  it('an untrusted workspace runs nothing', () => {
    const decision = evaluateToolCall(resolvedOver([command('npm test', { cwd: inside }), inside], runCommand), GUARDS, context({ trusted: false }));
    expect(decision.action).toBe('deny');
    expect(decision.findings.map(({ patternKey }) => patternKey)).toContain('workspace_untrusted');
  });
});
