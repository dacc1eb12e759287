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

/** Nothing runs in a page, and its forms go to this service. */
export const PAGE_POLICY = [...POLICY, `form-action 'self'`].join(';');

/** The pages of the reader also run the scripts of this service, and read from it. */
export const READER_POLICY = [
  PAGE_POLICY,
  `script-src 'self'`,
  `connect-src 'self'`,
  `manifest-src 'self'`,
  `worker-src 'self'`,
].join(';');

/**
 * For the form that ends in a redirect to an application. Browsers hold `form-action` against every hop behind a
 * form, and an application on the web may send the person on to a scheme of its own.
 */
export const LEAVING_POLICY = POLICY.join(';');

/**
 * No referrer goes to other sites. This site gets one, because under `no-referrer` forms have the origin `null`, and
 * browsers without `Sec-Fetch-Site` could not show that a form is ours (request-origin.ts).
 */
const REFERRER_POLICY = 'same-origin';

interface Answer {
  readonly status?: number;
  readonly policy?: string;
  /** The address of the page holds a secret, which goes along to no other page. */
  readonly hasSecretAddress?: boolean;
}

/** Answers with pages; whatever a template puts out is escaped (docs/decisions/0020). */
@Injectable()
export class Pages {
  private readonly eta = new Eta({ views: VIEWS_FOLDER, autoEscape: true, cache: true });
  private readonly appearances = new WeakMap<Response, Appearance>();
  private readonly subPath: string;

  constructor(config: Config) {
    this.subPath = subPathOf(config);
  }

  /** A path of this service as browsers know it: templates write each of them `it.at('/path')` (docs/decisions/0064). */
  readonly at = (path: string): string => pathUnder(this.subPath, path);

  /** The page of this answer, whichever it is, looks as its user has chosen. */
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

/** To a path of this service; a page is fetched, whatever the method was (RFC 9110 section 15.4.4). */
export function goTo(response: Response, path: string, status = 303): void {
  response.redirect(status, outerPath(response, path));
}

/**
 * What the browser has stored for a user who leaves: articles for offline reading, and what waits for the network. The
 * header clears what the whole host has stored: under a sub-path the service worker alone clears its own.
 */
export function forgetSiteData(response: Response): void {
  if (outerPath(response, '/') === '/') {
    response.set('Clear-Site-Data', '"storage"');
  }
}
