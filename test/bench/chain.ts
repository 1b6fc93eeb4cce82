/** One call through all ten stages without a person: 500 reads, with the audit discarded and with it on the disk. */
import { closeSync, fdatasync, openSync, write } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runCall } from '../../src/core/chain/chain.ts';
import type { AuditLog } from '../../src/core/audit/record.ts';
import { AuditFile } from '../../src/host/audit-file.ts';
import { tempFolder } from '../e2e/harness/workspace.ts';
import { chainParts, discard, smallWorld } from './parts.ts';
import { report, sample, spread } from './rows.ts';

const CALLS = 500;
const WARM_UP = 100;
/** A record of a read is about this long. */
const RECORD_BYTES = 700;

const world = smallWorld();
const actor = { session: 'bench', task: 'bench', channel: 'editor' } as const;

async function calls(audit: AuditLog): Promise<number[]> {
  const parts = chainParts(world, audit);
  const never = new AbortController().signal;
  return sample(CALLS, WARM_UP, async (n) => {
    const call = { id: `call_${n}`, tool: 'read_file', argumentsText: '{"path":"src/date.js"}', complete: true };
    const settled = await runCall({ stage: 'proposed', call, actor, agentSays: undefined }, parts, never);
    if (settled.status !== 'succeeded') throw new Error(`the call did not run: ${settled.text}`);
  });
}

/** The same bytes read and nothing else: what a call costs without a chain. */
async function reads(): Promise<number[]> {
  return sample(CALLS, WARM_UP, async () => {
    const found = await world.reading.readText(await world.reading.locate('src/date.js', 'read'));
    if ('problem' in found) throw new Error(found.message);
  });
}

/** Two appends with fdatasync, as one call records a decision and a result. */
async function appends(path: string): Promise<number[]> {
  const fd = openSync(path, 'ax', 0o600);
  const bytes = Buffer.alloc(RECORD_BYTES, 'x');
  try {
    return await sample(CALLS, WARM_UP, async () => {
      for (let n = 0; n < 2; n += 1) {
        await promisify(write)(fd, bytes);
        await promisify(fdatasync)(fd);
      }
    });
  } finally {
    closeSync(fd);
  }
}

const folder = await tempFolder('bench');
try {
  const bare = await reads();
  const inMemory = await calls(discard);
  const workspace = join(folder.path, 'workspace');
  await mkdir(workspace);
  const audit = new AuditFile({
    folder: () => workspace, place: () => 'bench', session: 'bench', version: '0', now: () => new Date(), log: () => undefined, failed: (what) => { throw new Error(what); },
  });
  const raw = await appends(join(folder.path, 'raw'));
  const durable = await calls(audit);
  await audit.close();
  report([
    ...spread('A call through the chain, in memory', inMemory, 'the file read alone', bare, 'µs'),
    ...spread('A call with the audit on the disk', durable, 'two raw fdatasync appends', raw, 'ms'),
  ]);
} finally {
  await folder.dispose();
}
