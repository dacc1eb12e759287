import { type DynamicModule, Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';

import {
  EReaderMailModule,
  EReaderMailWorkersModule,
} from '../apis/e-reader-mail/e-reader-mail.module.js';
import { FeedsModule } from '../apis/feeds/feeds.module.js';
import { OpdsModule } from '../apis/opds/opds.module.js';
import { WallabagApiModule } from '../apis/wallabag/wallabag-api.module.js';
import { ArticlesModule } from '../articles/articles.module.js';
import { PictureWorkersModule } from '../articles/images/picture-workers.module.js';
import { LinkChecksModule } from '../articles/link-checks/link-checks.module.js';
import { BackgroundPagesModule, ResolverModule } from '../articles/resolver/resolver.module.js';
import { ResolverWorkersModule } from '../articles/resolver/resolver-workers.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ConsumersModule } from '../auth/consumers/consumers.module.js';
import { OAuthModule } from '../auth/oauth/oauth.module.js';
import { SecurityMailWorkersModule } from '../auth/security-mails/security-mail-workers.module.js';
import type { Config } from '../platform/config/config.js';
import { ConfigModule } from '../platform/config/config.module.js';
import type { Connection } from '../platform/database/data-source.options.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { BackgroundWorkModule } from '../platform/jobs/background-work.js';
import { ScheduleModule } from '../platform/jobs/schedule.js';
import { MetricsModule, type MetricsProcess } from '../platform/metrics/metrics.module.js';
import { RequestPipe } from '../pocket-api/parse-request.js';
import { EventDeliveryModule } from '../reading-list/events/event-delivery.module.js';
import { CallerListsModule } from '../reading-list/list-summaries.js';
import type { PageResolver } from '../reading-list/pages/page-resolver.js';
import { ReadingListModule } from '../reading-list/reading-list.module.js';
import { TextWorkersModule } from '../reading-list/texts/text-workers.module.js';
import { TransferModule, TransferWorkersModule } from '../transfer/transfer.module.js';
import { AccountModule } from '../web/account/account.module.js';
import { AdminModule } from '../web/admin/admin.module.js';
import { PagesModule } from '../web/pages.module.js';
import { ReaderModule } from '../web/reader/reader.module.js';
import { SharedListsModule } from '../web/shared/lists/shared-lists.module.js';
import { HealthModule } from './health/health.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { QueueMetricsModule } from './queues/queue-metrics.js';
import { ENTITIES } from './schema.js';

/** The modules of the product features, such as the reading list and the imports. */
const FEATURES = [
  // Express searches routes in the order of this list, so the modules with the most frequent API calls are first.
  ReadingListModule,
  CallerListsModule,
  AuthModule,
  ConsumersModule,
  ResolverModule,
  ArticlesModule,
  TransferModule,
  EReaderMailModule,
  FeedsModule,
  OAuthModule,
  WallabagApiModule,
  OpdsModule,
  ...[PagesModule, AccountModule, ReaderModule, SharedListsModule, AdminModule],
];

/**
 * The modules that run background loops. Only the process that does the background work imports them: web workers and
 * the command line do not.
 */
const BACKGROUND = [
  ScheduleModule,
  TextWorkersModule,
  EventDeliveryModule,
  ResolverWorkersModule,
  LinkChecksModule,
  PictureWorkersModule,
  TransferWorkersModule,
  EReaderMailWorkersModule,
  SecurityMailWorkersModule,
  QueueMetricsModule,
];

/** Properties of one process of the service. */
export interface ProcessFacts extends MetricsProcess {
  /** Asks the background worker to fetch pages. Set only in a web worker. */
  readonly backgroundPages?: PageResolver | undefined;
}

@Module({})
export class AppModule {
  /**
   * Returns the module of the whole service. In a web worker, the module has no background loops, because the background
   * worker runs them.
   */
  static with(config: Config, connection: Connection, process: ProcessFacts = {}): DynamicModule {
    const { backgroundPages } = process;
    return {
      module: AppModule,
      providers: [{ provide: APP_PIPE, useClass: RequestPipe }],
      imports: [
        ConfigModule.with(config),
        DatabaseModule.on(connection, ENTITIES),
        HttpModule,
        MetricsModule.of(process),
        BackgroundWorkModule,
        ...FEATURES,
        ...(backgroundPages === undefined
          ? BACKGROUND
          : [BackgroundPagesModule.with(backgroundPages)]),
        HealthModule,
        OpenApiModule,
      ],
    };
  }
}
