import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportMissing, throwAway, workshop } from './workshop.ts';

const missing = reportMissing();
const key = ['sk', 'canary', '1'].join('-');
const secrets = { OPENAI_API_KEY: key, GITHUB_TOKEN: ['ghp', 'canary2'].join('_'), SLUICE_X: 'canary3', VSCODE_IPC_HOOK_CLI: '/tmp/canary4', SSH_AUTH_SOCK: '/tmp/canary5', NODE_OPTIONS: '--title=canary6', BASH_ENV: '/tmp/canary7' };

describe.skipIf(missing)(`confined commands${missing === undefined ? '' : ` (${missing})`}`, () => {
  const outside = throwAway();
  const secretFolder = throwAway();
  const bench = workshop({ env: { ...process.env, ...secrets }, hidden: [secretFolder] });
  let server: Server;
  let socketServer: Server;
  let port = 0;
  let connections = 0;

  beforeAll(async () => {
    for (const name of ['.sluice', '.vscode', '.git/hooks', 'packages/inner/.git/hooks', 'packages/inner/.vscode']) mkdirSync(join(bench.folder, name), { recursive: true });
    writeFileSync(join(bench.folder, '.git/config'), '[core]\n');
    writeFileSync(join(bench.folder, 'packages/inner/.git/config'), '[core]\n');
    writeFileSync(join(bench.folder, 'main.code-workspace'), '{}');
    writeFileSync(join(outside, 'target'), 'untouched');
    writeFileSync(join(secretFolder, 'key'), 'canary8');
    symlinkSync(join(outside, 'target'), join(bench.folder, 'link'));
    symlinkSync(outside, join(bench.folder, 'linked'));
    server = createServer((socket) => { connections += 1; socket.destroy(); });
    socketServer = createServer((socket) => { connections += 1; socket.destroy(); });
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    await new Promise<void>((resolve) => { socketServer.listen(join(bench.folder, 'socket'), resolve); });
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => { server.close(); socketServer.close(); });

  it('has a sandbox that passed its own test', async () => {
    expect(await bench.runner.status()).toEqual({ available: true, fix: undefined, detail: expect.stringContaining('no network') as string });
    expect(readdirSync(bench.temp)).toEqual([]);
  });

  it('writes in the workspace and in a private temporary folder that goes afterwards', async () => {
    const result = await bench.shell('echo a > made && echo b > "$TMPDIR/t" && cat "$TMPDIR/t" && echo "$TMPDIR"');
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, confined: true, note: undefined });
    const [first, temp = ''] = result.output.split('\n');
    expect(first).toBe('b');
    expect(temp.startsWith(bench.temp)).toBe(true);
    expect(existsSync(temp)).toBe(false);
    expect(readFileSync(join(bench.folder, 'made'), 'utf8')).toBe('a\n');
  });

  const unwritable = [
    ['outside', () => join(outside, 'new')], ['the home folder', () => join(homedir(), 'sluice-canary')], ['the system temp folder', () => '/tmp/sluice-canary'],
    ['a file through a link', () => 'link'], ['a folder through a link', () => 'linked/new'],
    ['.sluice', () => '.sluice/policy.json'], ['.vscode', () => '.vscode/settings.json'], ['git hooks', () => '.git/hooks/pre-commit'],
    ['git config', () => '.git/config'], ['nested hooks', () => 'packages/inner/.git/hooks/x'], ['nested git config', () => 'packages/inner/.git/config'],
    ['nested .vscode', () => 'packages/inner/.vscode/tasks.json'], ['a missing .mcp.json', () => '.mcp.json'], ['a missing .idea', () => '.idea/x'],
    ['a missing agent folder', () => '.claude/agents/x.md'], ['a workspace file', () => 'main.code-workspace'],
  ] as const;
  it.each(unwritable)('cannot write %s', async (_name, path) => {
    const file = path();
    const before = existsSync(join(bench.folder, file)) ? readFileSync(join(bench.folder, file), 'utf8') : undefined;
    const result = await bench.argv(['bash', '-c', 'mkdir -p "$(dirname "$1")" 2>/dev/null; echo changed >> "$1"; echo "wrote $?"', 'x', file]);
    expect(result.end).toBe('exited');
    if (file === '.mcp.json') expect(existsSync(join(bench.folder, file))).toBe(false);
    else expect(result.output).not.toContain('wrote 0');
    if (before !== undefined) expect(readFileSync(join(bench.folder, file), 'utf8')).toBe(before);
    else expect(existsSync(file.startsWith('/') ? file : join(bench.folder, file))).toBe(false);
    expect(readFileSync(join(outside, 'target'), 'utf8')).toBe('untouched');
  });

  it.each(['mv .vscode away', 'rm -rf .git/hooks', 'mv .git elsewhere', 'rm -rf .sluice'])('cannot move a protected place away: %s', async (line) => {
    expect((await bench.shell(`${line} 2>&1`)).exitCode).not.toBe(0);
    for (const name of ['.vscode', '.git/hooks', '.sluice']) expect(existsSync(join(bench.folder, name))).toBe(true);
  });

  it('leaves no stand-ins behind in the workspace', async () => {
    await bench.shell('true');
    for (const name of ['.idea', '.mcp.json', '.claude']) expect(existsSync(join(bench.folder, name))).toBe(false);
  });

  it('reaches neither 127.0.0.1 nor ::1 nor another host nor a socket file, and has no proxy', async () => {
    const tries = [
      `exec 3<>/dev/tcp/127.0.0.1/${String(port)} && echo reached`, `exec 3<>/dev/tcp/::1/${String(port)} && echo reached`,
      'exec 3<>/dev/tcp/192.0.2.1/80 && echo reached', 'socat -u OPEN:/dev/null UNIX-CONNECT:socket && echo reached',
    ];
    const result = await bench.shell(`${tries.map((line) => `(${line})`).join('; ')}; env | grep -i proxy; echo over`);
    expect(result.output).not.toContain('reached');
    expect(result.output).toMatch(/Operation not permitted|not permitted/);
    expect(result.output).not.toMatch(/proxy/i);
    expect(result.output.trim().endsWith('over')).toBe(true);
    expect(connections).toBe(0);
  });

  it.each(['env', 'cat /proc/$PPID/environ | tr "\\0" "\\n"', 'cat /proc/self/environ', 'cat /proc/[0-9]*/environ', `cat /proc/${String(process.pid)}/environ`])('CM-09: sees no secret of the editor: %s', async (line) => {
    const result = await bench.shell(line);
    expect(result.end).toBe('exited');
    expect(result.output).not.toMatch(/canary/);
    expect(result.output).not.toContain(key);
  });

  it('cannot read what is hidden', async () => {
    const result = await bench.shell(`cat ${secretFolder}/key; ls -A ${secretFolder}`);
    expect(result.output).not.toContain('canary8');
  });

  it('cannot change settings of the kernel, also as root (asked, not tried)', async () => {
    const result = await bench.shell('for f in /proc/sys/kernel/core_pattern /proc/sys/vm/swappiness /proc/sysrq-trigger; do test -w $f && echo "open: $f"; done; cat /proc/sys/kernel/ostype');
    expect(result.output).toBe('Linux\n');
  });

  it('says how a command ended, with its exit code', async () => {
    expect(await bench.shell('exit 7')).toMatchObject({ end: 'exited', exitCode: 7, signal: undefined, note: undefined });
    expect(await bench.shell('kill -9 $$')).toMatchObject({ end: 'exited', exitCode: 137, note: expect.stringContaining('SIGKILL') as string });
    expect(await bench.shell('no-such-program')).toMatchObject({ end: 'exited', exitCode: 127 });
  });
});
