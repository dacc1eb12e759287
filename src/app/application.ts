import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { ConsumerKeysService } from '../auth/consumers/consumer-keys.service.js';
import { createLogger, NestLogger } from '../platform/common/logging.js';
import type { Config } from '../platform/config/config.js';
import type { Connection } from '../platform/database/data-source.options.js';
import { SatchelAdapter } from '../platform/http/satchel.adapter.js';
import type { PageResolver } from '../reading-list/pages/page-resolver.js';
import { AppModule } from './app.module.js';
import { setUp } from './app.setup.js';

/** Properties of one process of the service. */
interface ProcessFacts {
  /** The name of the process in the log. Undefined if the service has only one process. */
  readonly name?: string | undefined;
  /** Asks the background worker to fetch pages. Undefined if this process fetches pages itself. */
  readonly backgroundPages?: PageResolver | undefined;
}

/** Creates the application. Does not connect to the database or open a port. */
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

/** Creates the first consumer key, with all permissions. Returns undefined if a consumer key was created before. */
export async function firstConsumerKey(app: NestExpressApplication): Promise<string | undefined> {
  return (await app.get(ConsumerKeysService).createFirst())?.key;
}
