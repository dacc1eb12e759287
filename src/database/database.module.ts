import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Config } from '../config/config.js';
import type { Connection } from './connection.js';
import { dataSourceOptions } from './data-source.options.js';
import { Database } from './database.js';
import { DatabasePing } from './database-ping.js';

/** Closes the pool after everything that uses it; whoever starts opens it (`Database.open`). */
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
    });
    const ping = { provide: DatabasePing, useFactory: () => new DatabasePing(connection) };
    return {
      module: DatabaseModule,
      imports: [pool],
      providers: [Database, ping],
      exports: [Database, DatabasePing],
    };
  }
}
