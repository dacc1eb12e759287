import { type DynamicModule, Global, Module } from '@nestjs/common';

import { Clock } from '../../platform/common/clock.js';
import { provideRepository } from '../../platform/database/custom-repository.js';
import { Fetching, FetchingModule } from '../../platform/fetching/fetching.module.js';
import { PageFetcher } from '../../platform/fetching/page-fetcher.js';
import { PageResolver } from '../../reading-list/pages/page-resolver.js';
import { PageTexts } from '../../reading-list/pages/page-texts.js';
import { AnotherAttempt } from './another-attempt.service.js';
import { FurtherPages } from './further-pages.js';
import { PageRepository } from './page.repository.js';
import { PageCompletion } from './page-completion.service.js';
import { PageDelivery } from './page-delivery.service.js';
import { HostPauseRepository, PageHosts } from './page-hosts.js';
import { PageJobs } from './page-jobs.js';
import { PageQueue } from './page-queue.service.js';
import { PageReader } from './page-reader.js';
import { PageRequestRepository } from './page-request.repository.js';
import { Parsers } from './parsers.js';
import { ResolutionAdministrationService } from './resolution-administration.service.js';
import { SentPageRepository } from './sent-page.repository.js';
import { SentPages } from './sent-pages.service.js';
import { StoredPageTexts } from './stored-page-texts.js';
import { WaitingPageResolver } from './waiting-page-resolver.js';
import { WebPageReader } from './web-page-reader.js';

/**
 * The injection token of the PageResolver with which a web worker asks the background worker to
 * fetch pages.
 */
const BACKGROUND_PAGES = 'BACKGROUND_PAGES';

/** Provides BACKGROUND_PAGES in web workers, which do not fetch pages themselves. */
@Global()
@Module({})
export class BackgroundPagesModule {
  static with(pages: PageResolver): DynamicModule {
    const provider = { provide: BACKGROUND_PAGES, useValue: pages };
    return { module: BackgroundPagesModule, providers: [provider], exports: [provider] };
  }
}

/**
 * Provides the services that fetch the pages at saved URLs and write them to the items.
 * ResolverWorkersModule runs these services in the background.
 */
@Global()
@Module({
  imports: [FetchingModule],
  providers: [
    provideRepository(PageRepository),
    provideRepository(PageRequestRepository),
    provideRepository(HostPauseRepository),
    provideRepository(SentPageRepository),
    { provide: Parsers, useFactory: () => new Parsers() },
    {
      provide: PageFetcher,
      inject: [Fetching, PageHosts],
      useFactory: (fetching: Fetching, hosts: PageHosts) => fetching.fetcher({ hosts }),
    },
    {
      provide: FurtherPages,
      inject: [PageFetcher, Parsers, Clock],
      useFactory: (fetcher: PageFetcher, parsers: Parsers, clock: Clock) =>
        new FurtherPages(fetcher, parsers, clock),
    },
    AnotherAttempt,
    PageCompletion,
    PageDelivery,
    PageHosts,
    PageJobs,
    PageQueue,
    ResolutionAdministrationService,
    SentPages,
    { provide: PageReader, useClass: WebPageReader },
    WaitingPageResolver,
    {
      provide: PageResolver,
      inject: [WaitingPageResolver, { token: BACKGROUND_PAGES, optional: true }],
      useFactory: (here: PageResolver, elsewhere?: PageResolver) => elsewhere ?? here,
    },
    { provide: PageTexts, useClass: StoredPageTexts },
  ],
  exports: [
    AnotherAttempt,
    HostPauseRepository,
    PageCompletion,
    PageDelivery,
    PageFetcher,
    PageJobs,
    PageQueue,
    PageRepository,
    PageRequestRepository,
    PageResolver,
    PageTexts,
    ResolutionAdministrationService,
    SentPages,
  ],
})
export class ResolverModule {}
