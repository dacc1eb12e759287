import { getDomain } from 'tldts';

import { type Redirect, type Route } from './fetch-outcome.js';

/** The addresses of one fetch, from the one given to the one that is asked now. */
export class Journey {
  readonly #redirects: readonly Redirect[];

  private constructor(
    readonly url: URL,
    readonly start: URL,
    redirects: readonly Redirect[],
  ) {
    this.#redirects = redirects;
  }

  static from(url: URL): Journey {
    return new Journey(url, url, []);
  }

  /** A fragment stays when the redirect names none (RFC 9110, 10.2.2). */
  to(next: URL, by: Redirect['by']): Journey {
    const url = new URL(next);
    url.hash = next.hash === '' ? this.url.hash : next.hash;
    return new Journey(url, this.start, [...this.#redirects, { url: url.href, by }]);
  }

  get length(): number {
    return this.#redirects.length;
  }

  /** Without cookies the same address answers the same: whoever comes by again goes in a circle. */
  hasPassed(url: URL): boolean {
    const passed = [this.start.href, ...this.#redirects.map((redirect) => redirect.url)];
    return passed.some((href) => withoutFragment(href) === withoutFragment(url.href));
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

const withoutFragment = (href: string): string => href.replace(/#.*$/s, '');

const domainOf = (href: string): string => getDomain(href) ?? new URL(href).hostname;
