import { fileURLToPath } from 'node:url';

import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';
import type { Response } from 'express';

import { Config } from '../platform/config/config.js';
import { outerPath, pathUnder, subPathOf } from '../platform/http/sub-path.js';
import type { Appearance } from './reader/appearance/appearance.js';
import type { ViewName, Views } from './views.js';

const VIEWS_FOLDER = fileURLToPath(new URL('./views', import.meta.url));

const POLICY = [
  `default-src 'none'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
];

/** The content security policy of pages without scripts. Their forms can be sent only to this service. */
export const PAGE_POLICY = [...POLICY, `form-action 'self'`].join(';');

/**
 * The content security policy of the reader. Its pages may also run scripts of this service, and these scripts may send
 * requests to this service.
 */
export const READER_POLICY = [
  PAGE_POLICY,
  `script-src 'self'`,
  `connect-src 'self'`,
  `manifest-src 'self'`,
  `worker-src 'self'`,
].join(';');

/**
 * The content security policy of pages whose forms redirect to an application. It has no `form-action`, because
 * browsers would apply it to every redirect after the form, even to a custom scheme.
 */
export const LEAVING_POLICY = POLICY.join(';');

/**
 * Browsers send the referrer only to this site. With `no-referrer`, the origin of forms would be `null`. A browser
 * without `Sec-Fetch-Site` could then not prove that a form is from this site (request-origin.ts).
 */
const REFERRER_POLICY = 'same-origin';

interface Answer {
  readonly status?: number;
  readonly policy?: string;
  /** True if the address of the page contains a secret. Browsers must not send such an address as a referrer. */
  readonly hasSecretAddress?: boolean;
}

/** Renders pages. All values in templates are escaped (docs/decisions/0020). */
@Injectable()
export class Pages {
  private readonly eta = new Eta({ views: VIEWS_FOLDER, autoEscape: true, cache: true });
  private readonly appearances = new WeakMap<Response, Appearance>();
  private readonly subPath: string;

  constructor(config: Config) {
    this.subPath = subPathOf(config);
  }

  /**
   * Adds the sub-path of this service to a path. Templates write each path as `it.at('/path')` (docs/decisions/0064).
   */
  readonly at = (path: string): string => pathUnder(this.subPath, path);

  /** Applies the appearance settings of the user to the page of this response. */
  dress(response: Response, appearance: Appearance): void {
    this.appearances.set(response, appearance);
  }

  show<V extends ViewName>(
    response: Response,
    view: V,
    model: Views[V],
    { status = 200, policy = PAGE_POLICY, hasSecretAddress = false }: Answer = {},
  ): void {
    const isHidden = hasSecretAddress || policy === LEAVING_POLICY;
    response
      .status(status)
      .set('Content-Security-Policy', policy)
      .set('Referrer-Policy', isHidden ? 'no-referrer' : REFERRER_POLICY)
      .type('html')
      .send(
        this.eta.render(`./${view}`, {
          at: this.at,
          preferences: this.appearances.get(response),
          ...model,
        }),
      );
  }
}

/**
 * Redirects to a path of this service. With the default status, the browser sends a GET request, even after a POST
 * request (RFC 9110 section 15.4.4).
 */
export function goTo(response: Response, path: string, status = 303): void {
  response.redirect(status, outerPath(response, path));
}

/**
 * Clears the data that the browser has stored for a user who logs out: articles for offline reading and queued changes.
 * The header clears the data of the whole host. Under a sub-path, the header is not sent, and the service worker clears
 * only the data of this service.
 */
export function forgetSiteData(response: Response): void {
  if (outerPath(response, '/') === '/') {
    response.set('Clear-Site-Data', '"storage"');
  }
}
