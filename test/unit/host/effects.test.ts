import { execFileSync } from 'node:child_process';
import { chmod, link, lstat, mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandResource, FileChange } from '../../../src/core/call.ts';
import { isRefusal } from '../../../src/core/refusal.ts';
import type { Resolution } from '../../../src/core/tool.ts';
import { openEffects, type ExecutionParts } from '../../../src/host/effects.ts';
import { createReading } from '../../../src/host/reading.ts';
import { writeFileAtomically } from '../../../src/sandbox/files.ts';
import { createSearch } from '../../../src/sandbox/search.ts';
import { editFile } from '../../../src/tools/edit-file/edit-file.ts';
import { writeFile as writeTool } from '../../../src/tools/write-file/write-file.ts';

let base = '';
let parts: ExecutionParts;
const runs: unknown[] = [];
const at = (...names: string[]) => path.join(base, 'w', ...names);
const hooks = { onOutput: () => undefined, signal: new AbortController().signal };

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'sluice-effects-')));
  await mkdir(at());
  runs.length = 0;
  parts = {
    reading: createReading({ folders: () => [at()], home: '/nowhere', platform: 'linux' }),
    files: { writeFileAtomically }, folders: () => [at()], outputLimitBytes: () => 1_000,
    search: createSearch({ candidates: ['rg'], env: process.env }),
    runner: {
      status: () => Promise.resolve({ available: true, detail: '', fix: undefined }), dispose: () => Promise.resolve(),
      run: (command, options) => {
        runs.push([command.line, options.confined, options.writable]);
        return Promise.resolve({ end: 'exited', exitCode: 0, signal: undefined, output: '', droppedBytes: 0, durationMs: 1, confined: true, note: undefined });
      },
    },
    askPerson: () => Promise.resolve(undefined),
  };
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function resolved(tool: typeof editFile, args: unknown): Promise<Resolution> {
  const resolution = await tool.resolve(args, { reading: parts.reading, defaults: { commandTimeoutMs: 1, maxCommandTimeoutMs: 1 } });
  if (isRefusal(resolution)) throw new Error(resolution.forModel);
  return resolution;
}

const effectsOf = (resolution: Resolution) => openEffects({ ...resolution, confined: true }, hooks, parts);
const run = async (tool: typeof editFile, args: unknown) => {
  const resolution = await resolved(tool, args);
  return tool.run(args, resolution, effectsOf(resolution));
};
const edit = (file: string, old_text: string, new_text: string) => ({ path: file, edits: [{ old_text, new_text }] });

describe('a file that changes while the approval waits (ED-09)', () => {
  const outside = () => path.join(base, 'outside.txt');
  const rows: [name: string, change: (file: string) => Promise<void>, after: string | undefined][] = [
    ['A: overwritten', (file) => writeFile(file, 'user\nv1\n'), 'user\nv1\n'],
    ['B: deleted', (file) => unlink(file), undefined],
    ['C: replaced by a directory', async (file) => { await unlink(file); await mkdir(file); }, undefined],
    ['D: replaced by a link to outside', async (file) => { await unlink(file); await symlink(outside(), file); }, 'v1\n'],
    ['F: same size and time, other bytes', async (file) => { const { atime, mtime } = await stat(file); await writeFile(file, 'v9\n'); await utimes(file, atime, mtime); }, 'v9\n'],
  ];
  it.each(rows)('%s: nothing is written', async (_name, change, after) => {
    await writeFile(outside(), 'v1\n');
    await writeFile(at('a.txt'), 'v1\n');
    const resolution = await resolved(editFile, edit('a.txt', 'v1', 'v2'));
    await change(at('a.txt'));
    await expect(effectsOf(resolution).applyChanges(resolution.changes)).rejects.toThrow('a.txt changed since it was shown');
    expect(await readFile(at('a.txt'), 'utf8').catch(() => undefined)).toBe(after);
    expect(await readFile(outside(), 'utf8')).toBe('v1\n');
    expect((await readdir(at())).filter((name) => name !== 'a.txt')).toEqual([]);
  });

  it('E: only the time changed: it is written', async () => {
    await writeFile(at('a.txt'), 'v1\n');
    const resolution = await resolved(editFile, edit('a.txt', 'v1', 'v2'));
    await utimes(at('a.txt'), 1, 1);
    expect(await editFile.run({}, resolution, effectsOf(resolution))).toMatchObject({ status: 'succeeded', summary: '+1 -1' });
    expect(await readFile(at('a.txt'), 'utf8')).toBe('v2\n');
  });

  it('a new file never overwrites one that appeared', async () => {
    const resolution = await resolved(writeTool, { path: 'new/b.txt', content: 'ours\n' });
    await mkdir(at('new'));
    await writeFile(at('new/b.txt'), 'theirs\n');
    await expect(effectsOf(resolution).applyChanges(resolution.changes)).rejects.toThrow('changed since it was shown');
    expect(await readFile(at('new/b.txt'), 'utf8')).toBe('theirs\n');
  });

  it('one stale file among several stops them all', async () => {
    await writeFile(at('a.txt'), 'a\n');
    await writeFile(at('b.txt'), 'b\n');
    const [first, second] = [await resolved(editFile, edit('a.txt', 'a', 'A')), await resolved(editFile, edit('b.txt', 'b', 'B'))];
    await writeFile(at('b.txt'), 'c\n');
    const both = { ...first, resources: [...first.resources, ...second.resources], changes: [...first.changes, ...second.changes] };
    await expect(effectsOf(both).applyChanges(both.changes)).rejects.toThrow('b.txt');
    expect(await readFile(at('a.txt'), 'utf8')).toBe('a\n');
  });
});

describe('what a write keeps', () => {
  it('a link stays a link and its target is written (ED-05)', async () => {
    await mkdir(at('real'));
    await writeFile(at('real/conf.json'), '{}\n');
    await symlink('real/conf.json', at('conf.json'));
    const resolution = await resolved(writeTool, { path: 'conf.json', content: '{"a":1}\n' });
    expect(resolution.subject.target).toBe('real/conf.json');
    await writeTool.run({}, resolution, effectsOf(resolution));
    expect((await lstat(at('conf.json'))).isSymbolicLink()).toBe(true);
    expect(await readFile(at('real/conf.json'), 'utf8')).toBe('{"a":1}\n');
  });

  it('a link to outside is judged and named by where it leads (ED-05)', async () => {
    await symlink(path.join(base, 'x.json'), at('out.json'));
    const { resources, subject } = await resolved(writeTool, { path: 'out.json', content: '{}' });
    expect(resources[0]).toMatchObject({ real: path.join(base, 'x.json'), folder: undefined, linked: true });
    expect(subject.target).toBe(path.join(base, 'x.json'));
  });

  it('mode bits and hard links stay (ED-07)', async () => {
    await writeFile(at('run.sh'), 'echo 1\n');
    await chmod(at('run.sh'), 0o755);
    await writeFile(at('secret.conf'), 'a\n');
    await chmod(at('secret.conf'), 0o640);
    await writeFile(at('h1'), 'one\n');
    await link(at('h1'), at('h2'));
    await run(editFile, edit('run.sh', '1', '2'));
    await run(writeTool, { path: 'secret.conf', content: 'b\n' });
    await run(editFile, edit('h1', 'one', 'two'));
    expect((await stat(at('run.sh'))).mode & 0o7777).toBe(0o755);
    expect((await stat(at('secret.conf'))).mode & 0o7777).toBe(0o640);
    expect(await readFile(at('h2'), 'utf8')).toBe('two\n');
  });

  it.each(['src/[slug]', 'a b', '50%25 off', '#x', '\u00e9', 'e\u0301', '{x}', 'q?', '-rf'])('writes, reads and edits below %s (ED-17)', async (folder) => {
    await run(writeTool, { path: `${folder}/f.txt`, content: 'one\n' });
    await run(editFile, edit(`${folder}/f.txt`, 'one', 'two'));
    expect(await readFile(at(folder, 'f.txt'), 'utf8')).toBe('two\n');
    const root = await parts.reading.locate(folder, 'read');
    const found = await openEffects({ resources: [root], changes: [], confined: true }, hooks, parts).searchText(root, { pattern: 'two', regex: false, caseSensitive: true, include: undefined }, 5);
    expect(found.items).toEqual([{ path: `${folder}/f.txt`, line: 1, text: 'two' }]);
  });
});

describe('what a grant opens', () => {
  it('is what it names and nothing else', async () => {
    await writeFile(at('a.txt'), 'a\n');
    await writeFile(at('b.txt'), 'b\n');
    const resolution = await resolved(editFile, edit('a.txt', 'a', 'A'));
    const effects = effectsOf(resolution);
    const other = await parts.reading.locate('b.txt', 'read');
    const command: CommandResource = { kind: 'command', form: 'argv', argv: ['ls'], line: 'ls', cwd: other, timeoutMs: 1 };
    const amended: FileChange = { ...resolution.changes[0]!, after: 'B\n' };
    const attempts = [
      effects.readText(other), effects.listDirectory(other, 1), effects.findFiles(other, '*', 1), effects.readProblems(other, 1),
      effects.searchText(other, { pattern: 'b', regex: false, caseSensitive: true, include: undefined }, 1),
      effects.runCommand(command), effects.applyChanges([amended]), effects.applyChanges([{ ...amended, path: { ...other, operation: 'write' } }]),
    ];
    for (const attempt of await Promise.allSettled(attempts)) {
      expect(attempt.status === 'rejected' && (attempt.reason as Error).name).toBe('NotGranted');
    }
    expect(await readFile(at('a.txt'), 'utf8')).toBe('a\n');
  });

  it('runs the granted command, confined to the real workspace folders', async () => {
    const cwd = await parts.reading.locate('.', 'list');
    const command: CommandResource = { kind: 'command', form: 'argv', argv: ['ls', '-l'], line: 'ls -l', cwd, timeoutMs: 1 };
    const effects = openEffects({ resources: [command], changes: [], confined: true }, hooks, parts);
    await effects.runCommand(command);
    await expect(effects.runCommand({ ...command, argv: ['ls', '-a'] })).rejects.toThrow('not the one');
    expect(runs).toEqual([['ls -l', true, [at()]]]);
  });
});

describe('looking around', () => {
  const around = async (root: string, operation: 'read' | 'list') => {
    const located = await parts.reading.locate(root, operation);
    return { located, effects: openEffects({ resources: [located], changes: [], confined: true }, hooks, parts) };
  };

  it('lists kinds, sorted and bounded', async () => {
    await mkdir(at('d'));
    await writeFile(at('b'), 'xx');
    await symlink('b', at('a'));
    execFileSync('mkfifo', [at('p')]);
    const { located, effects } = await around('.', 'list');
    expect(await effects.listDirectory(located, 3)).toEqual({
      truncated: true,
      items: [{ name: 'a', kind: 'link', bytes: undefined }, { name: 'b', kind: 'file', bytes: 2 }, { name: 'd', kind: 'directory', bytes: undefined }],
    });
    const file = await around('b', 'list');
    expect(await file.effects.listDirectory(file.located, 3)).toMatchObject({ problem: 'not_regular' });
  });

  it('finds and searches without credentials, own files and what lies behind links (AA-07)', async () => {
    const canary = 'canary';
    await mkdir(at('.sluice'));
    await mkdir(path.join(base, 'outside'));
    for (const file of [at('.env'), at('key.pem'), at('.sluice/audit.jsonl'), path.join(base, 'outside/o.txt'), at('ok.txt')]) await writeFile(file, `${canary}\n`);
    await symlink('../outside', at('linked'));
    await symlink('.env', at('cfg'));
    const list = await around('.', 'list');
    expect(await list.effects.findFiles(list.located, '**/*', 50)).toEqual({ items: ['ok.txt'], truncated: false });
    const read = await around('.', 'read');
    const query = { pattern: canary, regex: false, caseSensitive: true, include: undefined };
    expect(await read.effects.searchText(read.located, query, 50)).toEqual({ items: [{ path: 'ok.txt', line: 1, text: canary }], truncated: false });
  });

  it('searches a credential file that was itself granted', async () => {
    await writeFile(at('.env'), 'K=1\n');
    const { located, effects } = await around('.env', 'read');
    const query = { pattern: 'K', regex: false, caseSensitive: true, include: undefined };
    expect((await effects.searchText(located, query, 5)).items).toEqual([{ path: '.env', line: 1, text: 'K=1' }]);
  });

  it('searches a single file, and a granted place outside every folder', async () => {
    await mkdir(path.join(base, 'outside'));
    await writeFile(path.join(base, 'outside/o.txt'), 'x\nhit\n');
    const query = { pattern: 'hit', regex: false, caseSensitive: true, include: undefined };
    for (const place of ['outside', 'outside/o.txt']) {
      const { located, effects } = await around(path.join(base, place), 'read');
      expect((await effects.searchText(located, query, 5)).items).toEqual([{ path: path.join(base, 'outside/o.txt'), line: 2, text: 'hit' }]);
    }
  });
});
