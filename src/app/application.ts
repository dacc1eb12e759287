import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { ConsumerKeysService } from '../auth/consumers/consumer-keys.service.js';
import { createLogger, logDestination, NestLogger } from '../platform/common/logging.js';
import type { Config } from '../platform/config/config.js';
import type { Connection } from '../platform/database/data-source.options.js';
import { SatchelAdapter } from '../platform/http/satchel.adapter.js';
import { AppModule, type ProcessFacts } from './app.module.js';
import { setUp } from './app.setup.js';

/** Creates the application. Does not connect to the database or open a port. */
export async function createApp(
  config: Config,
  connection: Connection,
  process: ProcessFacts = {},
): Promise<NestExpressApplication> {
  const logger = createLogger(config.logLevel, process.name, await logDestination(config));
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(config, connection, process),
    new SatchelAdapter(),
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  setUp(app, logger);
  return app;
}

/** Creates the first consumer key, with all permissions. Returns undefined if a consumer key was created before. */
export async function firstConsumerKey(app: NestExpressApplication): Promise<string | undefined> {
  return (await app.get(ConsumerKeysService).createFirst())?.key;
}
