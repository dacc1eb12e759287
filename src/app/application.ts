import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { ConsumerKeysService } from '../auth/consumers/consumer-keys.service.js';
import { createLogger, NestLogger } from '../platform/common/logging.js';
import type { Config } from '../platform/config/config.js';
import type { Connection } from '../platform/database/data-source.options.js';
import { SatchelAdapter } from '../platform/http/satchel.adapter.js';
import type { PageResolver } from '../reading-list/page-resolver.js';
import { AppModule } from './app.module.js';
import { setUp } from './app.setup.js';

/** What a process is within the service. */
interface ProcessFacts {
  /** By which the log knows it; undefined where it is the only one. */
  readonly name?: string | undefined;
  /** Given where another process reads pages and does what else goes on in the background. */
  readonly backgroundPages?: PageResolver | undefined;
}

/** The application on a database that is still to be opened; it listens nowhere. */
export async function createApp(
  config: Config,
  connection: Connection,
  { name, backgroundPages }: ProcessFacts = {},
): Promise<NestExpressApplication> {
  const logger = createLogger(config.logLevel, name);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(config, connection, backgroundPages),
    new SatchelAdapter(),
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  setUp(app, logger);
  return app;
}

/** Makes a consumer key with all permissions, unless there was one before. */
export async function firstConsumerKey(app: NestExpressApplication): Promise<string | undefined> {
  return (await app.get(ConsumerKeysService).createFirst())?.key;
}
