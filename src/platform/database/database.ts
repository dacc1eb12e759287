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
/** PostgreSQL ended the transaction to let another one pass: serialization failure, deadlock. */
const RETRIED = new Set(['40001', '40P01']);

/** The pool and its transactions; a repository joins one by `manager.withRepository`. */
@Injectable()
export class Database {
  constructor(private readonly dataSource: DataSource) {}

  /** Opens the pool; until then all work fails as with a database that does not answer. */
  async open(): Promise<void> {
    await this.dataSource.initialize();
  }

  get isOpen(): boolean {
    return this.dataSource.isInitialized;
  }

  /** Works outside a transaction: each statement sees what is committed when it begins. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /** Runs the work in one transaction, and again on a deadlock: it must be repeatable. */
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

  /** Runs the work in one transaction that sees the same rows throughout, and can write none. */
  async snapshot<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query('SET TRANSACTION READ ONLY');
      return work(manager);
    });
  }
}

/** A distributed engine is there, or a table of lists that is itself spread by users. */
const IS_DISTRIBUTED = `
  SELECT ${HAS_CITUS}
    OR EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('lists') AND relkind = 'p') AS "isDistributed"`;

/** A data source whose repositories can be injected before it is open, and then fail as without a connection. */
export class LateDataSource extends DataSource {
  /** Known once it is open. */
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
 * Whether the rows of a user may lie on another server than what all users share: no statement reads both then
 * (docs/decisions/0082).
 */
export const isDistributed = ({ dataSource }: EntityManager): boolean =>
  dataSource instanceof LateDataSource && dataSource.isDistributed;
