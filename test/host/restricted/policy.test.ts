import { deepEqual, equal } from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { filterToolsByPolicy } from '../../../src/core/policy/profiles.ts';
import { readLayers, readPolicy } from '../../../src/host/settings.ts';
import { TOOLS } from '../../../src/tools/index.ts';

describe('Restricted Mode', () => {
  const folder = () => path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, '.vscode');

  it('ignores what the workspace\'s settings loosen and offers reading only', async () => {
    const before = readPolicy();
    await mkdir(folder(), { recursive: true });
    await writeFile(path.join(folder(), 'settings.json'), JSON.stringify({
      'sluice.profile': 'full', 'sluice.approval.writes': 'auto', 'sluice.network.policy': 'allow', 'sluice.model.baseUrl': 'http://127.0.0.1:1/v1', 'sluice.sandbox.enabled': false,
    }));
    try {
      await new Promise((done) => setTimeout(done, 1_500));
      const { settings, trusted } = readPolicy();
      equal(trusted, false);
      deepEqual(settings, before.settings);
      const anything = { has: () => true } as unknown as ReadonlySet<string>;
      const { policy } = readLayers({ memory: { accepted: () => anything, accept: () => undefined, revoke: () => undefined, hasRung: () => true, ring: () => undefined, lastGood: () => undefined, keep: () => undefined } });
      deepEqual([policy.settings, policy.loosening.length, policy.consented], [before.settings, 3, false]);
    } finally {
      await rm(folder(), { recursive: true, force: true });
    }
    const offered = filterToolsByPolicy(TOOLS, { policy: readPolicy(), channel: 'editor' }).map((tool) => tool.name).sort();
    deepEqual(offered, ['ask_user', 'find_files', 'list_directory', 'read_diagnostics', 'read_file', 'search_text']);
  });
});
