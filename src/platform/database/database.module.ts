import {
  type DynamicModule,
  Global,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { Config } from '../config/config.js';
import { type Connection, dataSourceOptions } from './data-source.options.js';
import { isDiskFull, sqlState } from './database.errors.js';
import { Database, LateDataSource } from './database.js';
import { directConnection } from './database-server.js';

/**
 * Provides the connection pool. `Database.open` opens the pool when the service starts. At the shutdown, the pool is
 * closed after all features that use it.
 */
@Global()
@Module({})
export class DatabaseModule {
  static on(connection: Connection, entities: readonly Type[]): DynamicModule {
    const pool = TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        ...dataSourceOptions(connection, config.databasePoolSize),
        entities: [...entities],
        manualInitialization: true,
      }),
      dataSourceFactory: (options = dataSourceOptions(connection, 1)) =>
        Promise.resolve(new LateDataSource(options)),
    });
    const ping = { provide: DatabasePing, useFactory: () => new DatabasePing(connection) };
    const direct = {
      provide: DirectConnection,
      inject: [Config],
      useFactory: (config: Config) => new DirectConnection(directConnection(connection, config)),
    };
    return {
      module: DatabaseModule,
      imports: [pool],
      providers: [Database, ping, direct],
      exports: [Database, DatabasePing, DirectConnection],
    };
  }
}

/** The connection for work that needs its own session, such as backups. */
export class DirectConnection {
  constructor(readonly connection: Connection) {}
}

/**
 * The time limit in milliseconds of a check whether the database answers. After a timeout, the connection is closed,
 * and the next check opens a new connection.
 */
const PATIENCE_MS = 1000;
/**
 * The time limit in milliseconds for opening the connection of a check. Later checks wait for the
 * same attempt. The limit is shorter than for the connection pool, so that checks succeed soon
 * after the database is reachable again.
 */
const CONNECT_PATIENCE_MS = 2000;

/**
 * Limits the memory of the query WRITE_FILE, so that the database must write a temporary file. The
 * check of the disk therefore needs no write to a table or to the write-ahead log.
 */
const LITTLE_MEMORY = `SET LOCAL work_mem = '64kB'`;
/**
 * The SQLSTATE of a query that needs a larger temporary file than the setting `temp_file_limit` allows. The operator
 * has chosen this setting, so the error does not mean that the disk is full.
 */
const TEMPORARY_FILE_LIMIT = '53400';
/**
 * The time for which the result of a disk check is reused. Anyone can request `/ready`, and a disk check costs more
 * than a trivial query.
 */
const WRITE_RESULT_MS = 2000;
const WRITE_FILE = 'SELECT count(*) FROM generate_series(1, 10000)';

/** Checks whether the database answers. Uses a separate connection, because all connections of the pool may be busy. */
@Injectable()
export class DatabasePing implements OnApplicationShutdown {
  private readonly dataSource: DataSource;
  private running: Promise<void> | undefined;
  private writing: Promise<string | undefined> | undefined;

  constructor(connection: Connection) {
    const limits = { answerTimeoutMillis: PATIENCE_MS, idleTimeoutMillis: 0 };
    this.dataSource = new DataSource({
      ...dataSourceOptions(connection, 1, limits),
      connectTimeoutMS: CONNECT_PATIENCE_MS,
    });
  }

  /**
   * Resolves if the database answers. Parallel calls share one query.
   *
   * @throws the error of the database
   */
  answers(): Promise<void> {
    this.running ??= this.ask().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /**
   * Returns the reason why the database cannot write, or undefined if it can write. The result may be up to two seconds
   * old.
   *
   * @throws the error of the database
   */
  findWriteFailure(): Promise<string | undefined> {
    this.writing ??= this.tryWrite().finally(() => {
      setTimeout(() => (this.writing = undefined), WRITE_RESULT_MS).unref();
    });
    return this.writing;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([this.running, this.writing]);
    await (this.dataSource.isInitialized && this.dataSource.destroy());
  }

  private async tryWrite(): Promise<string | undefined> {
    try {
      await this.dataSource.transaction(async (manager) => {
        await manager.query(LITTLE_MEMORY);
        await manager.query(WRITE_FILE);
      });
      return undefined;
    } catch (error) {
      if (isDiskFull(error)) {
        return 'No space left on device';
      }
      if (sqlState(error) === TEMPORARY_FILE_LIMIT) {
        return undefined;
      }
      throw error;
    }
  }

  private async ask(): Promise<void> {
    await (this.dataSource.isInitialized || this.dataSource.initialize());
    await this.dataSource.query('SELECT 1');
  }
}
