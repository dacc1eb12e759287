import { Global, Module } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { installedVersion } from '../common/version.js';
import { Config } from '../config/config.js';
import { PageResolver } from '../reading-list/page-resolver.js';
import { allowing } from './fetching/allowed-addresses.js';
import {
  DEFAULT_FETCH_SETTINGS,
  type FetchSettings,
  userAgentOf,
} from './fetching/fetch-settings.js';
import type { HostManners } from './fetching/host-manners.js';
import { IMAGE_LIMITS, ImageFetcher } from './fetching/image-fetcher.js';
import { INTERNET, PageFetcher } from './fetching/page-fetcher.js';
import { LeftPages } from './left-pages.js';
import { OwnPages } from './own-pages.js';
import { PageDelivery } from './page.delivery.js';
import { PageSettlement } from './page.settlement.js';
import { PageHosts } from './page-hosts.js';
import { PageJobs } from './page-jobs.js';
import { PageReader } from './page-reader.js';
import { PageSweep } from './page-sweep.js';
import { PageTally } from './page-tally.js';
import { Parsers } from './parsers.js';
import { ResolutionQueue } from './resolution.queue.js';
import { ResolverWorkers } from './resolver.workers.js';
import { WaitingPageResolver } from './waiting-page-resolver.js';
import { WebPageReader } from './web-page.reader.js';

/** Reads from the public internet, and from where the operator allows it. */
function pageFetcher(
  clock: Clock,
  { publicUrl, resolverAllows }: Config,
  limits: Partial<FetchSettings> = {},
  hosts?: HostManners,
): PageFetcher {
  const { addresses, ports } = resolverAllows;
  const settings = {
    ownUrl: publicUrl,
    userAgent: userAgentOf(installedVersion(), publicUrl?.href),
    ports: new Set([...DEFAULT_FETCH_SETTINGS.ports, ...ports]),
    allowsNearbyNames: addresses.length > 0,
    ...limits,
  };
  return new PageFetcher(clock, settings, { ...INTERNET, allow: allowing(addresses) }, hosts);
}

/** What is behind a saved URL? Pages are fetched, read and brought to the items, while clients wait and after. */
@Global()
@Module({
  providers: [
    LeftPages,
    OwnPages,
    { provide: Parsers, useFactory: () => new Parsers() },
    {
      provide: PageFetcher,
      inject: [Clock, Config, PageHosts],
      useFactory: (clock: Clock, config: Config, hosts: PageHosts) =>
        pageFetcher(clock, config, {}, hosts),
    },
    {
      provide: ImageFetcher,
      inject: [Clock, Config],
      useFactory: (clock: Clock, config: Config) =>
        new ImageFetcher(pageFetcher(clock, config, IMAGE_LIMITS)),
    },
    PageDelivery,
    PageHosts,
    PageJobs,
    PageSettlement,
    PageSweep,
    PageTally,
    ResolutionQueue,
    ResolverWorkers,
    { provide: PageReader, useClass: WebPageReader },
    { provide: PageResolver, useClass: WaitingPageResolver },
  ],
  exports: [ImageFetcher, PageResolver],
})
export class ResolverModule {}
