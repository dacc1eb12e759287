import { Injectable } from '@nestjs/common';
import pg from 'pg';
import {
  DataSource,
  type EntityManager,
  type EntityMetadata,
  type EntityTarget,
  type ObjectLiteral,
  type QueryRunner,
} from 'typeorm';

import { Metric, type Sample } from '../metrics/metric.js';
import { NoConnectionError, sqlState } from './database.errors.js';
import { HAS_CITUS } from './database-client.js';
import { queryRows } from './query-rows.js';

const MAX_ATTEMPTS = 3;
/**
 * The SQLSTATEs of a serialization failure and of a deadlock. A transaction or a statement that fails with one of them
 * can be repeated.
 */
const RETRIED = new Set(['40001', '40P01']);

/** The connection pool and its transactions. In a transaction, get a repository with `UserRepository.in(manager)`. */
@Injectable()
export class Database {
  constructor(private readonly dataSource: DataSource) {}

  /** Opens the connection pool. Before this call, all statements fail as if the database were unreachable. */
  async open(): Promise<void> {
    await this.dataSource.initialize();
  }

  get isOpen(): boolean {
    return this.dataSource.isInitialized;
  }

  @Metric({
    name: 'satchel_database_connections',
    help: 'Connections of the pool of a process: used, and open but idle.',
    kind: 'gauge',
    labels: ['state'],
    isPerProcess: true,
  })
  connections(): readonly Sample[] {
    const { totalCount = 0, idleCount = 0 } = poolOf(this.dataSource) ?? {};
    return [
      { labels: { state: 'used' }, value: totalCount - idleCount },
      { labels: { state: 'idle' }, value: idleCount },
    ];
  }

  @Metric({
    name: 'satchel_database_connections_max',
    help: 'The size of the pool of a process (DATABASE_POOL_SIZE).',
    kind: 'gauge',
    isPerProcess: true,
  })
  mostConnections(): number {
    return poolOf(this.dataSource)?.options.max ?? 0;
  }

  @Metric({
    name: 'satchel_database_waiting',
    help: 'Statements and transactions that wait for a connection of the pool.',
    kind: 'gauge',
    isPerProcess: true,
  })
  waitingForConnection(): number {
    return poolOf(this.dataSource)?.waitingCount ?? 0;
  }

  /**
   * The entity manager for statements outside transactions. Each statement sees the data that was committed before the
   * statement began.
   */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /**
   * Calls `work` in one transaction. After a deadlock or a serialization failure, calls `work`
   * again, so `work` must be repeatable.
   */
  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return repeated(() => this.dataSource.transaction(work));
  }

  /**
   * Calls `work`, which runs one statement, without a transaction. After a deadlock, calls `work` again, as
   * `transaction` does.
   */
  statement<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return repeated(() => work(this.manager));
  }

  /** Calls `work` in one read-only transaction, whose statements all see the same snapshot of the data. */
  async snapshot<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query('SET TRANSACTION READ ONLY');
      return work(manager);
    });
  }
}

/** Returns the connection pool, or undefined before it is open. TypeORM does not declare its type. */
function poolOf({ driver }: DataSource): pg.Pool | undefined {
  const pool: unknown = Reflect.get(driver, 'master');
  return pool instanceof pg.Pool ? pool : undefined;
}

async function repeated<T>(attempted: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attempted();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !RETRIED.has(sqlState(error))) {
        throw error;
      }
    }
  }
}

/**
 * A table that Citus manages, although it is local. Citus commits a transaction in two phases if it has changed the rows
 * of a list and this table. The table is always empty. Only a distributed database contains it (docs/decisions/0125).
 */
export const TWO_PHASES_TABLE = 'satchel_citus.two_phases';
const CHANGE_TWO_PHASES = `DELETE FROM ${TWO_PHASES_TABLE}`;

/** A SQL condition that is true if the table exists. */
export const HAS_TWO_PHASES = `to_regclass('${TWO_PHASES_TABLE}') IS NOT NULL`;

/** Whether Citus is installed or the table `lists` is partitioned by user, and whether two phases can be required. */
const FACTS = `
  SELECT ${HAS_CITUS}
    OR EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('lists') AND relkind = 'p') AS "isDistributed",
    ${HAS_TWO_PHASES} AS "hasTwoPhases"`;

/**
 * A TypeORM data source whose repositories can be injected before the data source is open. Before it is open, calls of
 * a repository fail as if the database were unreachable.
 */
export class LateDataSource extends DataSource {
  /** True if the tables may be distributed over several servers. Set when the data source is opened. */
  isDistributed = false;
  /** True if a transaction can require a commit in two phases. Set when the data source is opened. */
  hasTwoPhases = false;

  override async initialize(): Promise<this> {
    await super.initialize();
    try {
      const [facts] =
        await this.query<[Pick<LateDataSource, 'isDistributed' | 'hasTwoPhases'>]>(FACTS);
      this.isDistributed = facts.isDistributed;
      this.hasTwoPhases = facts.hasTwoPhases;
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
 * Returns true if the rows of one user may be on another server than the rows that all users share.
 * A statement must then not read rows of both kinds (docs/decisions/0082).
 */
export const isDistributed = ({ dataSource }: EntityManager): boolean =>
  dataSource instanceof LateDataSource && dataSource.isDistributed;

/**
 * Makes the commit of this transaction atomic: the changes of a list, and those of queues and other local tables on
 * another server. A no-op if one server has all tables.
 */
export async function commitTogether(manager: EntityManager): Promise<void> {
  if (manager.dataSource instanceof LateDataSource && manager.dataSource.hasTwoPhases) {
    await queryRows(manager, CHANGE_TWO_PHASES);
  }
}
