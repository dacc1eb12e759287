import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { AuthModule } from '../auth/auth.module.js';
import { createLogger } from '../common/logging/logger.js';
import { NestLogger } from '../common/logging/nest-logger.js';
import { type Config, loadConfig } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { ConsumersModule } from '../consumers/consumers.module.js';
import { Database } from '../database/database.js';
import { DatabaseModule } from '../database/database.module.js';
import { type DatabaseServer, openDatabaseServer } from '../database/database-server.js';
import { runMigrations } from '../database/migrator.js';
import { ListTransactions } from '../reading-list/list-transactions.js';
import { ResolutionAdministrationService } from '../resolver/resolution-administration.service.js';
import { ExportModule } from '../transfer/export/export.module.js';
import { ImportQueue } from '../transfer/import.queue.js';
import { ImportRunner } from '../transfer/import.runner.js';
import { ImportService } from '../transfer/import.service.js';
import { ImportPreview } from '../transfer/import-preview.js';
import { ImportRemarks } from '../transfer/import-remarks.js';
import { tell } from './terminal.js';

@Module({
  providers: [
    ImportPreview,
    ImportQueue,
    ImportRemarks,
    ImportRunner,
    ImportService,
    ListTransactions,
    ResolutionAdministrationService,
  ],
})
class CliModule {}

/** Opens the database server that the service uses, also while the service runs, and closes it after the work. */
export async function withDatabaseServer<T>(
  work: (server: DatabaseServer, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig();
  const server = await openDatabaseServer(config);
  try {
    if (server.isNew === true) {
      tell(`made a new database in ${server.directory ?? config.dataDirectory}`);
    }
    return await work(server, config);
  } finally {
    await server.close();
  }
}

/** Gives the work the service's own objects on an up-to-date schema, without HTTP. */
export function withServices<T>(
  work: (services: INestApplicationContext) => Promise<T>,
): Promise<T> {
  return withDatabaseServer(async ({ connection }, config) => {
    await runMigrations(connection);
    const imports = [
      ConfigModule.with(config),
      DatabaseModule.on(connection),
      AuthModule,
      ConsumersModule,
      ExportModule,
    ];
    const services = await NestFactory.createApplicationContext(
      { module: CliModule, imports },
      { logger: new NestLogger(createLogger('warn')), abortOnError: false },
    );
    try {
      await services.get(Database).open();
      return await work(services);
    } finally {
      await services.close();
    }
  });
}
