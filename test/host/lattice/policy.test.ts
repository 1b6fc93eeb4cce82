import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createPolicyMemory } from '../../../src/host/policy-memory.ts';
import { LivePolicy, readPolicy } from '../../../src/host/settings.ts';

const file = () => path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, '.vscode', 'settings.json');

async function until(what: string, probe: () => boolean): Promise<void> {
  for (let waited = 0; waited < 15_000; waited += 50) {
    if (probe()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  ok(probe(), what);
}

/** What the running extension says about the file. */
const told = () => vscode.languages.getDiagnostics(vscode.Uri.file(file())).filter(({ source }) => source === 'Sluice');

describe('a trusted workspace whose settings loosen', () => {
  const stored = new Map<string, unknown>();
  const storage = { get: (key: string) => stored.get(key), update: async (key: string, value: unknown) => { stored.set(key, value); }, keys: () => [...stored.keys()] } as unknown as vscode.Memento;
  let policy: LivePolicy;
  let original = '';

  before(async () => {
    await vscode.extensions.getExtension('sluice.sluice')!.activate();
    original = await readFile(file(), 'utf8');
  });
  beforeEach(() => { stored.clear(); policy = new LivePolicy({ memory: createPolicyMemory(storage) }); });
  afterEach(async () => {
    policy.dispose();
    await writeFile(file(), original);
  });

  it('changes nothing until consent, except what tightens', () => {
    equal(vscode.workspace.isTrusted, true);
    for (const { settings } of [readPolicy(), policy.current]) {
      deepEqual([settings.approvalWrites, settings.networkPolicy, settings.toolsDeny, settings.sandboxEnabled], ['preview', 'deny', ['run_*'], true]);
    }
    deepEqual(policy.current.loosening.map(({ key }) => key).sort(), ['approval.writes', 'network.policy']);
  });

  it('is in force with consent to exactly these lines, and asks again when they change', async () => {
    const key = policy.current.consentKey!;
    policy.memory.accept(key);
    policy.renew();
    deepEqual([policy.current.settings.approvalWrites, policy.current.settings.networkPolicy, policy.current.settings.sandboxEnabled], ['auto', 'allow', true]);
    await writeFile(file(), original.replace('"allow"', '"restricted"'));
    await until('the change is seen', () => policy.current.consentKey !== key);
    deepEqual([policy.current.settings.approvalWrites, policy.current.settings.networkPolicy, policy.current.consented], ['preview', 'deny', false]);
    notEqual(policy.current.consentKey, undefined);
    await writeFile(file(), original);
    await until('the lines are back', () => policy.current.consented);
    policy.memory.revoke(key);
    policy.renew();
    equal(policy.current.settings.networkPolicy, 'deny');
  });

  it('half-saved drops no deny and says so at its line; mended, all is as before', async () => {
    deepEqual(policy.current.settings.toolsDeny, ['run_*']);
    for (const half of [original.slice(0, original.indexOf('"sluice.tools')), original.replace('["run_*"]', '["run_'), '']) {
      await writeFile(file(), half);
      await until('the broken file is seen', () => policy.current.problems.some(({ kind }) => kind === 'unreadable'));
      deepEqual(policy.current.settings.toolsDeny, ['run_*']);
      await until('the Problems panel tells', () => told().some(({ code }) => code === 'unreadable'));
      match(told().find(({ code }) => code === 'unreadable')!.message, /what they said before is in force/);
      await writeFile(file(), original);
      await until('the mended file is seen', () => !policy.current.problems.some(({ kind }) => kind === 'unreadable'));
    }
    await until('the Problems panel is as before', () => !told().some(({ code }) => code === 'unreadable'));
  });

  it('a watcher is enough: a file that breaks without any value changing is noticed', async () => {
    const before = policy.current.version;
    await writeFile(file(), `${original}}`);
    await until('the broken file is seen', () => policy.current.problems.some(({ kind }) => kind === 'unreadable'));
    equal(policy.current.version, before);
  });

  it('shows invalid and ignored lines where they stand', async () => {
    await writeFile(file(), '{\n  "sluice.profile": "all",\n  "sluice.sandbox.enabled": false,\n  "sluice.approval.writes": "auto"\n}\n');
    await until('the lines are told', () => told().some(({ code }) => code === 'invalid'));
    const lines = told().map(({ code, range, severity }) => [range.start.line, code, vscode.DiagnosticSeverity[severity]]).sort();
    deepEqual(lines, [[1, 'invalid', 'Warning'], [2, 'ignored', 'Information'], [3, 'loosening', 'Information']]);
    await rm(file());
    await until('nothing is told', () => told().length === 0);
  });
});
