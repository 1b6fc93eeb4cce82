import { describe, expect, it } from 'vitest';
import { evaluateToolCall } from '../../../src/core/chain/04-guard.ts';
import { GUARDS } from '../../../src/guards/index.ts';
import { runCommand } from '../../../src/tools/run-command/run-command.ts';
import { runShell } from '../../../src/tools/run-shell/run-shell.ts';
import type { GuardDecision } from '../../../src/core/verdict.ts';
import { command, pathResource } from '../core/approval/card-samples.ts';
import { context, resolvedOver } from './judged.ts';
import { LINES } from './lines.ts';

const inside = pathResource({ operation: 'list', relative: '', fileKind: 'directory' });

function judgeShell(line: string): GuardDecision {
  const resource = command(line, { form: 'shell', argv: [], cwd: inside });
  return evaluateToolCall(resolvedOver([resource, inside], runShell), GUARDS, context());
}

function judgeArgv(argv: readonly string[]): GuardDecision {
  const resource = command(argv.join(' '), { form: 'argv', argv, cwd: inside });
  return evaluateToolCall(resolvedOver([resource, inside], runCommand), GUARDS, context());
}

describe('shell lines', () => {
  it.each(LINES)('$line: $denied', ({ line, denied }) => {
    const decision = judgeShell(line);
    expect(decision.action).toBe(denied === undefined ? 'ask' : 'deny');
    if (denied !== undefined) expect(decision.findings.filter(({ action }) => action === 'deny').map(({ patternKey }) => patternKey)).toContain(denied);
  });

  it('every line stands once, and each denial has lines that hit and lines that do not', () => {
    expect(new Set(LINES.map(({ line }) => line)).size).toBe(LINES.length);
    expect(LINES.filter(({ denied }) => denied === undefined).length).toBeGreaterThan(20);
  });
});

describe('commands in argv form', () => {
  it.each(LINES.filter(({ line }) => /^\/?[\w./-]+( [\w./*~=-]+)*$/.test(line)))('$line: $denied', ({ line, denied }) => {
    expect(judgeArgv(line.split(' ')).action).toBe(denied === undefined ? 'ask' : 'deny');
  });

  it('a denial cannot be answered by an earlier approval, and says what to do instead', () => {
    for (const { line, denied } of LINES) {
      const denials = judgeShell(line).findings.filter(({ action }) => action === 'deny');
      expect(denials.length > 0).toBe(denied !== undefined);
      for (const denial of denials) expect([line, denial.sensitive, denial.instead !== undefined]).toEqual([line, true, true]);
    }
  });

  it('a working directory outside the workspace asks as a read outside does', () => {
    const outside = pathResource({ operation: 'list', relative: undefined, folder: undefined, real: '/srv/other', fileKind: 'directory' });
    const decision = evaluateToolCall(resolvedOver([command('npm test', { cwd: outside }), outside], runCommand), GUARDS, context());
    expect(decision.action).toBe('ask');
    expect(decision.findings.map(({ patternKey }) => patternKey)).toContain('outside_read');
  });

  it('an untrusted workspace runs nothing', () => {
    const decision = evaluateToolCall(resolvedOver([command('npm test', { cwd: inside }), inside], runCommand), GUARDS, context({ trusted: false }));
    expect(decision.action).toBe('deny');
    expect(decision.findings.map(({ patternKey }) => patternKey)).toContain('workspace_untrusted');
  });
});
