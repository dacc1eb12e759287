import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { AuthModule } from '../auth/auth.module.js';
import { createLogger, NestLogger } from '../common/logging.js';
import { type Config, loadConfig } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { ConsumersModule } from '../consumers/consumers.module.js';
import { Database } from '../database/database.js';
import { DatabaseModule } from '../database/database.module.js';
import { type DatabaseServer, openDatabaseServer } from '../database/database-server.js';
import { runMigrations } from '../database/migrator.js';
import { ResolverModule } from '../resolver/resolver.module.js';
import { TransferModule } from '../transfer/transfer.module.js';
import { tell } from './terminal.js';

@Module({})
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

/** Gives the work one of the service's own objects, as `withServices`. */
export const withService = <S, T>(type: Type<S>, work: (service: S) => Promise<T>): Promise<T> =>
  withServices((services) => work(services.get(type)));

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
      TransferModule,
      ResolverModule,
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
