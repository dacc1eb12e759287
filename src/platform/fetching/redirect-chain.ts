import { isIP } from 'node:net';

import { getDomain } from 'tldts';

import { isLocalName } from '../../lib/util/local-name.js';
import { parsedUrl } from '../../lib/util/parsed-url.js';
import type { Redirect, RefusalReason, Route } from './fetch-outcome.js';
import type { FetchSettings } from './fetch-settings.js';

const MAX_LENGTH = 4096;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const WEB_PORTS = new Set(Object.values(DEFAULT_PORTS));
type UrlRules = Pick<FetchSettings, 'ports' | 'allowsNearbyNames' | 'ownUrl'>;

/** The URLs of one fetch, from the requested URL to the current redirect target. */
export class RedirectChain {
  readonly #redirects: readonly Redirect[];

  private constructor(
    readonly url: URL,
    readonly start: URL,
    redirects: readonly Redirect[],
  ) {
    this.#redirects = redirects;
  }

  static from(url: URL): RedirectChain {
    return new RedirectChain(url, url, []);
  }

  /**
   * Returns the chain with one more URL. If the redirect has no fragment, the fragment of the current URL stays (RFC
   * 9110, 10.2.2).
   */
  with(next: URL, by: Redirect['by']): RedirectChain {
    const url = new URL(next);
    url.hash = next.hash === '' ? this.url.hash : next.hash;
    return new RedirectChain(url, this.start, [...this.#redirects, { url: url.href, by }]);
  }

  get length(): number {
    return this.#redirects.length;
  }

  /**
   * Returns true if this fetch has already requested the URL. A second request would begin a loop, because without
   * cookies, a URL returns the same response again.
   */
  includes(url: URL): boolean {
    const visited = [this.start.href, ...this.#redirects.map((redirect) => redirect.url)];
    return visited.some((href) => withoutFragment(href) === withoutFragment(url.href));
  }

  get route(): Route {
    const domains = [this.start.href, ...this.#redirects.map(({ url }) => url)].map(domainOf);
    return {
      finalUrl: this.url.href,
      redirects: this.#redirects,
      isInnerDomainRedirect: this.length > 0 && new Set(domains).size === 1,
    };
  }
}

const withoutFragment = (href: string): string => href.split('#', 1).join('');

const domainOf = (href: string): string => getDomain(href) ?? new URL(href).hostname;

/**
 * Returns the URL to request, without user name and password, and without the final dot of the host. Returns the reason
 * if the URL must not be requested. A redirect to a URL with a user name or password is refused, because the URL is
 * misleading or contains credentials of another person.
 */
export function fetchableUrl(
  text: string,
  base: URL | undefined,
  rules: UrlRules,
): URL | RefusalReason {
  const given = parsed(text, base);
  if (given === undefined) {
    return 'url';
  }
  if (base !== undefined && (given.username !== '' || given.password !== '')) {
    return 'userinfo';
  }
  const url = plain(given);
  return url.href.length > MAX_LENGTH ? 'url' : (refusalOf(url, rules) ?? url);
}

function refusalOf(
  url: URL,
  { ports, allowsNearbyNames, ownUrl }: UrlRules,
): RefusalReason | undefined {
  if (DEFAULT_PORTS[url.protocol] === undefined) {
    return 'scheme';
  }
  if (!ports.has(portOf(url))) {
    return 'port';
  }
  const isHost = allowsNearbyNames ? isName(url.hostname) : isPublicHost(url.hostname);
  if (!isHost) {
    return 'host';
  }
  return ownUrl !== undefined && isSameSite(url, plain(ownUrl)) ? 'own' : undefined;
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);

/**
 * Returns true if both URLs belong to the same site. The ports 80 and 443 of a host count as the same site, because
 * most https sites redirect requests from http.
 */
const isSameSite = (one: URL, other: URL): boolean =>
  one.hostname === other.hostname &&
  (portOf(one) === portOf(other) || [one, other].every((url) => WEB_PORTS.has(portOf(url))));

function parsed(text: string, base: URL | undefined): URL | undefined {
  return text.length > MAX_LENGTH ? undefined : parsedUrl(text, base?.href);
}

function plain(given: URL): URL {
  const url = new URL(given);
  url.username = '';
  url.password = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return url;
}

/** Returns true for IP addresses, and for names that do not belong to the local machine or network. */
export function isPublicHost(host: string): boolean {
  if (isIP(bareHost(host)) !== 0) {
    return true;
  }
  return host.includes('.') && isName(host) && !isLocalName(host);
}

const isName = (host: string): boolean => !host.split('.').includes('');

/** Returns an IPv6 address without its brackets, and other hosts unchanged. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '');
