import { Injectable } from '@nestjs/common';
import type { Response } from 'express';

import { PageRenderer } from '../page-renderer.js';
import type { ViewName, Views } from '../views.js';
import { PAGE_POLICY } from './page-policy.js';

interface Answer {
  readonly status?: number;
  readonly policy?: string;
}

/** Answers with pages. */
@Injectable()
export class Pages {
  constructor(private readonly renderer: PageRenderer) {}

  show<V extends ViewName>(
    response: Response,
    view: V,
    model: Views[V],
    { status = 200, policy = PAGE_POLICY }: Answer = {},
  ): void {
    response
      .status(status)
      .set('Content-Security-Policy', policy)
      .type('html')
      .send(this.renderer.render(view, model));
  }
}

/** To a path of this service; a page is fetched, whatever the method was (RFC 9110 section 15.4.4). */
export function goTo(response: Response, path: string): void {
  response.redirect(303, path);
}
