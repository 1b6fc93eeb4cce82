import { afterAll, beforeAll } from 'vitest';
import { grammarBytes } from '../../../src/build/grammar-bytes.mjs';
import type { Place } from '../../../src/core/command/place.ts';
import { strictest, type Action, type Finding } from '../../../src/core/verdict.ts';
import { createShellEngine, type ShellEngine } from '../../../src/guards/shell/engine.ts';
import { judgeForm } from '../../../src/guards/shell/guards.ts';
import type { ShellSetting } from '../../../src/guards/shell/rule.ts';

export const PLACE: Place = { cwd: '/workspace/project', roots: ['/workspace/project'], home: '/home/user', platform: 'linux' };
export const SETTING: ShellSetting = { place: PLACE, trusted: true, network: { policy: 'restricted', allowedHosts: ['allowed.test'] } };

export interface Judged {
  readonly action: Action;
  readonly findings: readonly Finding[];
}

export interface TestEngine {
  readonly engine: ShellEngine;
  readonly judge: (line: string, shell?: string) => Judged;
  readonly judgeArgv: (argv: readonly string[]) => Judged;
}

/** One engine for a test file; loads the grammar before the first test. */
export function useEngine(): TestEngine {
  const engine = createShellEngine(grammarBytes);
  beforeAll(async () => {
    if (!await engine.ready()) throw new Error('the shell grammar did not load');
  });
  afterAll(() => { engine.dispose(); });
  const judged = (findings: readonly Finding[]): Judged => ({ action: strictest(findings.map(({ action }) => action)), findings });
  return {
    engine,
    judge: (line, shell = 'bash') => judged(judgeForm(engine.analyse(line, PLACE, shell), SETTING)),
    judgeArgv: (argv) => judged(judgeForm(engine.analyseArgv(argv, PLACE), SETTING)),
  };
}
