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

/** The page runs no scripts, and its forms can only be sent to this service. */
export const PAGE_POLICY = [...POLICY, `form-action 'self'`].join(';');

/** The reader may also run scripts of this service and fetch from it. */
export const READER_POLICY = [
  PAGE_POLICY,
  `script-src 'self'`,
  `connect-src 'self'`,
  `manifest-src 'self'`,
  `worker-src 'self'`,
].join(';');

/**
 * For forms that end in a redirect to an application. Browsers apply `form-action` to every redirect after a form, and
 * a web application may redirect to a custom scheme.
 */
export const LEAVING_POLICY = POLICY.join(';');

/**
 * Other sites get no referrer. This site gets one: under `no-referrer`, the origin of forms is `null`, and without
 * `Sec-Fetch-Site` a form could not be recognised as ours (request-origin.ts).
 */
const REFERRER_POLICY = 'same-origin';

interface Answer {
  readonly status?: number;
  readonly policy?: string;
  /** The address of the page contains a secret, so it must not be sent as a referrer. */
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
   * Adds the sub-path to a path of this service. Templates write each path as `it.at('/path')` (docs/decisions/0064).
   */
  readonly at = (path: string): string => pathUnder(this.subPath, path);

  /** Uses the appearance of the user for the page of this response. */
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
 * Redirects to a path of this service. With the default status, the browser sends a GET request, whatever the method
 * was (RFC 9110 section 15.4.4).
 */
export function goTo(response: Response, path: string, status = 303): void {
  response.redirect(status, outerPath(response, path));
}

/**
 * Clears the browser's data of a user who logs out: articles for offline reading and queued changes.
 * The header clears the data of the whole host. Under a sub-path, it is not sent, and the service worker clears its own
 * data.
 */
export function forgetSiteData(response: Response): void {
  if (outerPath(response, '/') === '/') {
    response.set('Clear-Site-Data', '"storage"');
  }
}
