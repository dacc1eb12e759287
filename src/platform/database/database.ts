import { Injectable } from '@nestjs/common';
import {
  DataSource,
  type EntityManager,
  type EntityMetadata,
  type EntityTarget,
  type ObjectLiteral,
  type QueryRunner,
} from 'typeorm';

import { NoConnectionError, sqlState } from './database.errors.js';
import { HAS_CITUS } from './database-client.js';

const MAX_ATTEMPTS = 3;
/** PostgreSQL ended the transaction because of a conflict with another: serialization failure, deadlock. */
const RETRIED = new Set(['40001', '40P01']);

/** The pool and its transactions. A repository joins a transaction by `manager.withRepository`. */
@Injectable()
export class Database {
  constructor(private readonly dataSource: DataSource) {}

  /** Opens the pool. Until then, all work fails as if the database were unreachable. */
  async open(): Promise<void> {
    await this.dataSource.initialize();
  }

  get isOpen(): boolean {
    return this.dataSource.isInitialized;
  }

  /** Runs statements outside a transaction. Each sees the data that is committed when it begins. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Runs the work in one transaction. Repeats the work after a deadlock or serialization failure, so it must be
   * repeatable.
   */
  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.dataSource.transaction(work);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !RETRIED.has(sqlState(error))) {
          throw error;
        }
      }
    }
  }

  /** Runs the work in one read-only transaction, which sees the same rows throughout. */
  async snapshot<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query('SET TRANSACTION READ ONLY');
      return work(manager);
    });
  }
}

/** True with Citus, or if the table of lists is partitioned by user. */
const IS_DISTRIBUTED = `
  SELECT ${HAS_CITUS}
    OR EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('lists') AND relkind = 'p') AS "isDistributed"`;

/**
 * A data source whose repositories can be injected before it is open. Until then, they fail as if there were no
 * connection.
 */
export class LateDataSource extends DataSource {
  /** Set when the data source is opened. */
  isDistributed = false;

  override async initialize(): Promise<this> {
    await super.initialize();
    try {
      const [facts] = await this.query<[{ isDistributed: boolean }]>(IS_DISTRIBUTED);
      this.isDistributed = facts.isDistributed;
    } catch (error) {
      await this.destroy();
      throw error;
    }
    return this;
  }

  override createQueryRunner(mode?: 'master' | 'slave'): QueryRunner {
    this.requireOpen();
    return super.createQueryRunner(mode);
  }

  override getMetadata<Entity extends ObjectLiteral>(target: EntityTarget<Entity>): EntityMetadata {
    this.requireOpen();
    return super.getMetadata(target);
  }

  private requireOpen(): void {
    if (!this.isInitialized) {
      throw new NoConnectionError('the database has not answered since the start');
    }
  }
}

/**
 * Returns true if the rows of a user may be on another server than shared rows. Then, no statement may read both
 * (docs/decisions/0082).
 */
export const isDistributed = ({ dataSource }: EntityManager): boolean =>
  dataSource instanceof LateDataSource && dataSource.isDistributed;
