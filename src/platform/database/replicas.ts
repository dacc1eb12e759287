import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

import { Config } from '../config/config.js';
import { Database, isDistributed } from './database.js';
import { Replica, type ReplicaReads, type SnapshotWork } from './replica.js';

const TELL_EVERY_MS = 60_000;

/** The servers of DATABASE_REPLICA_URLS, in turn (docs/decisions/0086). */
@Injectable()
export class Replicas implements OnApplicationShutdown {
  private readonly logger = new Logger(Replicas.name);
  private readonly replicas: readonly Replica[];
  private readonly told = new Map<Replica, string>();
  private readonly timer: NodeJS.Timeout | undefined;
  private turn = 0;

  constructor(
    { databaseReplicaUrls, databasePooler, databasePoolSize }: Config,
    private readonly database: Database,
  ) {
    this.replicas = databaseReplicaUrls.map(
      (url) => new Replica({ url, pooler: databasePooler }, databasePoolSize, database.manager),
    );
    if (this.replicas.length > 0) {
      // Web workers have no schedule.
      this.timer = setInterval(() => {
        this.tell();
      }, TELL_EVERY_MS).unref();
    }
  }

  /** What became of reads since the start, by the name of the replica. */
  get reads(): ReadonlyMap<string, ReplicaReads> {
    return new Map(this.replicas.map(({ name, reads }) => [name, { ...reads }]));
  }

  /** False where none is configured, or all are left alone at the moment. */
  areUsable(): boolean {
    return this.usable().length > 0;
  }

  /** Undefined where the primary server has to answer. */
  async read<T>(work: SnapshotWork<T>): Promise<T | undefined> {
    const usable = this.usable();
    this.turn += 1;
    return usable[this.turn % usable.length]?.read(work);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.tell();
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  /** None where lists lie on several servers: whether a replica has all of a list cannot be told in one statement then. */
  private usable(): Replica[] {
    if (isDistributed(this.database.manager)) {
      return [];
    }
    return this.replicas.filter((replica) => replica.isUsable());
  }

  /** A line for each replica of which there is news. */
  private tell(): void {
    for (const replica of this.replicas) {
      const { name, reads } = replica;
      const line = JSON.stringify(reads);
      if (line !== this.told.get(replica) && Object.values(reads).some((count) => count > 0)) {
        this.told.set(replica, line);
        this.logger.log({ replica: name, ...reads, msg: 'replica reads' });
      }
    }
  }
}
