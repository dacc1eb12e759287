import { Global, Module } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { PageResolver } from '../reading-list/page-resolver.js';
import { userAgentOf } from './fetching/fetch-settings.js';
import { PageFetcher } from './fetching/page-fetcher.js';
import { OwnPages } from './own-pages.js';
import { PageDelivery } from './page.delivery.js';
import { PageSettlement } from './page.settlement.js';
import { PageJobs } from './page-jobs.js';
import { PageReader } from './page-reader.js';
import { Parsers } from './parsers.js';
import { ResolutionQueue } from './resolution.queue.js';
import { ResolverWorkers } from './resolver.workers.js';
import { WaitingPageResolver } from './waiting-page-resolver.js';
import { WebPageReader } from './web-page.reader.js';

const VERSION = '0.1';

/** What is behind a saved URL? Pages are fetched, read and brought to the items, while clients wait and after. */
@Global()
@Module({
  providers: [
    OwnPages,
    Parsers,
    {
      provide: PageFetcher,
      inject: [Clock, Config],
      useFactory: (clock: Clock, { publicUrl }: Config) =>
        new PageFetcher(clock, { userAgent: userAgentOf(VERSION, publicUrl?.href) }),
    },
    PageDelivery,
    PageJobs,
    PageSettlement,
    ResolutionQueue,
    ResolverWorkers,
    { provide: PageReader, useClass: WebPageReader },
    { provide: PageResolver, useClass: WaitingPageResolver },
  ],
  exports: [PageResolver],
})
export class ResolverModule {}
