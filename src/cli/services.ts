import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { ENTITIES } from '../app/schema.js';
import { ArticlesModule } from '../articles/articles.module.js';
import { ResolverModule } from '../articles/resolver/resolver.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ConsumersModule } from '../auth/consumers/consumers.module.js';
import { createLogger, NestLogger } from '../platform/common/logging.js';
import { ConfigModule } from '../platform/config/config.module.js';
import { Database } from '../platform/database/database.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { prepareDatabase } from '../platform/database/pooled-sessions.js';
import { CallerListsModule } from '../reading-list/list-summaries.js';
import { TransferModule } from '../transfer/transfer.module.js';
import { withDatabaseServer } from './with-database-server.js';

@Module({})
class CliModule {}

/** Updates the database schema, then calls `work` with one NestJS provider of the service. */
export const withService = <S, T>(type: Type<S>, work: (service: S) => Promise<T>): Promise<T> =>
  withServices((services) => work(services.get(type)));

/**
 * Updates the database schema, then calls `work` with the NestJS application context. Starts no
 * HTTP server.
 */
export function withServices<T>(
  work: (services: INestApplicationContext) => Promise<T>,
): Promise<T> {
  return withDatabaseServer(async (server, config) => {
    await prepareDatabase(server);
    const imports = [
      ConfigModule.with(config),
      DatabaseModule.on(server.connection, ENTITIES),
      ArticlesModule,
      AuthModule,
      ConsumersModule,
      CallerListsModule,
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
