import type { FetchOutcome } from '../../src/platform/fetching/fetch-outcome.js';
import type { FetchSettings } from '../../src/platform/fetching/fetch-settings.js';
import type { Network } from '../../src/platform/fetching/guarded-agent.js';
import { aFetcher } from './a-fetcher.js';
import { TEST_AUTHORITIES } from './a-proxy.js';
import type { PublicHost } from './public-host.js';

interface ThroughProxy {
  readonly url: string;
  readonly exceptions?: readonly string[];
  readonly network?: Partial<Network>;
  readonly settings?: Partial<FetchSettings>;
}

/** Fetches pages through a proxy and collects the errors that the proxy reports. */
export class ProxiedFetches {
  readonly reported: string[] = [];

  constructor(
    private readonly host: PublicHost,
    private readonly securePort: number,
  ) {}

  fetch(
    proxy: URL,
    { url, exceptions = [], network, settings }: ThroughProxy,
  ): Promise<FetchOutcome> {
    const { host, securePort } = this;
    return aFetcher(host, {
      ports: new Set([80, 443, host.port, securePort]),
      ...settings,
      network: {
        proxies: { http: proxy, https: proxy, exceptions },
        certificateAuthorities: TEST_AUTHORITIES,
        reportProxyError: ({ message }) => this.reported.push(message),
        ...network,
      },
    }).fetch(url);
  }
}
