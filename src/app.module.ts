import { type DynamicModule, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';

import { ArticlesModule } from './articles/articles.module.js';
import { AuthModule } from './auth/auth.module.js';
import { HttpModule } from './common/http/http.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { ConsumersModule } from './consumers/consumers.module.js';
import type { Connection } from './database/data-source.options.js';
import { DatabaseModule } from './database/database.module.js';
import {
  EReaderMailModule,
  EReaderMailWorkersModule,
} from './e-reader-mail/e-reader-mail.module.js';
import { FeedsModule } from './feeds/feeds.module.js';
import { HealthModule } from './health/health.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { OpdsModule } from './opds/opds.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { AdminModule } from './pages/admin/admin.module.js';
import { PagesModule } from './pages/pages.module.js';
import { ReaderModule } from './pages/reader/reader.module.js';
import type { PageResolver } from './reading-list/page-resolver.js';
import { ReadingListModule } from './reading-list/reading-list.module.js';
import { TextWorkersModule } from './reading-list/texts/text-workers.module.js';
import { BackgroundPagesModule, ResolverModule } from './resolver/resolver.module.js';
import { ResolverWorkersModule } from './resolver/resolver-workers.module.js';
import { TransferModule, TransferWorkersModule } from './transfer/transfer.module.js';
import { WallabagApiModule } from './wallabag-api/wallabag-api.module.js';

/** What the product is made of: each feature with its services. */
const FEATURES = [
  // First, as Express looks for a route in the order in which they are given: the calls of clients are the most.
  ReadingListModule,
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
  ...[PagesModule, ReaderModule, AdminModule],
];

/** What goes on in the background: sweeps, which the command line and web workers have no schedule for, and loops. */
const BACKGROUND = [
  ScheduleModule.forRoot(),
  TextWorkersModule,
  ResolverWorkersModule,
  TransferWorkersModule,
  EReaderMailWorkersModule,
];

/** Joins the features. */
@Module({})
export class AppModule {
  /** All of the service, or what answers requests alone where another process reads pages and works in the background. */
  static with(
    config: Config,
    connection: Connection,
    backgroundPages?: PageResolver,
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        DatabaseModule.on(connection),
        HttpModule,
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
