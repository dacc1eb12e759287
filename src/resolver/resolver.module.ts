import { Global, Module } from '@nestjs/common';

import { PageResolver } from '../reading-list/page-resolver.js';
import { OwnPages } from './own-pages.js';
import { PageDelivery } from './page.delivery.js';
import { PageSettlement } from './page.settlement.js';
import { PageJobs } from './page-jobs.js';
import { PageReader } from './page-reader.js';
import { ResolutionQueue } from './resolution.queue.js';
import { ResolverWorkers } from './resolver.workers.js';
import { WaitingPageResolver } from './waiting-page-resolver.js';
import { WebPageReader } from './web-page.reader.js';

/** What is behind a saved URL? Pages are fetched, read and brought to the items, while clients wait and after. */
@Global()
@Module({
  providers: [
    OwnPages,
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
