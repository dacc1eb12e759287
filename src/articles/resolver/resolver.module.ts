import { type DynamicModule, Global, Module } from '@nestjs/common';

import { installedVersion } from '../../lib/util/version.js';
import { Clock } from '../../platform/common/clock.js';
import { Warnings } from '../../platform/common/warnings.js';
import { Config } from '../../platform/config/config.js';
import { provideRepository } from '../../platform/database/custom-repository.js';
import {
  DEFAULT_FETCH_SETTINGS,
  type FetchSettings,
  type HostLimits,
  userAgentOf,
} from '../../platform/fetching/fetch-settings.js';
import type { Network } from '../../platform/fetching/guarded-agent.js';
import {
  IMAGE_LIMITS,
  ImageFetcher,
  INTERNET,
  PageFetcher,
} from '../../platform/fetching/page-fetcher.js';
import { allowing } from '../../platform/fetching/public-address.js';
import { PageResolver } from '../../reading-list/pages/page-resolver.js';
import { PageTexts } from '../../reading-list/pages/page-texts.js';
import { AnotherAttempt } from './another-attempt.service.js';
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

/** Creates a fetcher that can access the public internet and the private networks that the operator allows. */
function pageFetcher(
  clock: Clock,
  { publicUrl, resolverAllows, fetchProxies: proxies }: Config,
  warnings: Warnings,
  { limits = {}, hosts }: { limits?: Partial<FetchSettings>; hosts?: HostLimits } = {},
): PageFetcher {
  const { addresses, ports } = resolverAllows;
  const settings = {
    ownUrl: publicUrl,
    userAgent: userAgentOf(installedVersion(), publicUrl?.href),
    ports: new Set([...DEFAULT_FETCH_SETTINGS.ports, ...ports]),
    allowsNearbyNames: addresses.length > 0,
    ...limits,
  };
  const network: Network = {
    ...INTERNET,
    allow: allowing(addresses),
    proxies,
    reportProxyError: ({ message }) => {
      warnings.once(`proxy ${message}`, `FETCH_PROXY: ${message}`);
    },
  };
  return new PageFetcher(clock, settings, network, hosts);
}

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
  providers: [
    provideRepository(PageRepository),
    provideRepository(PageRequestRepository),
    provideRepository(HostPauseRepository),
    provideRepository(SentPageRepository),
    { provide: Parsers, useFactory: () => new Parsers() },
    {
      provide: PageFetcher,
      inject: [Clock, Config, Warnings, PageHosts],
      useFactory: (clock: Clock, config: Config, warnings: Warnings, hosts: PageHosts) =>
        pageFetcher(clock, config, warnings, { hosts }),
    },
    {
      provide: ImageFetcher,
      inject: [Clock, Config, Warnings],
      useFactory: (clock: Clock, config: Config, warnings: Warnings) =>
        new ImageFetcher(pageFetcher(clock, config, warnings, { limits: IMAGE_LIMITS })),
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
    ImageFetcher,
    PageCompletion,
    PageDelivery,
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
