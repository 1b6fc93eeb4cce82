import { realpath } from 'node:fs/promises';
import { HashChain } from '../core/audit/hash-chain.ts';
import { describeEntry } from '../core/audit/describe.ts';
import type { AuditEntry, AuditLog } from '../core/audit/record.ts';
import { openAppendLog, type AppendLog } from '../sandbox/append.ts';
import { sha256 } from './system.ts';

export interface AuditFileOptions {
  /** Absolute path of the folder that gets `.sluice/audit`, links allowed; asked when the file is first needed. */
  readonly folder: () => string | Promise<string>;
  /** What the folder is called in the first record. */
  readonly place: () => string;
  readonly session: string;
  readonly version: string;
  readonly now: () => Date;
  /** Gets one line a record, after it is durable. */
  readonly log: (line: string) => void;
  /** Gets the reason when a record could not be written. */
  readonly failed: (what: string) => void;
}

/**
 * The audit of one window: a file of its own, opened at the first record, so that several windows never write to
 * one chain. After a failed append the file is given up and the next record opens a new one: a chain never goes on
 * behind a gap.
 */
export class AuditFile implements AuditLog {
  readonly #options: AuditFileOptions;
  #open: Promise<{ log: AppendLog; chain: HashChain }> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #number = 0;

  constructor(options: AuditFileOptions) {
    this.#options = options;
  }

  append(entry: AuditEntry): Promise<void> {
    const done = this.#turn.then(() => this.#write(entry));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async close(): Promise<void> {
    await this.#turn;
    const open = await this.#open?.catch(() => undefined);
    this.#open = undefined;
    await open?.log.close();
  }

  async #write(entry: AuditEntry): Promise<void> {
    try {
      this.#open ??= this.#start();
      const { log, chain } = await this.#open;
      await this.#link(log, chain, entry);
    } catch (error) {
      const broken = this.#open;
      this.#open = undefined;
      void broken?.then(({ log }) => log.close(), () => undefined);
      this.#options.failed(error instanceof Error ? error.message : 'unknown error');
      throw error;
    }
  }

  async #start(): Promise<{ log: AppendLog; chain: HashChain }> {
    this.#number += 1;
    const { folder, now, session, version, place } = this.#options;
    const day = now().toISOString().slice(0, 10);
    // The folder that was opened may lie behind a link; below it none is followed.
    const log = await openAppendLog(await realpath(await folder()), `${day}-${session}-${this.#number}.jsonl`);
    const chain = new HashChain(sha256);
    try {
      await this.#link(log, chain, { kind: 'opened', version, session, folder: place() });
    } catch (error) {
      await log.close().catch(() => undefined);
      throw error;
    }
    return { log, chain };
  }

  async #link(log: AppendLog, chain: HashChain, entry: AuditEntry): Promise<void> {
    await log.append(JSON.stringify(chain.link(entry, this.#options.now().toISOString())));
    this.#options.log(describeEntry(entry));
  }
}
