import { Injectable, Module } from '@nestjs/common';

import { installedVersion } from '../../lib/util/version.js';
import { Clock } from '../common/clock.js';
import { Warnings } from '../common/warnings.js';
import { Config } from '../config/config.js';
import {
  DEFAULT_FETCH_SETTINGS,
  type FetchSettings,
  type HostLimits,
  userAgentOf,
} from './fetch-settings.js';
import { dnsLookup, type Network } from './guarded-agent.js';
import { IMAGE_LIMITS, ImageFetcher, PageFetcher } from './page-fetcher.js';
import { allowing } from './public-address.js';

interface FetcherOptions {
  /** Settings that replace those of `Fetching`. */
  readonly limits?: Partial<FetchSettings>;
  readonly hosts?: HostLimits;
}

/**
 * The network access that the operator has configured: the public internet, the allowed private networks, and the
 * proxies. Code that calls other servers passes `network` to `guardedAgent`, and checks each URL with `fetchableUrl`.
 */
@Injectable()
export class Fetching {
  readonly network: Network;
  readonly settings: FetchSettings;

  constructor(
    private readonly clock: Clock,
    { publicUrl, resolverAllows: { addresses, ports }, fetchProxies: proxies }: Config,
    warnings: Warnings,
  ) {
    this.settings = {
      ...DEFAULT_FETCH_SETTINGS,
      ownUrl: publicUrl,
      userAgent: userAgentOf(installedVersion(), publicUrl?.href),
      ports: new Set([...DEFAULT_FETCH_SETTINGS.ports, ...ports]),
      allowsNearbyNames: addresses.length > 0,
    };
    this.network = {
      lookup: dnsLookup(),
      allow: allowing(addresses),
      proxies,
      reportProxyError: ({ message }) => {
        warnings.once(`proxy ${message}`, `FETCH_PROXY: ${message}`);
      },
    };
  }

  /** Returns a fetcher that uses this network. Without `hosts`, it has no limits per host. */
  fetcher({ limits = {}, hosts }: FetcherOptions = {}): PageFetcher {
    return new PageFetcher(this.clock, { ...this.settings, ...limits }, this.network, hosts);
  }
}

/** Provides access to other servers. The resolver creates the fetcher of pages, because it limits the calls per host. */
@Module({
  providers: [
    Fetching,
    {
      provide: ImageFetcher,
      inject: [Fetching],
      useFactory: (fetching: Fetching) =>
        new ImageFetcher(fetching.fetcher({ limits: IMAGE_LIMITS })),
    },
  ],
  exports: [Fetching, ImageFetcher],
})
export class FetchingModule {}
