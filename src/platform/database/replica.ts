import { setTimeout as pause } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';

import { type Connection, dataSourceOptions } from './data-source.options.js';
import { databaseErrorCode, LateReplicaError } from './database.errors.js';
import { replicaName, requireReplica } from './replica-facts.js';

/** How long the primary server answers alone after a replica was of no use. */
const REST_MS = 5000;
/** Until it is known what the replica has: the answer is due from the primary server then. */
const PATIENCE_MS = 1000;
/**
 * Reads of so many lists in a row for which the replica was behind: those of the next ones would be lost time too. One
 * list alone tells nothing of it: while a list changes all the time, every replica is behind.
 */
const MOST_BEHIND = 3;

/** What became of the reads that were tried on a replica. */
export interface ReplicaReads {
  readonly served: number;
  /** The replica had not replayed what the caller has seen. */
  readonly behind: number;
  readonly failed: number;
}

/** What a snapshot is good for: "unready" where that may be no other on the primary server. */
export type Fitness = 'fit' | 'behind' | 'unready';

/** A test of what the snapshot shows, and whatever is read if it passes: in one snapshot. */
export interface SnapshotWork<T> {
  /** Of whom it is: what is behind for one may be up to date for all others. */
  readonly key: string;
  readonly test: (manager: EntityManager) => Promise<Fitness>;
  readonly read: (manager: EntityManager) => Promise<T>;
}

interface Snapshot<T> {
  readonly fitness: Fitness;
  /** Where it is fit. */
  readonly value: T | undefined;
}

/** A server that follows the primary one. It is left alone for a while when it fails, and is examined before it is used again. */
export class Replica {
  readonly name: string;
  readonly reads = { served: 0, behind: 0, failed: 0 };
  private readonly logger = new Logger(Replica.name);
  private readonly dataSource: DataSource;
  private readonly stopping = new AbortController();
  private watching: Promise<void> | undefined;
  private isOpen = false;
  /** Those for whom it was behind since it last served. */
  private readonly lacking = new Set<string>();
  /** What the log has said last of why it is not used. */
  private reason: string | undefined;

  constructor(
    connection: Connection & { readonly url: string },
    poolSize: number,
    private readonly primary: EntityManager,
  ) {
    this.name = replicaName(connection.url);
    const { entities } = primary.dataSource.options;
    const options = dataSourceOptions({ ...connection, isReplica: true }, poolSize);
    this.dataSource = new DataSource({ ...options, ...(entities && { entities }) });
  }

  /** Whether reads may be tried on it; one that is not open yet is opened in the background. */
  isUsable(): boolean {
    if (!this.isOpen) {
      this.watch(0);
    }
    return this.isOpen;
  }

  /** Undefined where the primary server has to answer: the snapshot is not fit, or the replica failed. */
  async read<T>(work: SnapshotWork<T>): Promise<T | undefined> {
    try {
      const { fitness, value } = await this.snapshot(work);
      this.count(fitness, work.key);
      return value;
    } catch (error) {
      this.reads.failed += 1;
      this.lacking.clear();
      // A value that the database refuses is refused by every server.
      if (databaseErrorCode(error) !== 'invalid_value') {
        this.leave(error);
      }
      return undefined;
    }
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.watching;
    await (this.dataSource.isInitialized && this.dataSource.destroy());
  }

  /** One moment of the replica. No answer waits for its end. */
  private async snapshot<T>({ test, read }: SnapshotWork<T>): Promise<Snapshot<T>> {
    const runner = this.dataSource.createQueryRunner();
    // They travel together.
    const begun = Promise.all([runner.query(BEGIN), test(runner.manager)]);
    try {
      const [, fitness] = await inTime(begun);
      return { fitness, value: fitness === 'fit' ? await read(runner.manager) : undefined };
    } finally {
      void begun.catch(() => undefined).then(() => end(runner));
    }
  }

  private count(fitness: Fitness, key: string): void {
    if (fitness === 'fit') {
      this.reads.served += 1;
      this.lacking.clear();
      return;
    }
    this.reads.behind += 1;
    if (fitness === 'behind' && this.lacking.add(key).size === MOST_BEHIND) {
      this.lacking.clear();
      this.leave(undefined);
    }
  }

  private leave(error: unknown): void {
    this.isOpen = false;
    this.tell(error);
    this.watch(REST_MS);
  }

  private watch(afterMs: number): void {
    if (!this.stopping.signal.aborted) {
      this.watching ??= this.becomeOpen(afterMs).finally(() => {
        this.watching = undefined;
      });
    }
  }

  private async becomeOpen(afterMs: number): Promise<void> {
    const { signal } = this.stopping;
    for (let ms = afterMs; !this.isOpen && !signal.aborted; ms = REST_MS) {
      await pause(ms, undefined, { signal, ref: false }).then(
        () => this.examine(),
        () => undefined,
      );
    }
  }

  private async examine(): Promise<void> {
    try {
      await (this.dataSource.isInitialized || this.dataSource.initialize());
      await requireReplica(this.primary, this.dataSource.manager);
      this.isOpen = true;
      if (this.reason !== undefined) {
        this.logger.log({ replica: this.name, msg: 'replica in use again' });
        this.reason = undefined;
      }
    } catch (error) {
      this.tell(error);
    }
  }

  /** Once for each reason. */
  private tell(error: unknown): void {
    const reason = error instanceof Error ? error.message : undefined;
    if (reason !== undefined && reason !== this.reason) {
      this.logger.warn(`replica ${this.name} is not used: ${reason}`);
      this.reason = reason;
    }
  }
}

/** TypeORM sets the level by a statement of its own, which would have to be waited for. */
const BEGIN = 'START TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';

async function end(runner: QueryRunner): Promise<void> {
  await runner.query('COMMIT').catch(() => undefined);
  await runner.release().catch(() => undefined);
}

async function inTime<T>(begun: Promise<T>): Promise<T> {
  const limit = new AbortController();
  const late = async (): Promise<never> => {
    await pause(PATIENCE_MS, undefined, { signal: limit.signal });
    // What came while this process was busy is read first.
    await new Promise(setImmediate);
    throw new LateReplicaError();
  };
  const lateness = late();
  lateness.catch(() => undefined);
  try {
    return await Promise.race([begun, lateness]);
  } finally {
    limit.abort();
  }
}
