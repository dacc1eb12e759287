import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { NoConnectionError } from './database.errors.js';
import { sqlState } from './database-fault.js';

const MAX_ATTEMPTS = 3;
/** PostgreSQL ended the transaction to let another one pass: serialization failure, deadlock. */
const RETRIED = new Set(['40001', '40P01']);

/** The only door to the tables. The callback gets the one handle there is; stores are built from it. */
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

  /** Runs the work in one transaction, and again on a deadlock: it must be repeatable. */
  async write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.opened.transaction(work);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !RETRIED.has(sqlState(error))) {
          throw error;
        }
      }
    }
  }

  /** Runs the work in one transaction that sees the same rows throughout, and can write none. */
  async snapshot<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.opened.transaction('REPEATABLE READ', async (manager) => {
      await manager.query('SET TRANSACTION READ ONLY');
      return work(manager);
    });
  }

  /** Runs the work outside a transaction: each statement sees what is committed when it begins. */
  async read<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return work(this.opened.manager);
  }

  private get opened(): DataSource {
    if (!this.isOpen) {
      throw new NoConnectionError('the database has not answered since the start');
    }
    return this.dataSource;
  }
}
