import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ModuleMetadata } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';

import { AppModule } from '../../src/app/app.module.js';
import { setUp } from '../../src/app/app.setup.js';
import { ArticleReader } from '../../src/articles/reading/article-reader.js';
import { PageReader } from '../../src/articles/resolver/page-reader.js';
import { type ParserLimits, Parsers } from '../../src/articles/resolver/parsers.js';
import { Clock } from '../../src/platform/common/clock.js';
import { createLogger } from '../../src/platform/common/logging.js';
import { type Config, configFrom } from '../../src/platform/config/config.js';
import type { TransactionPooler } from '../../src/platform/config/database-settings.js';
import type { Connection } from '../../src/platform/database/data-source.options.js';
import { Database } from '../../src/platform/database/database.js';
import { PageFetcher } from '../../src/platform/fetching/page-fetcher.js';
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  SatchelAdapter,
} from '../../src/platform/http/satchel.adapter.js';
import { sharedParsers } from './jest/shared-parsers.mjs';
import { aDatabase, type TestDatabase } from './test-database.js';

export const NO_LIMITS: Config['limits'] = {
  ...{ loginPerAccount: 0, loginPerAddress: 0, registerPerAddress: 0, refreshPerAddress: 0 },
  ...{ mailPerAccount: 0, mailPerAddress: 0 },
  ...{ eReaderMailPerUser: 0, eReaderMailPerAddress: 0, eReaderMailPerDay: 0 },
  ...{ oauthRequestPerAddress: 0, oauthRequestPerKey: 0, sharedPerAddress: 0 },
};

/** Cheapest bcrypt cost, open registration, no page fetching. Limits are out of reach, except in tests about them. */
const FAST: Partial<Config> = {
  bcryptCost: 4,
  registration: 'open',
  ...{ resolverConcurrency: 0, resolveWaitMs: 0 },
  limits: NO_LIMITS,
  callLimits: { perUser: 0, perKey: 0 },
  syncCallsPerHour: 0,
};

/** Starting a thread takes seconds on a busy machine, which must not count as a slow article. */
const PATIENCE_MS = 100_000;

/** A clock that tests can move. */
export class TestClock extends Clock {
  private aheadMs = 0;
  private heldAtMs: number | undefined;

  override now(): Date {
    return new Date((this.heldAtMs ?? Date.now()) + this.aheadMs);
  }

  /** Stops the clock. It only moves by `advance`. */
  hold(): void {
    this.heldAtMs ??= Date.now();
  }

  advance(seconds: number): void {
    this.aheadMs += seconds * 1000;
  }
}

export interface TestApp {
  readonly url: string;
  readonly app: NestExpressApplication;
  readonly clock: TestClock;
  readonly config: Config;
  readonly database: TestDatabase;
  /** Everything logged so far, one JSON object per line. */
  log(): string;
  close(): Promise<void>;
}

interface TestAppOptions {
  readonly config?: Partial<Config>;
  /** Controllers that only exist in a test. */
  readonly controllers?: ModuleMetadata['controllers'];
  /** Providers that only exist in a test. */
  readonly providers?: ModuleMetadata['providers'];
  /** Fetches pages from a simulated internet. */
  readonly fetcher?: PageFetcher;
  /** Replaces fetching and extraction. */
  readonly reader?: PageReader;
  /** Limits for tests of pages that are too expensive. */
  readonly parsers?: ParserLimits;
  /** Limits for one connection. */
  readonly connections?: Partial<ConnectionLimits>;
  /** Replaces the connection to the database. */
  readonly through?: (database: TestDatabase) => Connection;
  /** Starts a PgBouncer in this mode for the service's connections. */
  readonly pooler?: TransactionPooler;
  /** Starts another instance on the database of this one. */
  readonly beside?: TestApp;
}

/** Starts the whole service on its own database and a free port. */
export async function aTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { beside, parsers } = options;
  const database = beside?.database ?? (await aDatabase({ pooler: options.pooler }));
  const dataDirectory = mkdtempSync(join(tmpdir(), 'satchel-app-'));
  const config = beside?.config ?? {
    ...configFrom({ DATA_DIR: dataDirectory, LOG_LEVEL: 'debug' }),
    ...FAST,
    ...options.config,
  };
  const clock = beside?.clock ?? new TestClock();
  const lines: string[] = [];
  const logger = createLogger(config.logLevel, undefined, {
    write: (line: string) => void lines.push(line),
  });
  const testing = Test.createTestingModule({
    imports: [AppModule.with(config, options.through?.(database) ?? database.connection)],
    controllers: options.controllers ?? [],
    providers: options.providers ?? [],
  })
    .overrideProvider(Clock)
    .useValue(clock)
    .overrideProvider(Parsers)
    .useFactory({ factory: () => (parsers === undefined ? sharedParsers : new Parsers(parsers)) })
    .overrideProvider(ArticleReader)
    .useFactory({ factory: () => new ArticleReader(PATIENCE_MS) });
  if (options.fetcher !== undefined) {
    testing.overrideProvider(PageFetcher).useValue(options.fetcher);
  }
  if (options.reader !== undefined) {
    testing.overrideProvider(PageReader).useValue(options.reader);
  }
  const module = await testing.compile();
  const adapter = new SatchelAdapter({ ...CONNECTION_LIMITS, ...options.connections });
  const app = module.createNestApplication<NestExpressApplication>(adapter, { bodyParser: false });
  setUp(app, logger);
  await app.get(Database).open();
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    app,
    clock,
    config,
    database,
    log: () => lines.join(''),
    close: async () => {
      await app.close();
      rmSync(dataDirectory, { recursive: true, force: true });
      if (beside === undefined) {
        await database.drop();
      }
    },
  };
}
