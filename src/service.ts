import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { AppModule } from './app.module.js';
import { setUp } from './app.setup.js';
import { SatchelAdapter } from './common/http/satchel.adapter.js';
import { createLogger, NestLogger } from './common/logging.js';
import type { Config } from './config/config.js';
import { ConsumerKeysService } from './consumers/consumer-keys.service.js';
import { Database } from './database/database.js';
import {
  DatabaseOpening,
  type DatabaseServer,
  openDatabaseServer,
} from './database/database-server.js';
import { prepareDatabase } from './database/pooled-sessions.js';
import { type InstanceLock, lockInstance } from './embedded-postgres/locks.js';

/** A running service. */
export interface Service {
  /** Where it listens, for a program on this machine. */
  readonly address: string;
  /** Shown once, at the first start on the embedded database. */
  readonly firstConsumerKey: string | undefined;
  /** Lets running requests finish, then ends the embedded database. */
  stop(): Promise<void>;
}

/** Starts the database, brings its schema up to date, and listens; before that where a database of one's own is away. */
export async function startService(
  config: Config,
  onFailure: (error: Error) => void,
): Promise<Service> {
  /** What takes back what was begun, the newest first. */
  const steps: Step[] = [];
  try {
    const server = await openDatabaseServer(config);
    steps.unshift(() => server.close());
    const lock = await locked(server, config, onFailure);
    steps.unshift(async () => lock?.release().catch(() => undefined));
    const app = await createApp(config, server);
    steps.unshift(() => app.close());
    const opening = new DatabaseOpening(async () => {
      await prepareDatabase(server);
      await app.get(Database).open();
    });
    steps.unshift(() => opening.stop());
    await opening.begin(onFailure);
    await app.listen(config.port, config.host);
    return {
      address: await app.getUrl(),
      firstConsumerKey: await firstConsumerKey(app, server),
      stop: () => takeAll(steps),
    };
  } catch (error) {
    await takeAll(steps).catch(() => undefined);
    throw error;
  }
}

type Step = () => Promise<void>;

/** Each step is taken, whatever becomes of the one before. */
async function takeAll([step, ...others]: readonly Step[]): Promise<void> {
  try {
    await step?.();
  } finally {
    if (others.length > 0) {
      await takeAll(others);
    }
  }
}

/** On an own PostgreSQL server any number of instances may run; an embedded one belongs to one. */
async function locked(
  server: DatabaseServer,
  { dataDirectory }: Config,
  onFailure: (error: Error) => void,
): Promise<InstanceLock | undefined> {
  if (!server.isEmbedded) {
    return undefined;
  }
  const lock = await lockInstance(server.connection, () => {
    onFailure(new Error('the embedded database has gone away'));
  });
  if (lock === undefined) {
    throw new Error(
      `another service is running on ${dataDirectory}: stop it, or set DATA_DIR to another folder`,
    );
  }
  return lock;
}

async function createApp(config: Config, server: DatabaseServer): Promise<NestExpressApplication> {
  const logger = createLogger(config.logLevel);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(config, server.connection),
    new SatchelAdapter(),
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  setUp(app, logger);
  logger.info({ embedded: server.isEmbedded, directory: server.directory }, 'database');
  return app;
}

async function firstConsumerKey(
  app: NestExpressApplication,
  server: DatabaseServer,
): Promise<string | undefined> {
  return server.isEmbedded ? (await app.get(ConsumerKeysService).createFirst())?.key : undefined;
}
