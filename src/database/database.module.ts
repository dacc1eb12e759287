import {
  type DynamicModule,
  Global,
  Injectable,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

import { Config } from '../config/config.js';
import { type Connection, dataSourceOptions } from './data-source.options.js';
import { Database, LateDataSource } from './database.js';
import { Replicas } from './replicas.js';

/** Closes the pool after everything that uses it; the start of the service opens it (`Database.open`). */
@Global()
@Module({})
export class DatabaseModule {
  static on(connection: Connection): DynamicModule {
    const pool = TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        ...dataSourceOptions(connection, config.databasePoolSize),
        manualInitialization: true,
      }),
      dataSourceFactory: (options = dataSourceOptions(connection, 1)) =>
        Promise.resolve(new LateDataSource(options)),
    });
    const ping = { provide: DatabasePing, useFactory: () => new DatabasePing(connection) };
    return {
      module: DatabaseModule,
      imports: [pool],
      providers: [Database, ping, Replicas],
      exports: [Database, DatabasePing, Replicas],
    };
  }
}

/** Below it a connection that does not answer is given up, and the next ping opens another. */
const PATIENCE_MS = 1000;

/** Asks the database whether it answers, on a connection of its own: the pool may be busy. */
@Injectable()
export class DatabasePing implements OnApplicationShutdown {
  private readonly dataSource: DataSource;
  private running: Promise<void> | undefined;

  constructor(connection: Connection) {
    const limits = { answerTimeoutMillis: PATIENCE_MS, idleTimeoutMillis: 0 };
    this.dataSource = new DataSource({ ...dataSourceOptions(connection, 1, limits), entities: [] });
  }

  /** Calls that come meanwhile get the same answer. Fails as the database does. */
  answers(): Promise<void> {
    this.running ??= this.ask().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.running?.catch(() => undefined);
    await (this.dataSource.isInitialized && this.dataSource.destroy());
  }

  private async ask(): Promise<void> {
    await (this.dataSource.isInitialized || this.dataSource.initialize());
    await this.dataSource.query('SELECT 1');
  }
}
